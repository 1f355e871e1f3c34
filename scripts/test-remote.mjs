// Tests the remote daemon through a real sshd on the loopback address. The script deploys and
// starts the single-file daemon as the public plugin does, on the oldest Node that can run it. It
// forwards the daemon's socket, runs a session, cuts the connection in the middle of a write, and
// uses `vaultdoor remote`. If something cannot be run, that is a failure, not a skip.
import { createHash, randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import {
  check,
  exampleVault,
  installed,
  newerNode,
  repository,
  run,
  startProgram,
  systemProgram,
  temporaryHome,
  until,
} from './outside-programs.mjs';
import { frame, openWire, unframe } from './remote-wire.mjs';
import { startSshServer } from './ssh-server.mjs';

const { home, env } = temporaryHome('remote');
const file = join(repository, 'dist', 'vaultdoor-daemon.js');
const vault = exampleVault(join(home, 'notes'));
const own = join(home, '.obsidian-remote');
const [server, socket, tokenFile] = ['server', 'server.sock', 'token'].map((n) => join(own, n));
const readToken = () => (existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8') : '');
/** A PNG of one pixel, as base64. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

await systemProgram('nc', 'netcat-openbsd');
const oldest = `node-${process.platform}-${process.arch}`;
const node = join(await installed(oldest, '22.13.1'), oldest, 'bin', 'node');
const bin = join(home, 'bin');
mkdirSync(bin);
symlinkSync(node, join(bin, 'node'));
const sshServer = await startSshServer(join(home, 'ssh'), {
  HOME: home,
  PATH: `${bin}:${process.env.PATH}`,
});
const sshEnv = { ...env, ...sshServer.env };
const ssh = (command, input) => run('ssh', ['vault', command], { env: sshEnv, input });

await tryOldNode();
await deploy();
await holdSession();
await cutWrite();
await tryCommandLine();
await tryShellExample();
await leave();
await tryNewerNode();
await sshServer.stop();
process.exit();

async function tryOldNode() {
  const [major] = process.versions.node.split('.');
  if (Number(major) >= 22) return;
  const said = await run(process.execPath, [file, '--version'], { env });
  const isSaid = said.code === 6 && /^vaultdoor: [^\n]*Node 22\.13[^\n]*\n$/.test(said.stderr);
  check(`on Node ${process.version} it says one sentence`, isSaid && said.stdout === '', said);
  const without = await run(node, ['--no-experimental-sqlite', file, '--version'], { env });
  const isToo = without.code === 6 && /^vaultdoor: [^\n]*SQLite[^\n]*\n$/.test(without.stderr);
  check('on a Node without SQLite it says one sentence', isToo && without.stdout === '', without);
}

/** Deploys the daemon with the same steps as the public plugin, in the same order. */
async function deploy() {
  await ssh(`mkdir -p ${own} && chmod 700 ${own}`);
  await ssh(`rm -f ${server} ${socket} ${tokenFile}`);
  const bytes = readFileSync(file);
  await ssh(`cat > ${server} && chmod 700 ${server}`, bytes);
  const sum = createHash('sha256').update(bytes).digest('hex');
  const { stdout } = await ssh(`sha256sum ${server}`);
  check('the single file is uploaded', stdout.startsWith(sum), stdout);
  const flags = `--vault-root=${vault} --socket=${socket} --token-file=${tokenFile} --verbose`;
  const startMs = performance.now();
  const log = join(own, 'server.log');
  const started = await ssh(
    `nohup sh -c '${server} ${flags}' > ${log} 2>&1 < /dev/null & echo started`,
  );
  check('the daemon is started by ssh, which ends', started.code === 0, started);
  await until(
    () => readToken() !== '',
    () => readFileSync(log, 'utf8'),
  );
  const ms = Math.round(performance.now() - startMs);
  check(`on Node 22.13.1 the token is there after ${ms} ms`, ms < 5_000, ms);
  check('the socket is there with it', existsSync(socket), readdirSync(own));
}

/** Forwards a new local socket to the daemon's socket with ssh. */
async function forward(name) {
  const path = join(home, name);
  const options = ['-N', '-o', 'ExitOnForwardFailure=yes', '-L', `${path}:${socket}`];
  const started = startProgram(['ssh', ...options, 'vault'], sshEnv);
  await until(
    () => existsSync(path),
    () => started.seen.stderr,
  );
  return { ...started, path };
}

async function enter(path) {
  const wire = openWire(path);
  const answer = await wire.call('auth', { token: readToken() });
  if (answer.result?.ok !== true) throw new Error(JSON.stringify(answer));
  return wire;
}

async function holdSession() {
  const tunnel = await forward('first.sock');
  const wire = await enter(tunnel.path);
  const { result: info } = await wire.call('server.info');
  const methods = `auth fs.append fs.appendBinary fs.batchStat fs.copy fs.exists fs.hash fs.list
    fs.mkdir fs.readBinary fs.readBinaryRange fs.readText fs.remove fs.rename fs.rmdir fs.stat
    fs.thumbnail fs.trashLocal fs.unwatch fs.walk fs.watch fs.write fs.writeBinary server.info`;
  const isWhole = info.capabilities.join() === methods.split(/\s+/).join();
  check('it can do all but search, which this Node cannot', isWhole, info);
  const { result: watch } = await wire.call('fs.watch', { path: '', recursive: true });
  const steps = [
    ['fs.mkdir', { path: 'Ssh/deep', recursive: true }, {}],
    ['fs.write', { path: 'Ssh/a.md', content: 'one\n' }, { mtime: Number }],
    ['fs.append', { path: 'Ssh/a.md', content: 'two\n' }, { mtime: Number }],
    ['fs.readText', { path: 'Ssh/a.md' }, { content: 'one\ntwo\n', size: 8 }],
    ['fs.rename', { oldPath: 'Ssh/a.md', newPath: 'Ssh/deep/b.md' }, Object],
    ['fs.stat', { path: 'Ssh/a.md' }, null],
    ['fs.writeBinary', { path: 'Ssh/p.png', contentBase64: pixel }, { mtime: Number }],
    ['fs.thumbnail', { path: 'Ssh/p.png', maxDim: 64 }, { format: 'png', width: 1, height: 1 }],
    ['fs.walk', { path: 'Ssh', recursive: true }, { truncated: false }],
    ['fs.rmdir', { path: 'Ssh', recursive: true }, {}],
  ];
  for (const [method, params, expected] of steps) {
    const answer = await wire.call(method, params);
    check(`through ssh: ${method}`, fits(answer.result, expected), answer);
  }
  const told = () => wire.notices.map(({ event, path }) => `${event} ${path}`);
  await until(
    () => told().includes('deleted Ssh'),
    () => told().join('\n'),
  );
  const wanted = ['created Ssh/a.md', 'deleted Ssh/a.md', 'created Ssh/deep/b.md'];
  const places = wanted.map((event) => told().indexOf(event));
  const isOrdered = places.every((at, i) => at > (places[i - 1] ?? -1));
  const isOwn = wire.notices.every((each) => each.subscriptionId === watch.subscriptionId);
  check('through ssh: events in order', isOrdered && isOwn, told());
  wire.end();
  await tunnel.stop();
}

/** Cuts the connection after half of a message is sent, and after all of it is sent. */
async function cutWrite() {
  const path = 'Cut.bin';
  let before = randomBytes(6_000_000);
  writeFileSync(join(vault, path), before);
  for (const share of [0.5, 1]) {
    const tunnel = await forward(`cut-${share}.sock`);
    const wire = await enter(tunnel.path);
    const after = randomBytes(6_000_000);
    const params = { path, contentBase64: after.toString('base64') };
    const message = frame({ id: 99, method: 'fs.writeBinary', params });
    const sent = message.subarray(0, message.length * share);
    await new Promise((resolve) => wire.socket.write(sent, resolve));
    tunnel.child.kill('SIGKILL');
    await tunnel.ended;
    const next = await forward(`next-${share}.sock`);
    const again = await enter(next.path);
    const written = await again.call('fs.write', { path: 'After.md', content: `${share}` });
    check(`cut at ${share}: reconnects and writes`, written.result?.mtime > 0, written);
    const now = readFileSync(join(vault, path));
    const isOld = now.equals(before);
    const isNew = share === 1 && now.equals(after);
    check(`cut at ${share}: the file is ${isOld ? 'old' : 'new'}`, isOld || isNew, now.length);
    before = now;
    const names = readdirSync(vault, { recursive: true });
    const left = names.filter((name) => /\.tmp$/.test(name));
    check(`cut at ${share}: no temporary file is left`, left.length === 0, left);
    again.end();
    await next.stop();
  }
}

async function tryCommandLine() {
  const words = [join(repository, 'dist', 'vaultdoor.js'), 'remote'];
  const remote = (args, input) =>
    run(process.execPath, [...words, ...args], { env: sshEnv, input });
  const at = ['--ssh', 'vault'];
  const large = randomBytes(14_000_000);
  writeFileSync(join(vault, 'Large.bin'), large);
  const listed = await remote([...at, 'ls']);
  check('remote ls', listed.code === 0 && listed.stdout.includes('Large.bin\n'), listed);
  const put = await remote([...at, 'put', 'By ssh/Put.md'], 'by ssh\n');
  const isPut = put.code === 0 && readFileSync(join(vault, 'By ssh/Put.md'), 'utf8') === 'by ssh\n';
  check('remote put', isPut, put);
  const shown = await remote([...at, 'cat', 'By ssh/Put.md']);
  check('remote cat', shown.stdout === 'by ssh\n', shown);
  const all = await run(process.execPath, [...words, ...at, 'cat', 'Large.bin'], {
    env: sshEnv,
    encoding: 'buffer',
  });
  check('remote cat of 14 MB', all.code === 0 && all.stdout.equals(large), all.stdout.length);
  const info = await remote([...at, 'info', '--json']);
  check('remote info', JSON.parse(info.stdout).vaultRoot === vault, info);
  const conflict = await remote([...at, 'put', 'By ssh/Put.md', '--if-mtime', '5'], 'no\n');
  check('remote put --if-mtime', conflict.code === 4, conflict);
  const missing = await remote([...at, 'cat', 'No such.md']);
  check('remote cat of nothing', missing.code === 3, missing);

  const watch = startProgram([process.execPath, ...words, ...at, 'watch', 'By ssh'], sshEnv);
  for (let i = 0; i < 100 && watch.seen.stdout === ''; i++) {
    writeFileSync(join(vault, `By ssh/New ${i}.md`), 'new');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const isTold = /^created +By ssh\/New \d+\.md$/m.test(watch.seen.stdout);
  check('remote watch', isTold && (await watch.stop()) === 0, watch.seen);
  const killed = startProgram([process.execPath, ...words, ...at, 'watch'], sshEnv);
  const tunnels = async () =>
    (await run('pgrep', ['-f', 'ssh .*-N .*vaultdoor-ssh-'])).stdout.trim();
  await until(
    async () => (await tunnels()) !== '',
    () => killed.seen.stderr,
  );
  killed.child.kill('SIGKILL');
  await until(
    async () => (await tunnels()) === '',
    () => 'ssh still runs',
  );
  check('ssh ends when "remote" is killed', true, '');

  const refused = await remote(['--ssh', 'stranger', 'ls']);
  const isRefused = refused.code === 6 && refused.stderr.includes('Permission denied');
  check('a refused key is reported with the words of ssh', isRefused, refused);
  const nowhere = await remote(['--ssh', 'no-such-host.invalid', 'ls']);
  const isNowhere = nowhere.code === 6 && nowhere.stderr.includes('no-such-host.invalid');
  check('an unknown host is reported with the words of ssh', isNowhere, nowhere);
  const option = await remote(['--ssh=-oProxyCommand=touch x', 'ls']);
  check('an option of ssh is not accepted as a host', option.code === 2, option);
  const silent = await remote([...at, '--token-file', 'none', 'ls']);
  check('no token', silent.code === 6 && silent.stderr.includes('No daemon'), silent);
}

/** Runs the shell example of the protocol's documentation unchanged. */
async function tryShellExample() {
  const example = (nc) => `
# Read the token (mode 0600, only your user can read it)
TOKEN=$(cat ~/.obsidian-remote/token)

# LSP-style frame: Content-Length: <N>\\r\\n\\r\\n<body>
frame() {
  local body="$1"
  printf 'Content-Length: %d\\r\\n\\r\\n%s' "\${#body}" "$body"
}

# Authenticate, then fs.list
{
  frame '{"jsonrpc":"2.0","id":1,"method":"auth","params":{"token":"'"$TOKEN"'"}}'
  frame '{"jsonrpc":"2.0","id":2,"method":"fs.list","params":{"path":""}}'
} | ${nc} ~/.obsidian-remote/server.sock
`;
  const isAnswered = (text) => {
    const [first, second] = unframe(Buffer.from(text)).messages;
    const names = second?.result?.entries.map(({ name }) => name) ?? [];
    return first?.result?.ok === true && names.includes('Large.bin');
  };
  // Without -N, nc does not close the connection when its input ends; a user would press Ctrl-C.
  const staying = startProgram(
    ['bash', '-c', `exec bash <<'END'\n${example('exec nc -U')}END\n`],
    env,
  );
  await until(
    () => isAnswered(staying.seen.stdout),
    () => JSON.stringify(staying.seen),
  );
  check('nc -U: both are answered', true);
  await staying.stop();
  const leaving = await run('bash', ['-c', example('nc -N -U')], { env });
  check('nc -N -U: and it ends', leaving.code === 0 && isAnswered(leaving.stdout), leaving);
}

/** Finds the daemon as the plugin does, and stops it while a client is connected. */
async function leave() {
  const wire = await enter(socket);
  const { stdout } = await run('pgrep', ['-f', `${own}/server `]);
  const pids = stdout.trim().split('\n');
  check('the daemon is found by its name', pids[0] !== '', stdout);
  const startMs = performance.now();
  for (const pid of pids) process.kill(Number(pid), 'SIGTERM');
  await until(
    async () => (await run('pgrep', ['-f', `${own}/server `])).stdout === '',
    () => readFileSync(join(own, 'server.log'), 'utf8'),
  );
  const seconds = Math.round((performance.now() - startMs) / 1000);
  const names = readdirSync(own).sort().join();
  check(`it ends within ${seconds} s`, names === 'server,server.log', names);
  const log = readFileSync(join(own, 'server.log'), 'utf8').trimEnd().split('\n');
  const strange = log.slice(4).filter((line) => !/^\S+Z (info|warn|debug) /.test(line));
  check('its log has four lines of greeting, and events', strange.length === 0, strange);
  wire.end();
}

/** Runs the daemon on a Node with full-text search, below a package.json with "type": "module". */
async function tryNewerNode() {
  const other = join(home, 'other');
  mkdirSync(join(other, 'own'), { recursive: true });
  writeFileSync(join(other, 'package.json'), '{"type":"module"}');
  copyFileSync(file, join(other, 'own', 'server'));
  const paths = { socket: join(other, 's'), 'token-file': join(other, 't'), 'vault-root': vault };
  const flags = Object.entries(paths).map(([name, path]) => `--${name}=${path}`);
  const daemon = startProgram([await newerNode(), join(other, 'own', 'server'), ...flags], env);
  await until(
    () => existsSync(paths['token-file']),
    () => daemon.seen.stderr,
  );
  const wire = openWire(paths.socket);
  await wire.call('auth', { token: readFileSync(paths['token-file'], 'utf8') });
  const found = await wire.call('fs.search', { query: 'swifts' });
  const isFound = JSON.stringify(found.result ?? {}).includes('Swifts.md');
  check('on Node 22.16 it searches, too', isFound, found);
  wire.end();
  check('on Node 22.16 it ends', (await daemon.stop()) === 0, daemon.seen);
}

function fits(value, expected) {
  if (expected === Number) return Number.isInteger(value);
  if (expected === Object) return typeof value === 'object' && value !== null;
  if (typeof expected !== 'object' || expected === null) return value === expected;
  return Object.entries(expected).every(([name, each]) => fits(value?.[name], each));
}
