import { expect, it } from 'vitest';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { ChangeStep, StoredChange } from '../../engine/ports/state-store.ts';
import { nodeHash } from '../../node/system/node-ports.ts';
import { areFilesSettled } from './settled-files.ts';

const [a, b] = [vaultPath('a.md'), vaultPath('b.md')];
const version = (text: string) => nodeHash.version(new TextEncoder().encode(text));
const write = (path: typeof a, text: string): ChangeStep => ({
  do: 'write',
  path,
  after: version(text),
  token: 't',
});

/** Whether a disk with these files is as these changes say, the newest first. */
function settled(files: Readonly<Record<string, string>>, ...changes: readonly ChangeStep[][]) {
  const items = changes.map((steps) => ({ steps, kept: [] }) as unknown as StoredChange);
  return areFilesSettled({
    disk: memoryDisk(files),
    state: { changes: async () => ({ total: items.length, items }) },
    clock: { nowMs: () => 0 },
  });
}

it.each([
  ['nothing was changed', true, settled({ 'a.md': 'x' })],
  ['a note is as it was written', true, settled({ 'a.md': 'x' }, [write(a, 'x')])],
  ['a note is still the one before', false, settled({ 'a.md': 'old' }, [write(a, 'x')])],
  ['a new note is not there', false, settled({}, [write(a, 'x')])],
  ['a deleted note is there', false, settled({ 'a.md': 'x' }, [{ do: 'delete', path: a }])],
  ['it was written again', true, settled({ 'a.md': 'y' }, [write(a, 'y')], [write(a, 'x')])],
  [
    'a note was moved',
    true,
    settled({ 'b.md': 'x' }, [{ do: 'move', path: a, to: b, version: version('x') }]),
  ],
  [
    'a moved note is where it was',
    false,
    settled({ 'a.md': 'x' }, [{ do: 'move', path: a, to: b, version: version('x') }]),
  ],
])('%s', async (_, expected, answer) => {
  expect(await answer).toBe(expected);
});
