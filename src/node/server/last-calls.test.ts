import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits } from '../../base/limits.ts';
import { LastCalls } from './last-calls.ts';

function open(file = join(tempFolder({}), 'state', 'last-calls.json')) {
  const timers = manualTimers();
  const calls = new LastCalls({ file, alone: (_, work) => work(), timers });
  return { calls, timers, file };
}

it('remembers the last call of each token at once, and writes it within a minute', async () => {
  const { calls, timers, file } = open();
  calls.add('t1', { timeMs: 1, client: 'a/1' });
  calls.add('t1', { timeMs: 2, client: 'b/1' });
  expect(await calls.all()).toEqual(new Map([['t1', { timeMs: 2, client: 'b/1' }]]));
  expect(() => readFileSync(file)).toThrow();
  timers.advance(limits.lastCallsMs);
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('b/1');
});

it('keeps what other servers have written, and the later of two calls', async () => {
  const { calls, file } = open();
  const other = open(file).calls;
  other.add('t1', { timeMs: 9 });
  other.add('t2', { timeMs: 3 });
  await other.close();
  calls.add('t1', { timeMs: 5 });
  calls.add('t3', { timeMs: 4 });
  await calls.close();
  expect(await open(file).calls.all()).toEqual(
    new Map([
      ['t2', { timeMs: 3 }],
      ['t3', { timeMs: 4 }],
      ['t1', { timeMs: 9 }],
    ]),
  );
});

it.each(['', '[', '[]', 'null', '{"t1":{"timeMs":"x"}}'])('is empty for %j', async (text) => {
  const file = join(tempFolder({}), 'last-calls.json');
  writeFileSync(file, text);
  expect(await open(file).calls.all()).toEqual(new Map());
});
