import { expect, test } from 'vitest';
import { VaultError } from '../../src/base/vault-error.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import { failingDisk } from './failing-disk.ts';
import { memoryDisk } from './memory-disk.ts';

const a = vaultPath('a.md');
const bytes = new TextEncoder().encode('new');

/** Replaces a file in four calls; answers how each of them ended. */
async function replace(disk: ReturnType<typeof failingDisk>): Promise<string[]> {
  const calls = [
    () => disk.kind(a),
    () => disk.stage(a, 't', bytes),
    () => disk.syncStaged(a, 't'),
    () => disk.place(a, 't', { replace: true }),
  ];
  const outcomes: string[] = [];
  for (const call of calls) {
    const code = (error: unknown) => (error instanceof VaultError ? error.code : 'bug');
    outcomes.push(await call().then(() => 'ok', code));
  }
  return outcomes;
}

test.each([
  [1, 'EIO', 'before', ['io_failed', 'ok', 'ok', 'ok'], 'new'],
  [2, 'ENOSPC', 'before', ['ok', 'io_failed', 'not_found', 'not_found'], 'old'],
  [2, 'ENOSPC', 'after', ['ok', 'io_failed', 'ok', 'ok'], 'new'],
  [4, 'EACCES', 'before', ['ok', 'ok', 'ok', 'forbidden'], 'old'],
  [4, 'EACCES', 'after', ['ok', 'ok', 'ok', 'forbidden'], 'new'],
  [5, 'EIO', 'before', ['ok', 'ok', 'ok', 'ok'], 'new'],
] as const)('call %i fails with %s %s its effect', async (failAt, errno, when, outcomes, text) => {
  const memory = memoryDisk({ 'a.md': 'old' });
  const disk = failingDisk(memory, { failAt, errno, when });
  expect(await replace(disk)).toEqual(outcomes);
  expect(memory.text('a.md')).toBe(text);
  expect(disk.calls).toBe(4);
  const methods = ['kind', 'stage', 'syncStaged', 'place'];
  expect(disk.failed?.method).toBe(methods[failAt - 1]);
});

test('a disk may stay broken', async () => {
  const disk = failingDisk(memoryDisk({ 'a.md': 'old' }), {
    failAt: 2,
    errno: 'EROFS',
    when: 'before',
    times: Number.POSITIVE_INFINITY,
  });
  expect(await replace(disk)).toEqual(['ok', 'forbidden', 'forbidden', 'forbidden']);
});
