import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileNameOf, type VaultPath } from '../../src/base/vault-path.ts';
import { undoChanges } from '../../src/engine/operations/history/undo-changes.ts';
import { moveFile } from '../../src/engine/operations/move/move-file.ts';
import { fileKind } from '../../src/engine/ports/file-kind.ts';
import { wholeVault } from '../../src/engine/ports/view.ts';
import { factsOf } from '../../src/engine/text/scan-file.ts';
import type { Link } from '../../src/markdown/facts/facts.ts';
import { applyEdits } from '../../src/markdown/text/text-edit.ts';
import { counted, soakTime } from '../support/counts.ts';
import { memoryDisk } from '../support/memory-disk.ts';
import { unpackVault } from '../support/unpack-vaults.ts';
import { type MemoryVault, openWrittenVault } from '../support/written-vault.ts';

// Every note of three public vaults is renamed and comes back, on a disk in memory. Of the largest
// one only every sixth, unless SOAK asks for all.

const graphEvery = 100;

describe.each([
  { name: 'tasks-demo', every: 1 },
  { name: 'astrowiki', every: 1 },
  { name: 'knowledge-garden-zh', every: counted({ quick: 12, full: 6, soak: 1 }) },
])('$name', ({ name, every }) => {
  it('comes back whole from a rename of its notes', { timeout: soakTime(900_000) }, async () => {
    const vault = await openVaultOf(name);
    const notes = vault.disk
      .paths()
      .filter((path) => fileKind(path) === 'note')
      .filter((_, index) => index % every === 0);
    const start = bytesOf(vault);
    const graph = await graphOf(vault, vault.disk.paths());
    for (const [index, note] of notes.entries()) {
      if (note.startsWith('.') || note.includes('/.')) continue;
      const whole = index % graphEvery === 0;
      const to = otherPath(note, index);
      await renameAndUndo(vault, { note, to, graph, start, whole });
      await thereAndBack(vault, { note, to, start });
      if (whole) expect(bytesOf(vault)).toEqual(start);
    }
    expect(bytesOf(vault)).toEqual(start);
    expect(await vault.indexFaults()).toEqual([]);
    await vault.close();
  });
});

async function openVaultOf(name: string): Promise<MemoryVault> {
  const folder = await unpackVault(name);
  const disk = memoryDisk();
  for (const path of filesOf(folder)) disk.write(path, readFileSync(join(folder, path)));
  return openWrittenVault(disk);
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Another name in the same folder, or the same name in another folder, in turns. */
function otherPath(note: string, index: number): string {
  if (index % 2 === 1) return `Elsewhere ${index}/${fileNameOf(note)}`;
  return `${note.slice(0, -fileNameOf(note).length)}Renamed ${index}.md`;
}

interface Trip {
  readonly note: VaultPath;
  readonly to: string;
  readonly start: ReadonlyMap<string, string>;
}

async function renameAndUndo(
  vault: MemoryVault,
  {
    note,
    to,
    start,
    graph,
    whole,
  }: Trip & { readonly graph: ReadonlyMap<string, readonly string[]>; readonly whole: boolean },
): Promise<void> {
  const { files } = await vault.change(moveFile, { name: note, to });
  const looked = whole ? vault.disk.paths() : files.map(({ path }) => path);
  const after = await graphOf(vault, looked);
  for (const [source, targets] of after) {
    const before = graph.get(source === to ? note : source) ?? [];
    const expected = before.map((target) => (target === note ? to : target));
    expect(targets, `links of ${source} after ${note} became ${to}`).toEqual(expected);
  }
  await vault.change(undoChanges, { last: 1 });
  expectBack(vault, start, [note, ...files.map(({ path }) => path)]);
}

/** Two round trips: the first may only put links into the usual form, the second changes nothing. */
async function thereAndBack(vault: MemoryVault, { note, to, start }: Trip): Promise<void> {
  const touched = new Set<string>([note]);
  const trip = async (): Promise<void> => {
    const there = await vault.change(moveFile, { name: note, to });
    const back = await vault.change(moveFile, { name: to, to: note });
    for (const { path } of [...there.files, ...back.files]) touched.add(path);
  };
  await trip();
  touched.delete(to);
  const once = new Map(Array.from(touched, (path) => [path, vault.text(path)]));
  for (const [path, text] of once) {
    const before = start.get(path) ?? '';
    if (text !== before) expectOnlyPathsDiffer(path, before, text);
  }
  await trip();
  for (const [path, text] of once) expect(vault.text(path), `${path}, second trip`).toBe(text);
  await vault.change(undoChanges, { last: 4 });
  expectBack(vault, start, Array.from(touched));
}

function expectOnlyPathsDiffer(path: string, before: string, after: string): void {
  const blank = (text: string): string => {
    const facts = factsOf(fileKind(path), text);
    const links: readonly Link[] = [...facts.propertyLinks, ...facts.links];
    return applyEdits(
      text,
      links.map(({ pathRange }) => ({ range: pathRange, text: '' })),
    );
  };
  expect(blank(after), path).toBe(blank(before));
}

function expectBack(
  vault: MemoryVault,
  start: ReadonlyMap<string, string>,
  paths: readonly string[],
): void {
  for (const path of paths) {
    const text = start.get(path);
    if (text !== undefined) expect(vault.text(path), path).toBe(text);
    else expect(vault.disk.paths(), path).not.toContain(path);
  }
}

/** Where the links of files lead, in their order. */
async function graphOf(
  vault: MemoryVault,
  paths: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const store = await vault.keeper.store();
  const graph = new Map<string, readonly string[]>();
  for (const path of paths) {
    const links = await store.linksFrom(wholeVault, path as VaultPath);
    graph.set(
      path,
      links.map(({ target }) => target ?? ''),
    );
  }
  return graph;
}

function bytesOf(vault: MemoryVault): Map<string, string> {
  return new Map(vault.disk.paths().map((path) => [path, vault.text(path)]));
}
