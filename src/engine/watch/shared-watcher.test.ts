import { expect, test } from 'vitest';
import { vaultPath } from '../../base/vault-path.ts';
import type { WatchReport } from '../ports/ports.ts';
import { SharedWatcher } from './shared-watcher.ts';

const report: WatchReport = { paths: [vaultPath('a.md')], folders: [], reconcile: false };

/** A watcher whose first starts fail, so many of them. */
function openShared(failures = 0) {
  let starts = 0;
  let flushes = 0;
  let tell: (report: WatchReport) => void = () => undefined;
  const shared = new SharedWatcher({
    start: async (listener) => {
      starts += 1;
      if (starts <= failures) throw new Error('not yet');
      tell = listener;
    },
    flush: async () => {
      flushes += 1;
    },
    close: async () => undefined,
  });
  return { shared, counts: () => ({ starts, flushes }), tell: () => tell(report) };
}

test('all who listen are told, whoever came first, until they end it', async () => {
  const { shared, counts, tell } = openShared();
  const told: string[] = [];
  const [stop] = await Promise.all([
    shared.listen(() => told.push('first')),
    shared.listen(() => told.push('second')),
  ]);
  tell();
  stop();
  stop();
  tell();
  expect(told).toEqual(['first', 'second', 'second']);
  expect(counts().starts).toBe(1);
});

test('a start that failed is tried again by the next, and who failed is not told', async () => {
  const { shared, counts, tell } = openShared(1);
  const told: string[] = [];
  await expect(shared.listen(() => told.push('first'))).rejects.toThrow('not yet');
  await shared.listen(() => told.push('second'));
  tell();
  expect(told).toEqual(['second']);
  expect(counts().starts).toBe(2);
});

test('what nobody listens to need not be flushed', async () => {
  const { shared, counts } = openShared();
  await shared.flush();
  expect(counts().flushes).toBe(0);
  await shared.listen(() => undefined);
  await shared.flush();
  expect(counts().flushes).toBe(1);
});
