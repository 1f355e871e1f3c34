import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { counted, isQuick } from '../support/counts.ts';
import { bundle, runCli } from '../support/run-cli.ts';
import { StdioProcess, stdioEnv } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const files = { 'A.md': 'one\n', 'B.md': '[[A]] moss\n', 'Sub/C.md': '#tag\n' };

/** Every way to tell it to go. */
const ways: readonly (readonly [string, (program: StdioProcess) => void])[] = [
  ['the end of its input', (program) => program.child.stdin.end()],
  ['exit', (program) => program.send({ jsonrpc: '2.0', method: 'exit' })],
  [
    'notifications/exit',
    (program) => program.send({ jsonrpc: '2.0', method: 'notifications/exit' }),
  ],
  ['SIGTERM', (program) => program.child.kill('SIGTERM')],
  ['SIGINT', (program) => program.child.kill('SIGINT')],
];

describe.each(counted({ quick: ways.slice(-2), full: ways }))('after %s', (_way, leave) => {
  it('it ends by itself although it watches the vault', async () => {
    const program = new StdioProcess({ folder: tempFolder(files) });
    await program.initialize();
    const search = { name: 'search_notes', arguments: { query: 'moss' } };
    await program.request('tools/call', search); // The index is there, and the watcher.
    leave(program);
    expect(await program.exited).toEqual({ code: 0, signal: null });
  });

  it('what runs is finished and answered, and nothing is left behind', async () => {
    const folder = tempFolder(files);
    const program = new StdioProcess({ folder });
    await program.initialize();
    // In one piece, so that all of them have been read when the first is answered.
    const requests = Array.from({ length: 30 }, (_, n) => ({
      jsonrpc: '2.0',
      id: n,
      method: 'tools/call',
      params: { name: 'append_note', arguments: { name: 'A', text: `line ${n}` } },
    }));
    program.write(requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
    await program.find((message) => typeof message.id === 'number');
    leave(program);
    expect(await program.exited).toEqual({ code: 0, signal: null });
    const answered = program.messages.filter((message) => typeof message.id === 'number');
    expect(answered.filter(({ result }) => result?.['isError'] !== true)).toHaveLength(30);
    const text = readFileSync(join(folder, 'A.md'), 'utf8');
    expect(requests.filter((_, n) => !text.split('\n').includes(`line ${n}`))).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['A.md', 'B.md', 'Sub']);
  });
});

it('a client that is gone ends it quietly', async () => {
  const program = new StdioProcess({ folder: tempFolder(files) });
  await program.initialize();
  program.child.stdout.destroy();
  program.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.stderr).not.toMatch(/EPIPE|\bat .*:\d+:\d+/);
});

it.skipIf(isQuick)('a client that does not read the log does not keep it', async () => {
  const program = new StdioProcess({ folder: tempFolder(files), args: ['--log-level', 'debug'] });
  await program.initialize();
  program.child.stderr.pause();
  // More log than a pipe holds.
  for (let round = 0; round < 8; round++) {
    await Promise.all(Array.from({ length: 500 }, () => program.request('tools/list')));
  }
  program.child.stdin.end();
  const ended = new Promise((resolve) => program.child.on('exit', resolve));
  expect(await ended).toBe(0);
  program.child.stderr.resume();
});

it('what it wrote can be undone by the next process: no lock is left', async () => {
  const folder = tempFolder(files);
  const env = stdioEnv({ folder });
  const program = new StdioProcess({ folder, env });
  await program.initialize();
  await program.request('tools/call', {
    name: 'append_note',
    arguments: { name: 'A', text: 'two' },
  });
  await program.end();
  expect(await runCli(['undo', '--yes'], env)).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, 'A.md'), 'utf8')).toBe('one\n');
});

it.skipIf(process.platform === 'win32')('no orphan stays when its parent is killed', async () => {
  const folder = tempFolder(files);
  const source = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ${JSON.stringify([bundle, 'stdio'])}, {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdout.once('data', () => console.log(child.pid));
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":' +
      '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\\n');
  `;
  const parent = spawn(process.execPath, ['-e', source], {
    env: stdioEnv({ folder }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => {
    parent.kill('SIGKILL');
  });
  const pid = await new Promise<number>((resolve) => {
    createInterface({ input: parent.stdout }).once('line', (line) => resolve(Number(line)));
  });
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  expect(isRunning(pid)).toBe(true);
  parent.kill('SIGKILL');
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 20_000, interval: 50 });
});

/** Whether a process still runs; one that is dead and not yet buried does not. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !(existsSync(stat) && /\) Z /.test(readFileSync(stat, 'utf8')));
}
