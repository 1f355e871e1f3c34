import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allScopes } from '../../src/base/caller.ts';
import { limits } from '../../src/base/limits.ts';
import { searchNotes } from '../../src/engine/operations/search/search-notes.ts';
import { operatorPlaces } from '../../src/engine/search/query-tokens.ts';
import { type IndexedVault, indexFolder } from '../support/indexed-vault.ts';

const text = readFileSync(new URL('../../docs/search.md', import.meta.url), 'utf8');
const example = fileURLToPath(new URL('../../examples/vault', import.meta.url));

/** The rows of all tables that say what a query finds. */
const examples = Array.from(
  text.matchAll(/^\| query \| finds \|\n\|---\|---\|\n((?:\|.*\n)+)/gm),
  ([, rows = '']) => rows.trimEnd().split('\n'),
)
  .flat()
  .map((row): [string, string[]] => {
    const [query = '', ...titles] = Array.from(row.matchAll(/`([^`]+)`/g), ([, cell = '']) => cell);
    return [query, titles];
  });

let opened: IndexedVault;
beforeAll(async () => {
  opened = await indexFolder(example);
});
afterAll(() => opened.close());

it.each(examples)('%s finds what the page says', async (query, titles) => {
  const { signal } = new AbortController();
  const vault = opened.vault.bind({ door: 'cli', scopes: allScopes, signal, deadlineMs: 30_000 });
  const { hits } = await searchNotes(vault, { query, folder: '', limit: 50, offset: 0 });
  expect(hits.map(({ title }) => title).sort()).toEqual(titles.sort());
});

it('every operator is on the page', () => {
  expect(Object.keys(operatorPlaces).filter((name) => !text.includes(`\`${name}:\``))).toEqual([]);
  expect(examples.length).toBeGreaterThan(20);
});

it.each([
  `at most ${limits.queryCharsMax.toLocaleString('en')} characters`,
  `at most ${limits.queryDepthMax} deep`,
  `up to ${limits.textMatchMs / 1_000} seconds`,
])('knows the limit: %s', (words) => {
  expect(text).toContain(words);
});
