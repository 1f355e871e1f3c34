import { expect, it } from 'vitest';
import { allScopes } from '../../src/base/caller.ts';
import { listBaseViews, queryBase } from '../../src/engine/operations/query/query-base.ts';
import type { BoundVault } from '../../src/engine/vault/bound-vault.ts';
import { type IndexedVault, indexFolder } from '../support/indexed-vault.ts';
import { unpackVault } from '../support/unpack-vaults.ts';
import { countBases } from './count-bases.mjs';

// The real bases of the shared vaults, from the index, beside `count-bases.mjs`, which shares no code
// with Vaultdoor. Rows that depend on the clock were counted at the date that the sheet gives.

const nowMs = new Date(2025, 5, 15, 12).getTime();

function bind({ vault }: IndexedVault): BoundVault {
  const { signal } = new AbortController();
  return vault.bind({ door: 'cli', scopes: allScopes, signal, deadlineMs: 60_000 });
}

/** Rows by their files, in the order of names; only how many where a view's limit chooses. */
type Rows = readonly string[] | string;

/**
 * Every view of every base by itself, and every one that is embedded in a note, with its rows; and
 * the errors of all of them. The names are those of `countBases`.
 */
async function allViews(vault: BoundVault) {
  const views: Record<string, Rows> = {};
  const errors: string[] = [];
  const ask = async (name: string, request: Parameters<typeof queryBase>[1]) => {
    const answer = await queryBase(vault, request);
    const { total, matching, paths } = answer;
    views[name] = matching === undefined ? Array.from(paths).sort() : `${total} of ${matching}`;
    for (const { at, code } of answer.errors) errors.push(`${name}: ${at} ${code}`);
    return answer;
  };
  const page = { limit: 1_000, offset: 0 };
  for (const path of await filesOf(vault, 'base')) {
    for (const { name } of (await listBaseViews(vault, { base: { path } })).views) {
      await ask(`${path}#${name}`, { base: { path }, view: name, ...page });
    }
  }
  for (const note of await filesOf(vault, 'note')) {
    const { text } = await vault.readText(note, { shown: false });
    for (const [, target = '', view] of text.matchAll(/!\[\[([^\]|#]+\.base)(?:#([^\]|]+))?/g)) {
      const base = (await queryBase(vault, { base: target, ...page })).base;
      const named = view ?? (await listBaseViews(vault, { base: target })).views[0]?.name ?? '';
      const self = { path: note };
      await ask(`${base}#${named} <- ${note}`, { base: target, view: named, self, ...page });
    }
  }
  return { views, errors };
}

async function filesOf(vault: BoundVault, kind: 'base' | 'note') {
  const request = { folder: '' as never, kinds: [kind], sort: 'path' as const };
  const page = { limit: 10_000, offset: 0 };
  const view = vault.view();
  const { items } = await vault.ask('names', (store) => store.files(view, { ...request, ...page }));
  return items.map(({ path }) => path);
}

/** What is pinned: a line for each view, with the names of its rows. */
function pinned(views: Readonly<Record<string, Rows>>): string {
  const lines = Object.entries(views).map(([name, rows]) => {
    const all = typeof rows === 'string' ? rows : rows.length > 20 ? rows.length : rows.join(', ');
    return `${name}: ${all}\n`;
  });
  return lines.sort().join('');
}

it.each([
  { name: 'kepano', bases: 75, embeds: 61, rows: [192, 63], errors: [] },
  {
    name: 'tasks-demo',
    bases: 3,
    embeds: 0,
    rows: [20, 0],
    // Their formula is meant to show an error where a property is a text.
    errors: ['Aliases', 'CssClasses', 'Tags'].map((each) => expect.stringContaining(each)),
  },
])('$name: every view has the rows that an independent count finds', async (vault) => {
  const folder = await unpackVault(vault.name);
  const opened = await indexFolder(folder, { parts: { clock: { nowMs: () => nowMs } } });
  try {
    const { views, errors } = await allViews(bind(opened));
    expect(views).toEqual(countBases(folder));
    const names = Object.keys(views);
    const [bases, embeds] = [false, true].map((is) =>
      names.filter((n) => n.includes(' <- ') === is),
    );
    expect([bases?.length, embeds?.length]).toEqual([vault.bases, vault.embeds]);
    const count = (all: readonly string[] = []) =>
      all.reduce((sum, each) => {
        const rows = views[each] ?? [];
        return sum + (typeof rows === 'string' ? Number.parseInt(rows, 10) : rows.length);
      }, 0);
    expect([count(bases), count(embeds)]).toEqual(vault.rows);
    expect(errors.sort()).toEqual(vault.errors);
    await expect(pinned(views)).toMatchFileSnapshot(`pinned/${vault.name}.txt`);
  } finally {
    await opened.close();
  }
});
