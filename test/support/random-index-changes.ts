import fc from 'fast-check';
import { toJson } from '../../src/base/json.ts';
import type { VaultFolder } from '../../src/base/vault-path.ts';
import { isInside, vaultPath } from '../../src/base/vault-path.ts';
import type { IndexStore } from '../../src/engine/ports/index-store.ts';
import type { FileEntry, NoteRecord, TextRecord } from '../../src/engine/ports/records.ts';
import { entry, note, text } from './index-records.ts';
import { packNotes, packTexts } from './pack-records.ts';

// Random changes of a small vault in which names collide, as a keeper would bring them to a store.

const names = ['A.md', 'a.md', 'B.md', 'x/A.md', 'x/y/b.md', 'X/a.md', 'x/pic.png', 'pic.png.md'];
const written = [
  'A',
  'a',
  'B.md',
  'x/A',
  './A',
  '../a',
  '/x/A',
  'pic.png',
  'y/b',
  '',
  ' ',
  'x/',
  '?',
];

/** A file in one of its states. What is in it follows from that, as it does on a disk. */
export interface Held {
  readonly path: string;
  readonly revision: number;
  readonly present: boolean;
}

export const vaultOf = fc.uniqueArray(
  fc.record({
    path: fc.constantFrom(...names),
    revision: fc.integer({ min: 1, max: 3 }),
    present: fc.integer({ min: 0, max: 9 }).map((luck) => luck > 0),
  }),
  { selector: (file) => file.path, maxLength: names.length },
);

/** Which links each file has in each state, drawn once for a whole run. */
export const contents = fc.dictionary(
  fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 3 })).map(String),
  fc.array(fc.constantFrom(...written), { maxLength: 5 }),
  { maxKeys: 24 },
);

export const step = fc.record({
  kind: fc.constantFrom('look', 'walk', 'notes', 'racy notes', 'texts', 'forget'),
  files: vaultOf,
  folder: fc.constantFrom('', 'x', 'x/y'),
});
export type Step = {
  readonly kind: string;
  readonly files: readonly Held[];
  readonly folder: string;
};

/** What is in the files of a vault. */
export class Vault {
  readonly #contents: Readonly<Record<string, readonly string[]>>;

  constructor(drawn: Readonly<Record<string, readonly string[]>>) {
    this.#contents = drawn;
  }

  entryOf({ path, revision, present }: Held): FileEntry {
    return entry(path, revision, { present, stamp: `${path} ${revision} ${present}` });
  }

  noteOf(file: Held, racy = false): NoteRecord {
    const { path, ...stat } = this.entryOf(file);
    // A racy read may have seen something else under the same stamp.
    const links = racy ? ['A', '?'] : (this.#contents[`${path},${file.revision}`] ?? []);
    const names = links.filter((link) => link.length === 1);
    return note(path, links, {
      stat,
      tags: names.map((tag) => [tag, 1]),
      aliases: links.slice(0, 2),
      properties: names.slice(0, 2).map((name) => [name, 'text']),
      detail: { tasks: links.map((link, line) => [link === 'A' ? ' ' : (link[0] ?? 'x'), line]) },
      problems: names.slice(0, 1).map((name) => ({ code: name, message: name })),
      ...(racy ? { racy } : {}),
    });
  }

  textOf(file: Held): TextRecord {
    const { path, stamp } = this.entryOf(file);
    const body = this.noteOf(file).linked.join(' word ');
    return { ...text(path, body), stamp };
  }
}

const isNote = ({ path, present }: Held) => present && path.endsWith('.md');

/** Takes one step with a store. */
export async function take(
  store: IndexStore,
  vault: Vault,
  taken: Step,
  walk: number,
): Promise<void> {
  const folder = taken.folder as VaultFolder;
  const inside = taken.files.filter(({ path }) => isInside(path, folder));
  const notes = taken.files.filter(isNote);
  switch (taken.kind) {
    case 'look':
      await store.seen(walk, toJson(taken.files.map((file) => vault.entryOf(file))));
      break;
    case 'walk':
      await store.seen(walk, toJson(inside.map((file) => vault.entryOf(file))));
      await store.endWalk(walk, folder);
      break;
    case 'texts':
      await store.putTexts(packTexts(notes.map((file) => vault.textOf(file))));
      break;
    case 'forget':
      await store.forget(taken.files.slice(0, 2).map(({ path }) => vaultPath(path)));
      if (folder !== '') await store.forget([folder]);
      break;
    default:
      await store.putNotes(
        packNotes(notes.map((file) => vault.noteOf(file, taken.kind === 'racy notes'))),
      );
  }
}

/** Brings a store to the state of a vault the way a keeper does. */
export async function settle(
  store: IndexStore,
  vault: Vault,
  files: readonly Held[],
  walk: number,
) {
  const asked = await store.seen(walk, toJson(files.map((file) => vault.entryOf(file))));
  await store.endWalk(walk, '');
  const byPath = new Map(files.map((file) => [file.path, file]));
  const pick = (paths: readonly string[]) => paths.flatMap((path) => byPath.get(path) ?? []);
  await store.putNotes(packNotes(pick(asked).map((file) => vault.noteOf(file))));
  const lacking = await store.lackingText(100);
  await store.putTexts(packTexts(pick(lacking).map((file) => vault.textOf(file))));
}
