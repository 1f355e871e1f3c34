import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toJson } from '../base/json.ts';
import type { VaultFolder } from '../base/vault-path.ts';
import { fileNameOf, foldName, isInside, vaultPath } from '../base/vault-path.ts';
import type { IndexStore } from '../engine/index-store.ts';
import { packNotes } from '../engine/note-batch.ts';
import type { FileEntry, NoteRecord, TextRecord } from '../engine/records.ts';
import { resolveLink } from '../engine/resolve-link.ts';
import { packTexts } from '../engine/text-batch.ts';
import { wholeVault } from '../engine/view.ts';
import { openSqliteIndex } from './sqlite-index-store.ts';
import { dumpOf, entry, note, text } from './testing/index-records.ts';

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
const everything = { limit: 1_000, offset: 0 };

/** A file in one of its states. What is in it follows from that, as it does on a disk. */
interface Held {
  readonly path: string;
  readonly revision: number;
  readonly present: boolean;
}

const vaultOf = fc.uniqueArray(
  fc.record({
    path: fc.constantFrom(...names),
    revision: fc.integer({ min: 1, max: 3 }),
    present: fc.integer({ min: 0, max: 9 }).map((luck) => luck > 0),
  }),
  { selector: (file) => file.path, maxLength: names.length },
);

/** Which links each file has in each state, drawn once for a whole run. */
const contents = fc.dictionary(
  fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 3 })).map(String),
  fc.array(fc.constantFrom(...written), { maxLength: 5 }),
  { maxKeys: 24 },
);

const step = fc.record({
  kind: fc.constantFrom('look', 'walk', 'notes', 'racy notes', 'texts', 'forget'),
  files: vaultOf,
  folder: fc.constantFrom('', 'x', 'x/y'),
});
type Step = { readonly kind: string; readonly files: readonly Held[]; readonly folder: string };

class Vault {
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

async function take(store: IndexStore, vault: Vault, taken: Step, walk: number): Promise<void> {
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
async function settle(store: IndexStore, vault: Vault, files: readonly Held[], walk: number) {
  const asked = await store.seen(walk, toJson(files.map((file) => vault.entryOf(file))));
  await store.endWalk(walk, '');
  const byPath = new Map(files.map((file) => [file.path, file]));
  const pick = (paths: readonly string[]) => paths.flatMap((path) => byPath.get(path) ?? []);
  await store.putNotes(packNotes(pick(asked).map((file) => vault.noteOf(file))));
  const lacking = await store.lackingText(100);
  await store.putTexts(packTexts(pick(lacking).map((file) => vault.textOf(file))));
}

/** Every link leads where the pure resolver says, from the names that are there now. */
async function expectLinksResolved(store: IndexStore): Promise<void> {
  const request = { ...everything, folder: '' as const, sort: 'path' as const };
  const kinds = ['note', 'canvas', 'base', 'attachment'] as const;
  const { items: files } = await store.files(wholeVault, { ...request, kinds });
  const byName = (name: string) => files.filter((file) => foldName(fileNameOf(file.path)) === name);
  const found: string[] = [];
  const missing: string[] = [];
  for (const { path: source } of files) {
    for (const link of await store.linksFrom(wholeVault, source)) {
      expect(link.target).toBe(resolveLink({ path: link.path, source }, byName)?.path);
      if (link.target === undefined) missing.push(link.path);
      else found.push(`${source} > ${link.target}`);
    }
  }
  const backwards: string[] = [];
  for (const { path } of files) {
    const { items, total } = await store.linksTo(wholeVault, path, everything);
    expect(items.length).toBe(total);
    for (const { source } of items) backwards.push(`${source} > ${path}`);
  }
  expect(backwards.sort()).toEqual(found.sort());
  const { items } = await store.unresolved(wholeVault, everything);
  expect(items.reduce((sum, { count }) => sum + count, 0)).toBe(missing.length);
}

it('holds the same after any sequence of changes as when built from scratch', async () => {
  await fc.assert(
    fc.asyncProperty(
      contents,
      fc.array(step, { maxLength: 12 }),
      vaultOf,
      async (drawn, steps, last) => {
        const vault = new Vault(drawn);
        const kept = await openSqliteIndex({ file: ':memory:' });
        const fresh = await openSqliteIndex({ file: ':memory:' });
        try {
          for (const [at, taken] of steps.entries()) {
            await take(kept, vault, taken, at);
            await expectLinksResolved(kept);
          }
          await settle(kept, vault, last, steps.length);
          await settle(fresh, vault, last, 0);
          expect(await dumpOf(kept)).toEqual(await dumpOf(fresh));
        } finally {
          await kept.close();
          await fresh.close();
        }
      },
    ),
    { numRuns: 150 },
  );
});

it('holds something else for another vault', async () => {
  const vault = new Vault({ 'A.md,1': ['B'], 'A.md,2': ['a'] });
  const file = { path: 'A.md', revision: 1, present: true };
  const dumps = await Promise.all(
    [file, { ...file, revision: 2 }, { ...file, path: 'B.md' }].map(async (held) => {
      const store = await openSqliteIndex({ file: ':memory:' });
      await settle(store, vault, [held], 0);
      const lines = await dumpOf(store);
      await store.close();
      return lines.join('\n');
    }),
  );
  expect(new Set(dumps).size).toBe(3);
});
