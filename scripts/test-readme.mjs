// Runs every command of README.md as it stands there, in the order of the page, in a home folder and
// a copy of this repository of their own. Servers are started, awaited, and ended with Ctrl-C at the
// end of their block. What a block prints below a command must be what the command prints. The
// configurations in JSON are started as their clients would start them.
//
// Four programs are stand-ins that check their arguments: `claude`; `ssh`, which leads to a real sshd
// on this machine; `npm ci`, because the packages are there already (every other `npm` is the real
// one); and `my-script`, which readers have to imagine.
//
// The ports are those of the page (1065 and 3000): they must be free.
//
// A block that cannot be run has a comment above it, `<!-- not run by test:readme: <reason> -->`. If
// anything else cannot be run, that is a failure, not a skip.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import {
  check,
  copyRepository,
  exampleVault,
  repository,
  run,
  systemProgram,
  temporaryHome,
  until,
} from './outside-programs.mjs';
import { startSshServer } from './ssh-server.mjs';

const blocksNotRunMax = 3;
const blockPattern =
  /(?:<!-- not run by test:readme: (?<reason>[^\n]+) -->\n)?```(?<language>\w*)\n(?<text>.*?)^```$/gms;
const serverPattern = /\bvaultdoor (serve|daemon)\b|\bnpm start\b/;

const { home, env: bare } = temporaryHome('readme');
const clone = await copyRepository(join(home, 'vaultdoor'));
const programs = join(home, 'programs');
const running = new Set();
process.on('exit', () => {
  for (const server of running) server.signal('SIGKILL');
});

await systemProgram('curl');
const sshServer = await makeStandIns();
/** What the shell of the reader has in its environment; commands may export more. */
let env = { ...bare, LANG: 'C.UTF-8', TZ: 'UTC', PATH: `${programs}:${process.env.PATH}` };
/** What a command has printed, for the checks below. */
let printed = '';

