import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { limits } from '../../base/limits.ts';
import type { Shell } from '../shell/shell.ts';
import { surroundingsOf } from './attach-protocol.ts';
import { doCommand } from './do-command.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A server without vaults that does a command; `said` has what it tells the command's process. */
function begin(signal: AbortSignal) {
  const [here, there] = duplexPair();
  const said: string[] = [];
  there.on('data', (bytes: Buffer) => said.push(bytes.toString()));
  const surroundings = surroundingsOf({});
  const done = doCommand(here as Socket, {
    shell: { env: {}, signal, version: '0', entryFile: '' } as Shell,
    vaults: [],
    surroundings,
    allowRoots: [],
    logger: { log: () => undefined } as never,
  });
  const ask = (argv: readonly string[]): void => {
    const terminal = { stdin: false, stdout: false, stderr: false };
    const asked = { argv, currentFolder: '/', env: {}, terminal, surroundings };
    there.write(`${JSON.stringify(asked)}\n`);
  };
  return { done, ask, said };
}

it('lets a command work alone that comes while the server ends', async () => {
  const { done, ask, said } = begin(AbortSignal.abort());
  ask(['read', 'A']);
  await done;
  await vi.waitFor(() => expect(said.join('')).toBe('{"is":"alone"}\n'));
});

it('does not wait for ever for a command that is announced and does not come', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { done } = begin(new AbortController().signal);
  let isDone = false;
  void done.then(() => {
    isDone = true;
  });
  await vi.advanceTimersByTimeAsync(limits.helloMs - 1);
  expect(isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(2);
  await done;
});
