import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { IndexStore } from '../engine/index-store.ts';
import type { View } from '../engine/view.ts';
import { wholeVault } from '../engine/view.ts';
import { openSqliteIndex } from './sqlite-index-store.ts';
import { contents, settle, step, take, Vault, vaultOf } from './testing/random-changes.ts';

/** Admits every path, but not by what can be told beforehand: everything is counted for it. */
const counted: View = { folders: [''], hide: ['no file is called so'], exclude: [] };

const pages = [
  { limit: 1_000, offset: 0 },
  { limit: 2, offset: 1 },
];
const kinds = ['note', 'canvas', 'base', 'attachment'] as const;

/** The answers to all questions about the whole vault. */
async function answersOf(store: IndexStore, view: View): Promise<unknown> {
  const paged = await Promise.all(
    pages.map(async (page) => ({
      orphans: await store.orphans(view, page),
      deadEnds: await store.deadEnds(view, page),
      unresolved: await store.unresolved(view, page),
      tasks: await Promise.all(
        [{}, { status: 'todo' }, { status: 'done' }, { status: 'x' }].map((status) =>
          store.tasks(view, { ...page, ...status }),
        ),
      ),
      files: await Promise.all(
        (['path', 'name', 'modified'] as const).flatMap((sort) => [
          store.files(view, { ...page, folder: '', kinds: ['note'], sort }),
          store.files(view, { ...page, folder: '', kinds, sort }),
        ]),
      ),
      named: await Promise.all(
        ['a', 'b', 'A', 'pic', 'x a', '?', 'x'].flatMap((query) => [
          store.named(view, { ...page, query, match: 'exact' }),
          store.named(view, { ...page, query, match: 'partial' }),
        ]),
      ),
    })),
  );
  return {
    paged,
    tags: await store.tags(view),
    properties: await store.properties(view),
    status: await store.status(view),
    closest: await Promise.all(
      ['aa', 'pic', 'x/y/c', 'pig.png'].map((name) => store.closest(view, name, 5)),
    ),
    begun: await Promise.all(
      ['', 'x', 'X/', 'x/a'].map((begun) => store.pathsFrom(view, begun, 3)),
    ),
  };
}

async function expectKept(store: IndexStore): Promise<void> {
  expect(await answersOf(store, wholeVault)).toEqual(await answersOf(store, counted));
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
          maxLength: 10,
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
              if (ask) for (const store of stores) await expectKept(store);
            }
            for (const store of stores) await expectKept(store);
          } finally {
            for (const store of stores) await store.close();
          }
        },
      ),
      { numRuns: 60 },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
