import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entry, fill, note, paths } from '../../../test/support/index-records.ts';
import { packNotes } from '../../../test/support/pack-records.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { toJson } from '../../base/json.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { IndexStore } from '../../engine/ports/index-store.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { openSqliteIndex } from './sqlite-index-store.ts';

let folder: string;
let store: IndexStore;
let other: IndexStore;

/** Enough files for several blocks; every tenth has an alias. */
const many = Array.from({ length: 1_500 }, (_, at) => `m/${String(at).padStart(4, '0')} note.md`);
const aliasOf = (path: string): string => `also ${path.slice(2, 6)}`;

beforeEach(async () => {
  folder = tempFolder();
  const file = join(folder, 'index.db');
  store = await openSqliteIndex({ file });
  await fill(store, {
    notes: many.map((path, at) =>
      note(path, [], at % 10 === 0 ? { aliases: [aliasOf(path)] } : {}),
    ),
  });
  await store.lackingText(1);
  other = await openSqliteIndex({ file });
});

afterEach(async () => {
  await store.close();
  await other.close();
});

/** What a store says about names, however it remembers them. */
async function namesIn(asked: IndexStore): Promise<unknown> {
  const page = { limit: 3_000, offset: 0 };
  return {
    paths: await asked.pathsFrom(wholeVault, '', 3_000),
    named: await asked.named(wholeVault, { ...page, query: 'note', match: 'partial' }),
    aliased: await asked.named(wholeVault, { ...page, query: 'also', match: 'partial' }),
    exact: await asked.named(wholeVault, { ...page, query: 'also 0500', match: 'exact' }),
    close: await asked.closest(wholeVault, 'alsi 1490', 4),
  };
}

/** Two stores that have been asked before, and one that has not, agree. */
async function expectAgreement(): Promise<void> {
  const fresh = await openSqliteIndex({ file: join(folder, 'index.db') });
  const expected = await namesIn(fresh);
  await fresh.close();
  expect(await namesIn(store)).toEqual(expected);
  expect(await namesIn(other)).toEqual(expected);
}

describe('names that are held in memory follow what is stored', () => {
  it('when there are several blocks of them', async () => {
    await expectAgreement();
    const { total, items } = await store.pathsFrom(wholeVault, 'M/00', 3_000);
    expect([total, items]).toEqual([100, many.slice(0, 100)]);
  });

  it('when another process adds files before, between and after all others', async () => {
    await expectAgreement();
    const added = ['a/0000 note.md', 'm/0700 note again.md', 'z.md'];
    await other.seen(2, toJson(added.map((path) => entry(path))));
    await expectAgreement();
    const { items } = await store.pathsFrom(wholeVault, '', 1);
    expect(items).toEqual(['a/0000 note.md']);
  });

  it('when all files of the first block go, and one comes back', async () => {
    await expectAgreement();
    await store.forget(paths(...many.slice(0, 600)));
    await expectAgreement();
    await store.seen(2, toJson([entry(many[3] ?? '')]));
    await expectAgreement();
    expect((await other.pathsFrom(wholeVault, '', 1)).items).toEqual([many[3]]);
  });

  it('when all files go', async () => {
    await expectAgreement();
    await store.forget([vaultPath('m')]);
    await expectAgreement();
    await store.seen(2, toJson([entry('m/0001 note.md')]));
    await expectAgreement();
    expect((await other.pathsFrom(wholeVault, '', 1)).total).toBe(1);
  });

  it('when a note gets other aliases, in more changes than are remembered', async () => {
    await expectAgreement();
    for (let revision = 2; revision < 5; revision++) {
      const notes = many.map((path) =>
        note(path, [], { revision, aliases: [`also ${revision}`, aliasOf(path)] }),
      );
      await other.putNotes(packNotes(notes));
    }
    await expectAgreement();
    await other.putNotes(packNotes([note(many[0] ?? '', [], { revision: 11, aliases: [] })]));
    await expectAgreement();
  });
});
