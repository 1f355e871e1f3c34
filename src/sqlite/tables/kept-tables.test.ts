import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isQuick } from '../../../test/support/counts.ts';
import { note } from '../../../test/support/index-records.ts';
import { packNotes } from '../../../test/support/pack-records.ts';
import {
  contents,
  type Held,
  type Step,
  settle,
  step,
  take,
  Vault,
  vaultOf,
} from '../../../test/support/random-index-changes.ts';
import { tempFolder, untilFileEnds } from '../../../test/support/temp-folder.ts';
import { foldName, stemOf, vaultFolder } from '../../base/vault-path.ts';
import { unresolvedName } from '../../engine/links/resolve-link.ts';
import type { IndexStore } from '../../engine/ports/index-store.ts';
import type { View } from '../../engine/ports/view.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { openDatabase } from '../connection/open-database.ts';
import { tags } from '../index/fact-queries.ts';
import { orphans, unresolved } from '../index/link-queries.ts';
import { LinkTargets } from '../index/link-targets.ts';
import { openIndexDatabase } from '../index/open-index-database.ts';
import { openSqliteIndex } from '../index/sqlite-index-store.ts';
import { tasks } from '../index/task-queries.ts';
import { Walks } from '../index/walks.ts';
import type { Writer } from '../index/write-files.ts';
import { putNotes } from '../index/write-notes.ts';

/** All files of `random-index-changes.ts`, named one by one: for such a view, rows are counted. */
const everywhere = ['A.md', 'a.md', 'B.md', 'x', 'X', 'pic.png.md'].map(vaultFolder);
const counted: View = { folders: everywhere, hide: [], exclude: [] };

/** Views that hide some files: their answers are those of the whole vault, less these files. */
const hiding: readonly Omit<View, 'folders'>[] = [
  { hide: ['x/**'], exclude: [] },
  { hide: ['/A.md', 'nothing'], exclude: [] },
  { hide: ['B.md'], exclude: ['x/y/', '/^a/'] },
  { hide: [], exclude: ['x/'], marks: { tags: ['A'], properties: ['?=?'] } },
  { hide: ['**'], exclude: [] },
];

const whole = { limit: 1_000, offset: 0 };
const part = { limit: 2, offset: 1 };

/** The answers to all questions about the whole vault. */
async function answersOf(store: IndexStore, view: View): Promise<unknown> {
  const files = { ...whole, folder: '', kinds: ['note'] } as const;
  return {
    orphans: await store.orphans(view, whole),
    someOrphans: await store.orphans(view, part),
    deadEnds: await store.deadEnds(view, part),
    unresolved: await store.unresolved(view, whole),
    someUnresolved: await store.unresolved(view, part),
    tasks: await store.tasks(view, whole),
    someTasks: await store.tasks(view, part),
    todo: await store.tasks(view, { ...part, statuses: { chars: [' '] } }),
    done: await store.tasks(view, { ...whole, statuses: { chars: [' '], not: true } }),
    byName: await store.files(view, { ...files, sort: 'name' }),
    byTime: await store.files(view, { ...files, sort: 'modified' }),
    all: await store.files(view, {
      ...files,
      ...part,
      kinds: ['note', 'attachment'],
      sort: 'path',
    }),
    tags: await store.tags(view),
    properties: await store.properties(view),
    status: await store.status(view),
    totals: await store.totals(view, ''),
    broken: await store.broken(view, whole),
    orphansWithin: await store.orphans(view, { ...part, folder: vaultFolder('x') }),
    deadEndsWithin: await store.deadEnds(view, { ...whole, folder: vaultFolder('x') }),
  };
}

/** What is kept, and the same counted or found in another way. */
async function bothWays(store: IndexStore): Promise<readonly [unknown, unknown]> {
  const { items } = await store.deadEnds(wholeVault, whole);
  const names = await namesIn(store);
  return [
    [await answersOf(store, wholeVault), items, names.held],
    [await answersOf(store, counted), await deadEndsOf(store), names.found],
  ];
}

async function expectKept(store: IndexStore): Promise<void> {
  const [kept, expected] = await bothWays(store);
  expect(kept).toEqual(expected);
  for (const view of hiding) {
    const less = await answersOf(store, { ...view, folders: wholeVault.folders });
    expect(less).toEqual(await answersOf(store, { ...view, folders: everywhere }));
  }
}

const asked = ['A', '?', 'x/A'];

