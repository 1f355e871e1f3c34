import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('..', import.meta.url));

/** Runs a program to its end, with `input` on its stdin. Never rejects. */
export function run(file, args, { input = '', ...options } = {}) {
  return new Promise((resolve) => {
    const all = { maxBuffer: 1 << 26, timeout: 120_000, ...options };
    const { stdin } = execFile(file, args, all, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? -1), stdout, stderr });
    });
    stdin.on('error', () => undefined); // It may have left without reading.
    stdin.end(input);
  });
}

/** Says whether something holds; where it does not, what was seen, and the process fails. */
export function check(what, holds, seen) {
  if (holds) {
    process.stdout.write(`ok  ${what}\n`);
    return;
  }
  process.stdout.write(`BAD ${what}\n${JSON.stringify(seen, null, 2)}\n`);
  process.exitCode = 1;
}

/**
 * The `node_modules` with a package that is no dependency, since it is large: it is installed
 * beside the other caches, unless it is there. Scripts that run side by side may want the same one:
 * each installs into a folder of its own, and whoever is done first has made the one that counts.
 */
export async function installed(name, version) {
  const caches = join(repository, 'node_modules', '.cache');
  const folder = join(caches, `${name.split('/').at(-1)}-${version}`);
  const modules = join(folder, 'node_modules');
  if (existsSync(join(modules, name))) return modules;
  mkdirSync(caches, { recursive: true });
  const own = mkdtempSync(`${folder}-`);
  const args = ['install', '--no-save', '--no-package-lock', '--no-fund', '--no-audit'];
  // Our own strictness, which `npm run` hands on, is not for them: the Inspector asks for a newer
  // Node than its command line needs.
  const lenient = ['--no-engine-strict', '--prefix', own];
  const answer = await run('npm', [...args, ...lenient, `${name}@${version}`]);
  try {
    if (answer.code === 0) renameSync(own, folder);
  } catch (error) {
    if (!existsSync(join(modules, name))) throw error;
  }
  rmSync(own, { recursive: true, force: true });
  if (answer.code === 0) return modules;
  throw new Error(`${name}@${version} could not be installed:\n${answer.stderr}`);
}

/** A Node that is newer than the oldest we run on, as a program: the oldest with SQLite of its own. */
export async function newerNode() {
  const name = `node-${process.platform}-${process.arch}`;
  return join(await installed(name, '22.16.0'), name, 'bin', 'node');
}

/** Makes sure that a program of the system is there; Debian's package of it is installed if not. */
export async function systemProgram(program, debianPackage = program) {
  const found = await run('sh', ['-c', `command -v ${program}`]);
  if (found.code === 0) return found.stdout.trim();
  const install = ['install', '-y', '-qq', '--no-install-recommends', debianPackage];
  let answer = await apt(install);
  if (answer.code !== 0) {
    await apt(['update', '-qq']);
    answer = await apt(install);
  }
  if (answer.code === 0) return systemProgram(program, debianPackage);
  throw new Error(`"${program}" is missing, and installing it failed:\n${answer.stderr}`);
}

/** Runs apt, which scripts that run side by side may want at the same time. */
function apt(args) {
  const words = ['apt-get', '-o', 'DPkg::Lock::Timeout=120', ...args];
  const [file, ...rest] = process.getuid() === 0 ? words : ['sudo', '-n', ...words];
  return run(file, rest, { timeout: 300_000 });
}

/**
 * Whether file systems can be mounted here; says so where not. Neither a package nor a right that
 * can be asked for brings this to a machine without it.
 */
export function canMount(what) {
  try {
    accessSync('/dev/fuse', constants.R_OK | constants.W_OK);
    return true;
  } catch {
    process.stdout.write(`NOT TESTED: ${what}: this machine has no /dev/fuse for us.\n`);
    return false;
  }
}

/** A folder that is gone when the process ends, with what a server needs to leave no trace. */
export function temporaryHome(name) {
  const home = mkdtempSync(join(tmpdir(), `vaultdoor-${name}-`));
  process.on('exit', () => rmSync(home, { recursive: true, force: true }));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_STATE_HOME: join(home, 'state'),
  };
  return { home, env };
}

/** A copy of the example vault. */
export function exampleVault(folder) {
  cpSync(join(repository, 'examples', 'vault'), folder, { recursive: true });
  return folder;
}

const started = new Set();
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** Starts a program that ends with this process at the latest. `stop` answers its exit code. */
export function startProgram([file, ...args], env) {
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  started.add(child);
  const seen = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      seen[name] += text;
    });
  }
  const ended = once(child, 'exit').then(([code]) => {
    started.delete(child);
    return code;
  });
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { child, seen, ended, stop };
}

/** Starts a server and resolves when it says where it listens: the first address on its stdout. */
export async function startServer(words, env) {
  const server = startProgram(words, env);
  const { child, seen, ended } = server;
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', () => {
      const [address] = /http:\/\/\S+:\d+\/mcp\b/.exec(seen.stdout) ?? [];
      if (address !== undefined) resolve(address);
    });
    ended.then((code) => reject(new Error(`The server left with ${code}:\n${seen.stderr}`)));
  });
  return { ...server, url, port: new URL(url).port };
}

/** Waits until something holds, ten seconds at most; then the failure says what was seen. */
export async function until(holds, seen) {
  for (let i = 0; i < 200; i++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`This took too long; last seen:\n${seen()}`);
}

/** The words that start the built server on a free port. */
export function serveWords(...args) {
  return [
    process.execPath,
    join(repository, 'dist', 'vaultdoor.js'),
    'serve',
    '--port',
    '0',
    ...args,
  ];
}

/** The answer of a server to one call, without a session, as text. */
export async function callTool(url, name, args) {
  const params = { name, arguments: args };
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return answer.text();
}
