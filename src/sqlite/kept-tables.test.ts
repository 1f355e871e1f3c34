import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  contents,
  settle,
  step,
  take,
  Vault,
  vaultOf,
} from '../../test/support/random-index-changes.ts';
import type { IndexStore } from '../engine/index-store.ts';
import { packNotes } from '../engine/note-batch.ts';
import { unresolvedName } from '../engine/resolve-link.ts';
import type { View } from '../engine/view.ts';
import { wholeVault } from '../engine/view.ts';
import { tags } from './fact-queries.ts';
import { orphans, unresolved } from './link-queries.ts';
import { LinkTargets } from './link-targets.ts';
import { openIndexDatabase } from './open-index-database.ts';
import { openSqliteIndex } from './sqlite-index-store.ts';
import { tasks } from './task-queries.ts';
import { note } from './testing/index-records.ts';
import { Walks } from './walks.ts';
import type { Writer } from './write-files.ts';
import { putNotes } from './write-notes.ts';

/** Admits every path, but not by what can be told beforehand: everything is counted for it. */
const counted: View = { folders: [''], hide: ['no file is called so'], exclude: [] };

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
    todo: await store.tasks(view, { ...part, status: 'todo' }),
    done: await store.tasks(view, { ...whole, status: 'done' }),
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
  };
}

async function expectKept(store: IndexStore): Promise<void> {
  expect(await answersOf(store, wholeVault)).toEqual(await answersOf(store, counted));
  const { items } = await store.deadEnds(counted, { limit: 1_000, offset: 0 });
  expect(items).toEqual(await deadEndsOf(store));
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

it('answers for the whole vault what counting answers, after any changes by two processes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-kept-'));
  let run = 0;
  try {
    await fc.assert(
      fc.asyncProperty(
        contents,
        vaultOf,
        fc.array(fc.record({ step, by: fc.constantFrom(0, 1), ask: fc.boolean() }), {
          maxLength: 8,
        }),
        async (drawn, first, steps) => {
          const vault = new Vault(drawn);
          const file = join(folder, `${run++}.db`);
          const stores = [await openSqliteIndex({ file }), await openSqliteIndex({ file })];
          try {
            await settle(stores[0] as IndexStore, vault, first, 0);
            await expectKept(stores[0] as IndexStore);
            for (const [at, { step: taken, by, ask }] of steps.entries()) {
              await take(stores[by] as IndexStore, vault, taken, at + 1);
              if (ask) await expectKept(stores[1 - by] as IndexStore);
            }
            await expectKept(stores[0] as IndexStore);
          } finally {
            for (const store of stores) await store.close();
          }
        },
      ),
      { numRuns: 40 },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);

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
  connection.wantLateIndexes();
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