/** Which notes there are and have these names, by what is held in memory and by the tables. */
async function namesIn(store: IndexStore): Promise<{ held: unknown; found: unknown }> {
  const page = { ...whole, folder: '', sort: 'path' } as const;
  const notes = (await store.files(counted, { ...page, kinds: ['note'] })).items;
  const aliases = (await store.aliases(counted, whole)).items;
  const held: unknown[] = [await store.pathsFrom(wholeVault, '', 1_000)];
  const found: unknown[] = [{ total: notes.length, items: notes.map(({ path }) => path) }];
  for (const query of asked) {
    const { items } = await store.named(wholeVault, { ...whole, query, match: 'exact' });
    held.push(items.map(({ path }) => path).sort());
    const isCalled = (name: string): boolean => foldName(name) === foldName(query);
    const named = notes.filter(({ path }) => isCalled(stemOf(path)));
    const also = aliases.filter(({ alias }) => isCalled(alias));
    found.push(Array.from(new Set([...named, ...also].map(({ path }) => path))).sort());
  }
  return { held, found };
}

/** The notes without a link to anything but themselves, found by a look at each. */
async function deadEndsOf(store: IndexStore): Promise<readonly string[]> {
  const page = { limit: 1_000, offset: 0, folder: '', sort: 'path' } as const;
  const unread = new Set((await store.unparsed(wholeVault)).map(({ path }) => path));
  const found: string[] = [];
  for (const { path } of (await store.files(wholeVault, { ...page, kinds: ['note'] })).items) {
    const links = await store.linksFrom(wholeVault, path);
    if (!unread.has(path) && links.every(({ target }) => target === path)) found.push(path);
  }
  return found;
}

const changes = fc.record({
  drawn: contents,
  first: vaultOf,
  steps: fc.array(fc.record({ step, by: fc.constantFrom(0, 1), ask: fc.boolean() }), {
    maxLength: 8,
  }),
});
type Changes = typeof changes extends fc.Arbitrary<infer T> ? T : never;

const held = (path: string, revision: number): Held => ({ path, revision, present: true });

/** One change alone, which others would hide and which chance seldom makes. */
const alone = (drawn: Changes['drawn'], first: readonly Held[], taken: Partial<Step>): Changes => {
  const whole: Step = { kind: 'notes', files: [], folder: '', ...taken };
  return { drawn, first: [...first], steps: [{ step: whole as never, by: 0, ask: true }] };
};
const rare: readonly Changes[] = [
  alone({ 'B.md,2': ['?'] }, [held('B.md', 1)], { files: [held('B.md', 2)] }),
  alone({ 'B.md,1': ['?'] }, [held('B.md', 1)], { files: [held('B.md', 2)] }),
  alone({}, [held('A.md', 1), held('B.md', 1)], { kind: 'forget', files: [held('A.md', 1)] }),
  // A dead end is not here any more.
  alone({}, [held('B.md', 1)], { kind: 'look', files: [{ ...held('B.md', 2), present: false }] }),
  // A link that led to its own note leads to another one.
  alone({ 'x/A.md,1': ['A'] }, [held('x/A.md', 1)], { kind: 'look', files: [held('A.md', 1)] }),
];

/** Two processes on one index. */
class Pair {
  readonly file: string;
  readonly stores: readonly IndexStore[];
  #walks = 0;

  private constructor(file: string, stores: readonly IndexStore[]) {
    this.file = file;
    this.stores = stores;
  }

  static async open(folder: string, name: string): Promise<Pair> {
    const file = join(folder, `${name}.db`);
    return new Pair(file, [await openSqliteIndex({ file }), await openSqliteIndex({ file })]);
  }

