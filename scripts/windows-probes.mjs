// Shows, without any code of ours, what Windows or Wine does otherwise than Linux: the causes in
// docs/windows.md. Each probe prints one line. On Linux it runs itself under Wine.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { temporaryHome } from './outside-programs.mjs';
import { nodeInWine } from './wine.mjs';

if (process.platform === 'win32' || process.argv.includes('--here')) await probeAll();
else await runUnderWine();

async function runUnderWine() {
  const node = await nodeInWine();
  const output = join(temporaryHome('probes').home, 'output.txt');
  const code = await node.run([import.meta.filename], { output });
  process.stdout.write(readFileSync(output, 'utf8'));
  process.exitCode = code ?? 1;
}

async function probeAll() {
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-probes-'));
  const at = (...names) => join(folder, ...names);

  await tell('symlinkSync', () => symlinkSync('nowhere', at('link')));
  await tell('… and it is a symlink', () => lstatSync(at('link')).isSymbolicLink());

  writeFileSync(at('case.md'), '');
  await tell('renameSync case.md CASE.md', () => renameSync(at('case.md'), at('CASE.md')));
  await tell('… and its name is', () => readdirSync(folder).filter((name) => /case/i.test(name)));

  const held = openSync(at('open.md'), 'w');
  await tell('rmSync of an open file', () => rmSync(at('open.md')));
  await tell('… and it is there', () => existsSync(at('open.md')));
  closeSync(held);

  writeFileSync(at('mode.md'), '', { mode: 0o600 });
  await tell('mode of a file made with 600', () => statSync(at('mode.md')).mode.toString(8));
  truncateSync(at('mode.md'), 5_000);
  await tell('blocks of 5,000 unwritten bytes', () => statSync(at('mode.md')).blocks);

  await tell('taskkill /T', () => taskkill(['/T', '/F']));
  await tell('taskkill without /T', () => taskkill(['/F']));

  mkdirSync(at('tree', 'sub'), { recursive: true });
  writeFileSync(at('tree', 'sub', 'a.md'), '');
  const heard = [];
  const watcher = watch(at('tree'), { recursive: true }, (_, name) => heard.push(name));
  await setTimeout(500);
  const eventsOf = async (names) => {
    for (const name of names) writeFileSync(at('tree', name), 'text');
    await setTimeout(2_000);
    return JSON.stringify(heard.splice(0).slice(0, 6));
  };
  const many = Array.from({ length: 200 }, (_, number) => `${number}.md`);
  await tell('events of one write', () => eventsOf(['a.md']));
  await tell('events in a folder that was there', () => eventsOf(['sub/a.md']));
  await tell('events of 200 new files', () => eventsOf(many));
  watcher.close();

  const pipe = process.platform === 'win32' ? '\\\\.\\pipe\\vaultdoor-probe' : at('socket');
  await tell('progress of a large write to a pipe', () => progress(pipe));
  await tell('progress of a large write to TCP', () => progress({ port: 0, host: '127.0.0.1' }));
  await tell('a socket with keep-alive', () => connectTo((socket) => socket.setKeepAlive(true)));
  await tell('fetch', () => connectTo());
  await tell('fsync of a folder', () => fsyncFolder(folder));
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Prints what a probe answers, or the code with which it fails. */
async function tell(what, probe) {
  let seen;
  try {
    seen = (await probe()) ?? 'done';
  } catch (error) {
    seen = error.code;
  }
  process.stdout.write(`${what}: ${seen}\n`);
}

/** Whether a process ends by it. */
async function taskkill(words) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const ended = once(child, 'exit').then(() => 'the process ended');
  const { status, error } = spawnSync('taskkill', ['/pid', String(child.pid), ...words]);
  const seen = await Promise.race([ended, setTimeout(3_000, 'the process runs on')]);
  child.kill();
  return `${error?.code ?? `exit code ${status}`}, ${seen}`;
}

/** Connects to a server: a socket with what is done to it before, or `fetch` without that. */
async function connectTo(prepare) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined); // The client may leave before it has read all.
    socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port, address } = server.address();
  try {
    if (prepare === undefined) {
      const answer = await fetch(`http://${address}:${port}`).catch(({ cause }) => {
        throw cause;
      });
      return `status ${answer.status}`;
    }
    const socket = connect(port, address);
    prepare(socket);
    await once(socket, 'connect');
    socket.destroy();
    return 'connected';
  } finally {
    server.close();
  }
}

function fsyncFolder(folder) {
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** How many states of one write of 20 MB Node shows while a client reads half of it. */
async function progress(address) {
  const states = new Set();
  const server = createServer((socket) => {
    socket.on('error', () => undefined); // The client leaves before it has read all.
    socket.write(Buffer.alloc(20_000_000));
    setInterval(() => states.add(socket._handle?.writeQueueSize), 1).unref();
  });
  await once(server.listen(address), 'listening');
  const where = server.address();
  const client = typeof where === 'string' ? connect(where) : connect(where.port, where.address);
  client.on('data', () => {
    client.pause();
    if (client.bytesRead < 10_000_000) globalThis.setTimeout(() => client.resume(), 5);
  });
  const read = () => client.bytesRead;
  for (let before = -1; before !== read(); await setTimeout(500)) before = read();
  client.destroy();
  server.close();
  return `${states.size} states while ${read()} bytes were read`;
}
