import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('..', import.meta.url));

/** Runs a program until it ends, with `input` on its stdin. Never rejects. */
export function run(file, args, { input = '', ...options } = {}) {
  return new Promise((resolve) => {
    const all = { maxBuffer: 1 << 26, timeout: 120_000, ...options };
    const { stdin } = execFile(file, args, all, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? -1), stdout, stderr });
    });
    stdin.on('error', () => undefined); // The program may have ended without reading its input.
    stdin.end(input);
  });
}

/** Prints whether a check passed. If it failed, prints `seen` too, and makes this process fail. */
export function check(what, holds, seen) {
  if (holds) {
    process.stdout.write(`ok  ${what}\n`);
    return;
  }
  process.stdout.write(`BAD ${what}\n${JSON.stringify(seen, null, 2)}\n`);
  process.exitCode = 1;
}

/**
 * Installs a package that is too large to be a dependency, unless it is installed already. Returns
 * the folder `node_modules` that contains it, next to the other caches. Scripts that run at the
 * same time may want the same package: each installs it into its own folder, and the first that
 * finishes renames its folder to the final name. `beside` has further words for npm: packages
 * (`name@version`) that the package uses if they are there, or options.
 */
export async function installed(name, version, beside = []) {
  const caches = join(repository, 'node_modules', '.cache');
  const folder = join(caches, `${name.split('/').at(-1)}-${version}`);
  const modules = join(folder, 'node_modules');
  if (existsSync(join(modules, name))) return modules;
  mkdirSync(caches, { recursive: true });
  const own = mkdtempSync(`${folder}-`);
  const args = ['install', '--no-save', '--no-package-lock', '--no-fund', '--no-audit'];
  // `npm run` passes this repository's `engine-strict` on. It must not apply here: the Inspector's
  // package asks for a newer Node than its command line needs.
  const lenient = ['--no-engine-strict', '--prefix', own];
  const answer = await run('npm', [...args, ...lenient, `${name}@${version}`, ...beside]);
  try {
    if (answer.code === 0) renameSync(own, folder);
  } catch (error) {
    if (!existsSync(join(modules, name))) throw error;
  }
  rmSync(own, { recursive: true, force: true });
  if (answer.code === 0) return modules;
  throw new Error(`${name}@${version} could not be installed:\n${answer.stderr}`);
}

/**
 * The path of another Node: of version 22.16, the oldest whose own SQLite has full-text search, unless
 * another version is given.
 */
export async function newerNode(version = '22.16.0') {
  const name = `node-${process.platform}-${process.arch}`;
  return join(await installed(name, version), name, 'bin', 'node');
}

/** Returns the path of a system program. If it is missing, installs its Debian package first. */
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

/**
 * Runs apt-get. It waits for its lock, because scripts that run at the same time may use it too.
 */
function apt(args) {
  const words = ['apt-get', '-o', 'DPkg::Lock::Timeout=120', ...args];
  const [file, ...rest] = process.getuid() === 0 ? words : ['sudo', '-n', ...words];
  return run(file, rest, { timeout: 300_000 });
}

/**
 * Whether this machine can mount file systems. If it cannot, prints that `what` is not tested: no
 * package that the script could install would change this.
 */
export function canMount(what) {
  try {
    accessSync('/dev/fuse', constants.R_OK | constants.W_OK);
    return true;
  } catch {
    process.stdout.write(
      `NOT TESTED: ${what}: this machine has no /dev/fuse that this user may use.\n`,
    );
    return false;
  }
}

/**
 * Makes a temporary folder, which is removed when this process ends, and the environment of a
 * server that keeps all its data in this folder.
 */
export function temporaryHome(name) {
  const home = mkdtempSync(join(tmpdir(), `vaultdoor-${name}-`));
  homes.add(home);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_STATE_HOME: join(home, 'state'),
  };
  return { home, env };
}

/**
 * Copies the files that git knows or would add, as a clone has them, and returns the folder. Nothing
 * in it is built. `node_modules` is linked.
 */
export async function copyRepository(folder) {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await run('git', words, { cwd: repository });
  const files = stdout.split('\0').filter((file) => file !== '');
  for (const file of files) {
    if (!existsSync(join(repository, file))) continue; // It was deleted, and not committed yet.
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(repository, file), join(folder, file));
  }
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Copies the example vault into a folder, and returns the folder. */
export function exampleVault(folder) {
  cpSync(join(repository, 'examples', 'vault'), folder, { recursive: true });
  return folder;
}

const started = new Set();
const homes = new Set();
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

/**
 * Starts a program. If it still runs when this process ends, it is killed. `stop` sends SIGTERM and
 * resolves to the exit code.
 */
export function startProgram([file, ...args], env) {
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  started.add(child);
  const seen = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      seen[name] += text;
    });
  }
  // 'close' comes after the last output has been read, 'exit' may come before it. But 'close' does not
  // come as long as another program, which this one has started, has the same output.
  const closed = once(child, 'close').catch(() => undefined); // `ended` fails too.
  const ended = once(child, 'exit').then(async ([code]) => {
    started.delete(child);
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 1_000))]);
    return code;
  });
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { child, seen, ended, stop };
}

/** Starts a server, and resolves when it has printed the first address at which it listens. */
export async function startServer(words, env) {
  const server = startProgram(words, env);
  const { child, seen, ended } = server;
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', () => {
      const [address] = /http:\/\/\S+:\d+\/mcp\b/.exec(seen.stdout) ?? [];
      if (address !== undefined) resolve(address);
    });
    ended.then((code) => reject(new Error(`The server ended with ${code}:\n${seen.stderr}`)));
  });
  return { ...server, url, port: new URL(url).port };
}

/**
 * Waits until `holds()` is true. After ten seconds, or `seconds`, it fails, with `seen()` in the
 * message.
 */
export async function until(holds, seen, seconds = 10) {
  for (let i = 0; i < 20 * seconds; i++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`This took too long; last seen:\n${seen()}`);
}

/** The command line that starts the built server on a free port. */
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

/** Makes one call to a server, without a session, and returns its answer as text. */
export async function callTool(url, name, args) {
  const params = { name, arguments: args };
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return answer.text();
}
