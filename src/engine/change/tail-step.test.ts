import { describe, expect, it } from 'vitest';
import { type MemoryDisk, memoryDisk } from '../../../test/support/memory-disk.ts';
import { memoryState } from '../../../test/support/memory-state.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { nodeHash } from '../../node/system/node-ports.ts';
import type { TailStep } from '../ports/state-store.ts';
import { recoverChanges } from './recover-changes.ts';
import { carryOutTail } from './tail-step.ts';

const log = vaultPath('log.md');
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What another process had begun when it died, and what someone else did since. */
async function recovered(
  what: TailStep['do'],
  before: string,
  meanwhile: (disk: MemoryDisk) => void,
): Promise<readonly [text: string | undefined, outcome: string, kept: readonly string[]]> {
  const disk = memoryDisk({ 'log.md': before });
  const { inode = '' } = (await disk.readEnd(log, { from: 0, bytesMax: 0 })) ?? {};
  const end = bytes('more\n');
  const tail = nodeHash.version(end);
  const step: TailStep = { do: what, path: log, inode, length: 4, bytes: end.length, tail };
  const { state } = (await memoryState()).open();
  const change = { door: 'remote', tool: 'fs.append', args: {}, timeMs: 1, steps: [step] } as const;
  await state.begin(change, 'single', [{ version: tail, bytes: end }]);
  meanwhile(disk);
  const [done] = await recoverChanges({ disk, state });
  expect(await state.unfinished()).toEqual([]);
  const text = disk.paths().length === 0 ? undefined : disk.text('log.md');
  const { items } = await state.changes({}, { limit: 9, offset: 0 });
  expect(items.map(({ kept }) => kept)).toEqual(done?.outcome === 'finished' ? [done.kept] : []);
  return [text, done?.outcome ?? '', done?.kept ?? []];
}

describe('an append whose process died', () => {
  it.each<[string, (disk: MemoryDisk) => void, string | undefined, string, string[]]>([
    ['before it wrote', () => {}, 'old\n', 'undone', []],
    ['after it wrote', (d) => d.write('log.md', 'old\nmore\n'), 'old\nmore\n', 'finished', []],
    ['half-way', (d) => d.write('log.md', 'old\nmo'), 'old\n', 'undone', []],
    ['with a hole', (d) => d.write('log.md', 'old\nm\0\0e\0'), 'old\n', 'undone', []],
    ['with zeros', (d) => d.write('log.md', 'old\n\0\0'), 'old\n', 'undone', []],
    [
      'and someone wrote after the whole of it',
      (d) => d.write('log.md', 'old\nmore\nothers'),
      'old\nmore\nothers',
      'finished',
      [],
    ],
    [
      'half-way, and someone wrote after that',
      (d) => d.write('log.md', 'old\nmoothers'),
      'old\nmoothers',
      'finished',
      ['log.md'],
    ],
    [
      'and someone else wrote there',
      (d) => d.write('log.md', 'old\nhis'),
      'old\nhis',
      'finished',
      ['log.md'],
    ],
    ['and someone cut the file', (d) => d.write('log.md', 'o'), 'o', 'finished', ['log.md']],
    [
      'and another file took its place',
      (d) => d.replace('log.md', 'old\nmo'),
      'old\nmo',
      'finished',
      ['log.md'],
    ],
    [
      'and an editor saved it with the addition',
      (d) => d.replace('log.md', 'old\nmore\nsaved'),
      'old\nmore\nsaved',
      'finished',
      [],
    ],
    ['and the file is gone', (d) => d.erase('log.md'), undefined, 'finished', ['log.md']],
  ])('%s', async (_, meanwhile, text, outcome, kept) => {
    expect(await recovered('append', 'old\n', meanwhile)).toEqual([text, outcome, kept]);
  });
});

describe('a cut whose process died', () => {
  it.each<[string, (disk: MemoryDisk) => void, string, string, string[]]>([
    ['before it cut', () => {}, 'old\nmore\n', 'undone', []],
    ['after it cut', (d) => d.write('log.md', 'old\n'), 'old\n', 'finished', []],
    [
      'and someone wrote after the end',
      (d) => d.write('log.md', 'old\nmore\nothers'),
      'old\nmore\nothers',
      'finished',
      ['log.md'],
    ],
    [
      'and someone wrote after the cut',
      (d) => d.write('log.md', 'old\nhis'),
      'old\nhis',
      'finished',
      ['log.md'],
    ],
    [
      'and another file took its place',
      (d) => d.replace('log.md', 'old\n'),
      'old\n',
      'finished',
      ['log.md'],
    ],
  ])('%s', async (_, meanwhile, text, outcome, kept) => {
    expect(await recovered('cut', 'old\nmore\n', meanwhile)).toEqual([text, outcome, kept]);
  });
});

it('does not cut an end that was written over', async () => {
  const disk = memoryDisk({ 'log.md': 'old\nmore\n' });
  const { inode = '' } = (await disk.readEnd(log, { from: 0, bytesMax: 0 })) ?? {};
  const end = bytes('more\n');
  const tail = nodeHash.version(end);
  disk.write('log.md', 'old\nMORE\n');
  const step: TailStep = { do: 'cut', path: log, inode, length: 4, bytes: end.length, tail };
  const cutting = carryOutTail(disk, step, [{ version: tail, bytes: end }]);
  await expect(cutting).rejects.toMatchObject({ code: 'conflict' });
  expect(disk.text('log.md')).toBe('old\nMORE\n');
});
