import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allScopes } from '../../src/base/caller.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import { listBaseViews, queryBase } from '../../src/engine/operations/query/query-base.ts';
import type { BoundVault } from '../../src/engine/vault/bound-vault.ts';
import { type IndexedVault, indexFolder } from '../support/indexed-vault.ts';
import { unpackVault } from '../support/unpack-vaults.ts';

// The real bases of the shared vaults, from the index. Rows that depend on the clock were counted
// at the date that the sheet gives.

const nowMs = new Date(2025, 5, 15, 12).getTime();

async function open(name: string): Promise<IndexedVault> {
  return indexFolder(await unpackVault(name), { parts: { clock: { nowMs: () => nowMs } } });
}

function bind({ vault }: IndexedVault): BoundVault {
  const { signal } = new AbortController();
  return vault.bind({ door: 'cli', scopes: allScopes, signal, deadlineMs: 60_000 });
}

/** Every view of every base: how many rows, and the codes and places of its errors. */
async function allViews(vault: BoundVault) {
  const view = vault.view();
  const request = { folder: '' as never, kinds: ['base'] as const, sort: 'path' as const };
  const page = { limit: 1_000, offset: 0 };
  const { items } = await vault.ask('names', (store) => store.files(view, { ...request, ...page }));
  const found: { base: string; view: string; rows: number; errors: string[] }[] = [];
  for (const { path } of items) {
    const { views } = await listBaseViews(vault, { base: { path } });
    for (const { name } of views) {
      const { total, errors } = await queryBase(vault, { base: { path }, view: name, ...page });
      const codes = errors.map(({ at, code }) => `${at}: ${code}`);
      found.push({ base: path, view: name, rows: total, errors: codes });
    }
  }
  return found;
}

describe('kepano', () => {
  let opened: IndexedVault;
  beforeAll(async () => {
    opened = await open('kepano');
  });
  afterAll(() => opened.close());

  it('all views of its bases evaluate without an error', async () => {
    const views = await allViews(bind(opened));
    expect(views.filter(({ errors }) => errors.length > 0)).toEqual([]);
    expect(views.length).toBe(75);
    expect(views.reduce((sum, { rows }) => sum + rows, 0)).toBe(192);
    expect(views.filter(({ rows }) => rows > 0).length).toBe(34);
  });

  it.each([
    ['Categories/Albums.md', 'Albums.base', undefined, 1],
    ['Categories/Movies.md', 'Movies.base', 'Favorites', 1],
    ['Categories/Clippings.md', 'Clippings.base', undefined, 5],
    ['Categories/People.md', 'People.base', undefined, 3],
  ])('embedded in %s, %s has its rows', async (self, base, view, rows) => {
    const asked = { base, self: { path: vaultPath(self) }, limit: 100, offset: 0 };
    const answer = await queryBase(bind(opened), {
      ...asked,
      ...(view === undefined ? {} : { view }),
    });
    expect([answer.total, answer.errors]).toEqual([rows, []]);
  });
});

it('tasks-demo: its bases show errors in the three cells that they are made for', async () => {
  const opened = await open('tasks-demo');
  try {
    const views = await allViews(bind(opened));
    expect(views.length).toBe(3);
    expect(views.reduce((sum, { rows }) => sum + rows, 0)).toBe(20);
    expect(
      views
        .flatMap(({ errors }) => errors)
        .every((each) => /^formula\..*: unknown_function$/.test(each)),
    ).toBe(true);
  } finally {
    await opened.close();
  }
});
