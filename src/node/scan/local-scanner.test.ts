import { describe, expect, test } from 'vitest';
import { memoryDisk, memoryScanner } from '../../../test/support/memory-disk.ts';
import { unpackNotes, unpackTexts } from '../../../test/support/pack-records.ts';
import { fromJson } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { ScanBatch, Scanner, ScanWant, WalkBatch } from '../../engine/ports/ports.ts';

async function scan(
  scanner: Scanner,
  paths: readonly VaultPath[],
  want: readonly ScanWant[] = ['facts'],
) {
  const batches: ScanBatch[] = [];
  await scanner.scan(paths, want, async (batch) => {
    batches.push(batch);
  });
  return {
    batches,
    counts: batches.map(({ count }) => count),
    notes: batches.flatMap(({ notes }) => (notes === undefined ? [] : unpackNotes(notes))),
    texts: batches.flatMap(({ texts }) => (texts === undefined ? [] : unpackTexts(texts))),
    failed: batches.flatMap(({ failed }) => failed),
  };
}

/** A disk with this many small notes. */
function manyNotes(count: number) {
  const disk = memoryDisk();
  for (let i = 0; i < count; i++) disk.write(`${i}.md`, `# ${i}`);
  return { disk, scanner: memoryScanner(disk), paths: disk.paths() };
}

/** A gate that lets nobody pass until it is opened. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Gives everything that can go on the chance to do so. */
async function settle() {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
}

describe('walking', () => {
  test('visible files come in batches, with their stats', async () => {
    const disk = memoryDisk({
      'b/c.md': 'c',
      'a.md': 'a',
      '.obsidian/app.json': '{}',
      'x/.y/z.md': '',
    });
    const batches: WalkBatch[] = [];
    const summary = await memoryScanner(disk).walk('', async (batch) => {
      batches.push(batch);
    });
    const entries = batches.flatMap((batch) => fromJson(batch.entries));
    expect(entries.map(({ path }) => path)).toEqual(['a.md', 'b/c.md']);
    const { path, ...stat } = entries[0] ?? {};
    expect(stat).toEqual(await disk.stat(path as VaultPath));
    expect(summary).toEqual({ folders: 3, unreachable: [], refused: [] });
    expect(batches.map(({ count }) => count)).toEqual([2]);
  });
});

describe('batches', () => {
  test('a batch has a bounded number of notes, in the order asked for', async () => {
    const { scanner, paths } = manyNotes(limits.batchNotesMax * 2 + 10);
    const { counts, notes } = await scan(scanner, paths);
    expect(counts).toEqual([limits.batchNotesMax, limits.batchNotesMax, 10]);
    expect(notes.map(({ path }) => path)).toEqual(paths);
  });

  test('a batch has a bounded number of bytes, except for one large note', async () => {
    const half = limits.batchBytesMax / 2;
    const sizes = [half, half, half, 1, half, limits.batchBytesMax + 1, 1];
    const disk = memoryDisk();
    const paths = sizes.map((size, i) => {
      disk.write(`${i}.md`, new Uint8Array(size).fill(97));
      return vaultPath(`${i}.md`);
    });
    expect((await scan(memoryScanner(disk), paths)).counts).toEqual([2, 2, 1, 1, 1]);
  });

  test('a batch holds what is wanted and nothing else', async () => {
    const { scanner, paths } = manyNotes(2);
    const shape = async (want: readonly ScanWant[]) => {
      const { notes, texts, batches } = await scan(scanner, paths, want);
      return [
        notes.length,
        texts.length,
        'notes' in (batches[0] ?? {}),
        'texts' in (batches[0] ?? {}),
      ];
    };
    expect(await shape(['facts'])).toEqual([2, 0, true, false]);
    expect(await shape(['text'])).toEqual([0, 2, false, true]);
    expect(await shape(['facts', 'text'])).toEqual([2, 2, true, true]);
  });

  test('a file that is gone is counted and named, and stops nothing', async () => {
    const { scanner, paths } = manyNotes(2);
    const gone = vaultPath('gone.md');
    const { counts, notes, failed } = await scan(scanner, [gone, ...paths]);
    expect(counts).toEqual([3]);
    expect(notes).toHaveLength(2);
    expect(failed).toEqual([{ path: gone, reason: '"gone.md" does not exist.' }]);
  });

  test('what is not here or too large is known by name, and never read', async () => {
    const disk = memoryDisk();
    disk.write('far.md', '# Heading', { present: false });
    disk.write('large.md', new Uint8Array(limits.noteBytesMax + 1).fill(35));
    disk.write('near.md', '# Heading');
    const { notes, texts } = await scan(memoryScanner(disk), disk.paths(), ['facts', 'text']);
    expect(notes.map(({ path, detail }) => [path, fromJson(detail).headings.length])).toEqual([
      ['far.md', 0],
      ['large.md', 0],
      ['near.md', 1],
    ]);
    expect(texts.map(({ path, body }) => [path, body])).toEqual([
      ['far.md', ''],
      ['large.md', ''],
      ['near.md', '# heading'],
    ]);
    expect(disk.calls.scanned).toBe(1);
  });

  test('only a note that was read right after it was written is racy', async () => {
    const racy = memoryDisk({ 'a.md': 'a' }, { stepMs: 1 });
    const calm = memoryDisk({ 'a.md': 'a' });
    const isRacy = async (disk: typeof racy) =>
      (await scan(memoryScanner(disk), disk.paths())).notes[0]?.racy;
    expect(await isRacy(racy)).toBe(true);
    expect(await isRacy(calm)).toBeUndefined();
  });
});

