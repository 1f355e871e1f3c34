import { expect, onTestFinished, test } from 'vitest';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { bundleWorker } from '../../../test/watcher/bundle-worker.ts';
import { limits } from '../../base/limits.ts';
import type { ReadJson } from '../../base/read-json.ts';
import { ThreadReader } from './thread-reader.ts';

const entryFile = bundleWorker(
  import.meta.dirname,
  `
  import { workerData } from 'node:worker_threads';
  import { readJson } from '../../base/read-json.ts';
  import { runWorker } from './run-worker.ts';
  const read = (bytes) => (bytes[0] === 0 ? process.exit(3) : readJson(bytes));
  runWorker(workerData, { openReader: async () => read });
`,
);

function open() {
  const timers = manualTimers();
  const reader = new ThreadReader<ReadJson>({ entryFile, format: 'json', timers });
  onTestFinished(() => reader.close());
  return { reader, timers };
}

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

test('reads messages in a thread, and the bytes are handed over', async () => {
  const { reader } = open();
  const value = { text: 'ä'.repeat(1_000_000), list: [1, null, { ['__proto__']: '\ud800' }] };
  const bytes = bytesOf(value);
  const [first, second] = await Promise.all([reader.read(bytes), reader.read(bytesOf('b'))]);
  expect(first).toEqual({ kind: 'value', value });
  expect(second).toEqual({ kind: 'value', value: 'b' });
  expect(bytes).toHaveLength(0);
});

test('refuses what would take long to hand back', async () => {
  const { reader } = open();
  const deep = new TextEncoder().encode('['.repeat(4_000_000) + ']'.repeat(4_000_000));
  expect(await reader.read(deep)).toMatchObject({ kind: 'excess' });
});

test('a thread that dies fails what it reads, and the next message gets another one', async () => {
  const { reader } = open();
  await expect(reader.read(Uint8Array.of(0))).rejects.toMatchObject({ code: 'unavailable' });
  expect(await reader.read(bytesOf(1))).toEqual({ kind: 'value', value: 1 });
});

test('the thread ends when it was idle for long, and starts again', async () => {
  const { reader, timers } = open();
  await reader.read(bytesOf(1));
  timers.advance(limits.jsonThreadIdleMs);
  expect(await reader.read(bytesOf(2))).toEqual({ kind: 'value', value: 2 });
});

test('reads nothing once it is closed', async () => {
  const { reader } = open();
  await reader.close();
  await expect(reader.read(bytesOf(1))).rejects.toMatchObject({ code: 'cancelled' });
});