  /** Begins anew with the files of `first`; what is kept goes on, as it does in a process. */
  async begin({ drawn, first }: Changes): Promise<void> {
    const store = this.stores[0] as IndexStore;
    await store.endWalk(++this.#walks, '');
    await settle(store, new Vault(drawn), first, ++this.#walks);
  }

  /** Takes all steps, and has one of the two looked at after each of which it is asked. */
  async go({ drawn, steps }: Changes, look: (store: IndexStore) => Promise<void>): Promise<void> {
    const vault = new Vault(drawn);
    for (const { step: taken, by, ask } of steps) {
      await take(this.stores[by] as IndexStore, vault, taken, ++this.#walks);
      if (ask) await look(this.stores[1 - by] as IndexStore);
    }
    await look(this.stores[0] as IndexStore);
  }

  async close(): Promise<void> {
    for (const store of this.stores) await store.close();
  }
}

describe('what is kept', () => {
  const folder = tempFolder({}, untilFileEnds());

  it('is what counting answers, after any changes by two processes', async () => {
    const pair = await Pair.open(folder, 'any');
    await fc.assert(
      fc.asyncProperty(changes, async (made) => {
        await pair.begin(made);
        await expectKept(pair.stores[0] as IndexStore);
        await pair.go(made, expectKept);
      }),
      { numRuns: isQuick ? 12 : 40, examples: rare.map((made) => [made] as [Changes]) },
    );
    await pair.close();
  });

  it('is so in an index in which nothing was kept before', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(changes, async (made) => {
        const pair = await Pair.open(folder, `new ${run++}`);
        await pair.begin(made);
        await pair.go(made, expectKept);
        await pair.close();
      }),
      { numRuns: 5 },
    );
  });

  it('is wrong without any one of the triggers: the changes above would show it', async () => {
    const samples = [...rare, ...fc.sample(changes, { numRuns: 40, seed: 1 })];
    const missed: string[] = [];
    for (const trigger of await triggersIn(folder)) {
      if (trigger === 'name_change_new') continue; // It only bounds a table.
      if (!(await isNeeded(trigger, folder, samples))) missed.push(trigger);
    }
    expect(missed).toEqual([]);
  });
});

/** All triggers, and an index in the file `names.db` that has them. */
async function triggersIn(folder: string): Promise<readonly string[]> {
  const pair = await Pair.open(folder, 'names');
  await pair.begin({ drawn: {}, first: [], steps: [] });
  await expectKept(pair.stores[0] as IndexStore);
  await pair.close();
  const database = await openDatabase(pair.file);
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name";
  const rows = database.prepare(sql).all() as { name: string }[];
  database.close();
  return rows.map(({ name }) => name);
}

/** Whether some of these changes lead to a wrong answer in an index without a trigger. */
async function isNeeded(
  trigger: string,
  folder: string,
  samples: readonly Changes[],
): Promise<boolean> {
  const file = join(folder, `without ${trigger}.db`);
  copyFileSync(join(folder, 'names.db'), file);
  const database = await openDatabase(file);
  database.exec(`DROP TRIGGER ${trigger}`);
  database.close();
  const pair = await Pair.open(folder, `without ${trigger}`);
  let isWrong = false;
  const look = async (store: IndexStore): Promise<void> => {
    const [kept, expected] = await bothWays(store);
    isWrong ||= !isDeepStrictEqual(kept, expected);
  };
  try {
    for (const made of samples) {
      await pair.begin(made);
      await look(pair.stores[0] as IndexStore);
      await pair.go({ ...made, steps: made.steps.map((one) => ({ ...one, ask: false })) }, look);
      if (isWrong) return true;
    }
    return false;
  } catch {
    return true; // What should have been removed stands in the way.
  } finally {
    await pair.close();
  }
}

it('takes back with a change what was kept of it', async () => {
  const connection = await openIndexDatabase(':memory:', '');
  const targets = new LinkTargets(connection);
  const writer: Writer = {
    connection,
    targets,
    walks: new Walks(),
    write: (work) => connection.write(work),
  };
  const page = { limit: 100, offset: 0 };
  const answers = () => [
    orphans(connection, wholeVault, page),
    unresolved(connection, wholeVault, page),
    tags(connection, wholeVault),
    tasks(connection, wholeVault, page),
  ];
  const kept = packNotes([note('A.md', ['B', 'Gone'], { tags: [['t', 1]] }), note('B.md')]);
  const changed = packNotes([
    note('A.md', ['C'], { revision: 2, tags: [['u', 2]], detail: { tasks: [[' ', 1]] } }),
  ]);
  putNotes(writer, kept);
  connection.tryMakeLateIndexes();
  const before = answers();
  const stopped = new Error('stopped');
  expect(() =>
    connection.write(() => {
      putNotes({ ...writer, write: (work) => work() }, changed);
      throw stopped;
    }),
  ).toThrow(stopped);
  targets.clear();
  expect(answers()).toEqual(before);
  putNotes(writer, packNotes([note('A.md', ['C'], { revision: 2 })]));
  expect(answers()).not.toEqual(before);
  connection.close();
});

it.each(['a', ' a.md ', 'A.MD', '\ufeff\u00a0x\u3000', '.md', 'x.md.md', 'dir/a.Md', '  ', 'é.md'])(
  'calls what %j leads to as the list of unresolved links does',
  async (path) => {
    const store = await openSqliteIndex({ file: ':memory:' });
    await settle(
      store,
      new Vault({ 'B.md,1': [path] }),
      [{ path: 'B.md', revision: 1, present: true }],
      0,
    );
    const { items } = await store.unresolved(wholeVault, { limit: 9, offset: 0 });
    const name = unresolvedName(path);
    expect(items.map(({ link }) => link)).toEqual(name === '' ? [] : [name]);
    await store.close();
  },
);