describe('order and pressure', () => {
  test('the scanner waits when two batches are not taken', async () => {
    const { disk, scanner, paths } = manyNotes(limits.batchNotesMax * 6);
    const { opened, open } = gate();
    let taken = 0;
    const scanning = scanner.scan(paths, ['facts'], async () => {
      taken += 1;
      await opened;
    });
    await settle();
    expect(taken).toBe(1);
    // Two are sent, and the third is ready.
    expect(disk.calls.scanned).toBe(limits.batchNotesMax * 3);
    open();
    await scanning;
    expect(taken).toBe(6);
  });

  test('a listener that fails ends the scan with its error, and the next scan works', async () => {
    const { scanner, paths } = manyNotes(limits.batchNotesMax * 3);
    const mine = new Error('index is full');
    let taken = 0;
    const failing = scanner.scan(paths, ['facts'], async () => {
      taken += 1;
      throw mine;
    });
    await expect(failing).rejects.toBe(mine);
    expect(taken).toBe(1);
    expect((await scan(scanner, paths)).notes).toHaveLength(paths.length);
  });

  test('long scans run one after another, and a short one does not wait for them', async () => {
    const { scanner, paths } = manyNotes(limits.batchNotesMax + 10);
    const { opened, open } = gate();
    const order: string[] = [];
    const long = (name: string, wait: Promise<void>) =>
      scanner.scan(paths, ['facts'], async () => {
        await wait;
        order.push(name);
      });
    const first = long('first', opened);
    const second = long('second', Promise.resolve());
    await scan(scanner, paths.slice(0, 3));
    await settle();
    order.push('short');
    open();
    await Promise.all([first, second]);
    expect(order).toEqual(['short', 'first', 'first', 'second', 'second']);
  });

  test('a long scan that is hurried hands over the batch that it has begun', async () => {
    const { disk, scanner } = manyNotes(0);
    // Each takes longer than a turn to parse, so that the scan looks whether it is hurried.
    for (let i = 0; i < 70; i++) disk.write(`${i}.md`, '[[a]] '.repeat(20_000));
    await scanner.hurry();
    const { counts } = await scan(scanner, disk.paths());
    expect(counts[0]).toBeLessThan(30);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(70);
  });

  test('no batch is told after closing', async () => {
    const { scanner, paths } = manyNotes(limits.batchNotesMax * 2 + 10);
    let taken = 0;
    const scanning = scanner.scan(paths, ['facts'], async () => {
      taken += 1;
      await scanner.close();
    });
    await expect(scanning).rejects.toMatchObject({ code: 'cancelled' });
    expect(taken).toBe(1);
  });
});