const readme = readFileSync(join(repository, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(blockPattern)].map(({ index, groups }) => ({
  ...groups,
  line: readme.slice(0, index).split('\n').length,
}));
const left = blocks.filter(({ reason }) => reason !== undefined);
check(`at most ${blocksNotRunMax} blocks are not run`, left.length <= blocksNotRunMax, left);
const fences = readme.match(/^```/gm) ?? [];
check('every block was found', blocks.length > 10 && fences.length === 2 * blocks.length, blocks);

for (const block of blocks) {
  if (block.reason !== undefined) continue;
  if (block.language === 'json') await tryConfiguration(block);
  else await tryCommands(block);
}
await sshServer.stop();
process.exit();

/** Makes the files that the page takes for granted, and the programs that are not tested here. */
async function makeStandIns() {
  mkdirSync(programs);
  exampleVault(join(home, 'Notes'));
  // The clients whose configuration `install` changes.
  mkdirSync(join(home, '.config', 'Claude'), { recursive: true });
  mkdirSync(join(home, '.cursor'));
  const program = (file, text) => writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  program(join(clone, 'my-script'), 'exec vaultdoor append Swifts "Written by a script."');
  // `git log` needs a commit, and the page is about a clone.
  const git = ['-c', 'user.name=reader', '-c', 'user.email=reader@example.org'];
  await run('git', ['init', '--quiet'], { cwd: clone });
  await run('git', ['add', '--all'], { cwd: clone });
  await run('git', [...git, 'commit', '--quiet', '-m', 'Cloned'], { cwd: clone });
  program(
    join(programs, 'claude'),
    `[ $# -eq 8 ] && [ "$1 $2 $3 $4 $5" = "mcp add --transport http vault" ] &&
  [ "$6" = "http://vault.lan:1065/mcp" ] && [ "$7" = "--header" ] &&
  case $8 in "Authorization: Bearer vd_"*) exit 0 ;; esac
echo "claude: wrong arguments: $*"; exit 1`,
  );
  const npm = (await run('sh', ['-c', 'command -v npm'])).stdout.trim();
  program(
    join(programs, 'npm'),
    `if [ "$1" = ci ]; then [ $# -eq 1 ] && [ -f package-lock.json ] && [ -d node_modules ]; exit; fi
exec ${npm} "$@"`,
  );
  // As `npm link` does it.
  program(join(programs, 'vaultdoor'), `exec node ${clone}/dist/vaultdoor.js "$@"`);

  const server = await startSshServer(join(home, 'ssh'), { HOME: home, PATH: process.env.PATH });
  const [folder] = server.env.PATH.split(':');
  // The page says "me@server"; the sshd has only the account that this runs as.
  program(
    join(programs, 'ssh'),
    `for word; do
  shift
  if [ "$word" = me@server ]; then set -- "$@" vault; found=1; else set -- "$@" "$word"; fi
done
[ "$found" = 1 ] || { echo "ssh: not to me@server: $*" >&2; exit 1; }
exec ${folder}/ssh "$@"`,
  );
  return server;
}

/** Runs the commands of a block, one after the other, and then ends the servers among them. */
async function tryCommands({ text, line }) {
  for (const { command, output } of commandsIn(text)) {
    const what = `README.md:${line}: ${command.split('\n')[0]}`;
    try {
      const said = serverPattern.test(command) ? await startServing(command) : await type(command);
      printed = said.text;
      const isRight = output === '' || said.text === output;
      check(what, said.code === 0 && isRight, { command, expected: output, ...said });
      await tryMore(command, line);
    } catch (error) {
      check(what, false, { command, error: String(error) });
    }
  }
  for (const server of running) {
    const end = await server.stop();
    check(`README.md:${line}: Ctrl-C ends it`, [0, 130, 'SIGINT'].includes(end), {
      end,
      text: server.seen.text,
    });
  }
  if (text.includes('npm start')) {
    const { code, stdout } = await run('git', ['status', '--porcelain'], { cwd: clone });
    check('npm start leaves the checkout as it was', code === 0 && stdout === '', stdout);
  }
}

/** The commands of a block (after "$ "), and the output that the block shows for each. */
function commandsIn(text) {
  const commands = [];
  let isContinued = false;
  for (const line of text.split('\n').slice(0, -1)) {
    const last = commands.at(-1);
    const command = line.slice(2).replace(/\s+#[^'"]*$/, ''); // Without its comment.
    if (line.startsWith('$ ')) commands.push({ command, output: '' });
    else if (isContinued) last.command += `\n${line}`;
    else if (last !== undefined) last.output += `${line}\n`;
    else throw new Error(`A block begins without a command: ${line}`);
    isContinued = line.endsWith('\\');
  }
  return commands;
}

/** Runs a command in the reader's shell; what it exports is there for later commands. */
async function type(command) {
  const exports = join(home, 'exports');
  const script = `exec 2>&1\n${command}\ncode=$?\nenv -0 >${exports}\nexit $code`;
  const { code, stdout } = await run('bash', ['-c', script], { cwd: clone, env });
  for (const pair of readFileSync(exports, 'utf8').split('\0')) {
    const [name, value] = pair.split(/=(.*)/s);
    if (/VAULT/.test(name)) env = { ...env, [name]: value };
  }
  return { code, text: stdout };
}

/** Starts a server as the reader does, and resolves when it has said that it is ready. */
async function startServing(command) {
  // `npm start` serves the example vault whatever the environment says.
  const vaults = { VAULT_PATH: join(home, 'Notes', 'claude'), OBSIDIAN_VAULT_PATH: home };
  const child = spawn('bash', ['-c', `exec 2>&1\n${command}`], {
    cwd: clone,
    env: command.includes('npm start') ? { ...env, ...vaults } : env,
    detached: true, // A group of its own, so that Ctrl-C reaches all of it and nobody else.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const seen = { text: '', end: undefined };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    seen.text += text;
  });
  const ended = new Promise((resolve) => {
    child.on('close', (code, signal) => {
      seen.end = code ?? signal;
      running.delete(server);
      resolve(seen.end);
    });
  });
  const signal = (name) => process.kill(-child.pid, name);
  const stop = () => {
    signal('SIGINT');
    return ended;
  };
  const server = { seen, signal, stop };
  running.add(server);
  // `npm start` prints the link to the console last.
  const sign = command.includes('npm start')
    ? /\/c\/enter#k=[\w-]+\n$/
    : /Ctrl-C ends it\.|^token: /m;
  const isReady = () => sign.test(seen.text);
  await until(
    () => isReady() || seen.end !== undefined,
    () => seen.text,
    60, // `npm start` builds the program first.
  );
  return { code: isReady() ? 0 : seen.end, text: seen.text };
}

/** Checks that a command has done what the page says, beyond that it has not failed. */
async function tryMore(command, line) {
  const expected = (what, holds) => check(`README.md:${line}: ${what}`, holds, { printed });
  if (command.includes('npm start')) {
    expected('it serves the example vault', printed.includes('Serving "Tarnford" at'));
    const answer = await callTool('note_read', { path: 'Notes/Swifts.md' });
    check('it reads a note', answer.includes('Counted nineteen swifts'), answer);
  }
  if (command.includes('token create')) env = { ...env, README_TOKEN: tokenIn(printed) };
  if (command.startsWith('claude')) {
    // What `claude` would do with the token that was printed, and what it may not do without it.
    const headers = { host: `${hostname()}.lan:1065` };
    const refused = await callTool('note_read', { path: '_index.md' }, headers);
    check('without the token it is refused', refused.includes('token'), refused);
    headers.authorization = `Bearer ${env.README_TOKEN}`;
    const answer = await callTool('note_read', { path: '_index.md' }, headers);
    check('with the token it reads a note', answer.includes('"exists":true'), answer);
  }
  if (command.startsWith('curl'))
    expected('it answers the note', printed.includes('"success":true'));
  if (command.endsWith('ls')) expected('it lists the vault', printed.includes('Home.md\n'));
  if (command.includes('put Now.md')) {
    const text = readFileSync(join(home, 'Notes', 'Now.md'), 'utf8');
    check('the note is there', /^\w{3} \w{3} +\d+ /.test(text), text);
  }
  if (command.includes('vaultdoor search')) expected('it finds notes', printed.includes('.md'));
}

function tokenIn(text) {
  return /\bvd_[\w-]+/.exec(text)?.[0] ?? '';
}

/** Calls a tool of the server at the default port, without a session. */
function callTool(name, args, headers = {}) {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const fixed = { 'content-type': 'application/json', accept: 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: 1065,
        path: '/mcp',
        method: 'POST',
        headers: { ...fixed, ...headers },
      },
      async (answer) => {
        let text = '';
        for await (const chunk of answer) text += chunk;
        resolve(text.replaceAll('\\"', '"'));
      },
    );
    sent.on('error', reject).end(body);
  });
}

/**
 * Starts each server of a client's configuration as a desktop app would, with no PATH, and says hello
 * to it. The paths of the page stand for those of this machine.
 */
async function tryConfiguration({ text, line }) {
  const { mcpServers, servers } = JSON.parse(text);
  for (const [name, { command, args, env: own = {} }] of Object.entries(mcpServers ?? servers)) {
    const what = `README.md:${line}: the server "${name}"`;
    const [file, ...rest] = args;
    const isAbsolute = command.endsWith('/bin/node') && file.endsWith('/dist/vaultdoor.js');
    check(`${what} has absolute paths`, isAbsolute && command.startsWith('/'), { command, args });
    const vault = own.OBSIDIAN_VAULT_PATH;
    const there = vault?.replace('/home/you', home);
    const hello = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'reader', version: '1' },
      },
    };
    const said = await run(process.execPath, [join(clone, 'dist', 'vaultdoor.js'), ...rest], {
      env: { HOME: home, ...(there === undefined ? {} : { OBSIDIAN_VAULT_PATH: there }) },
      input: `${JSON.stringify(hello)}\n`,
    });
    check(`${what} answers`, said.code === 0 && said.stdout.includes('"serverInfo"'), said);
  }
}
