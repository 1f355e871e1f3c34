import { describe, expect, it } from 'vitest';
import * as q from '../../../test/support/search-queries.ts';
import type { SearchedNote } from '../../../test/support/searched-vault.ts';
import { searchedVault } from '../../../test/support/searched-vault.ts';
import { vaultFolder } from '../../base/vault-path.ts';
import type { SearchPage } from '../../engine/ports/index-store.ts';
import type { Query } from '../../engine/ports/search-query.ts';
import type { View } from '../../engine/ports/view.ts';
import { wholeVault } from '../../engine/ports/view.ts';

// Whoever sees a folder is answered as if there were nothing else: what is found, in which order,
// and which words were taken for those of the query.

type Notes = Readonly<Record<string, SearchedNote>>;

const views: readonly (readonly [name: string, view: View])[] = [
  ['a folder', { ...wholeVault, within: vaultFolder('In') }],
  ['what is not hidden', { ...wholeVault, hide: ['out/**'] }],
  ['what is not excluded', { ...wholeVault, exclude: ['Out/'] }],
];

async function searched(notes: Notes, query: Query, view: View): Promise<SearchPage> {
  const store = await searchedVault(notes);
  const page = await store.search(view, query, { limit: 100, offset: 0 });
  await store.close();
  return page;
}

/** Many notes outside of the folder, each with these words. */
function outside(...words: readonly string[]): Notes {
  return Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`Out/${at}.md`, words.join(' ')]),
  );
}

const filler = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [`In/Filler ${at}.md`, 'lorem ipsum dolor sit amet']),
);

const german = 'und der die das nicht ist ein eine mit auch von zu den im wird werden oder aber';

const rows: readonly [name: string, query: Query, inside: Notes, around: Notes][] = [
  [
    'how rare words are, where nothing has all of them',
    q.words('alpha beta gamma9'),
    { 'In/a.md': 'alpha', 'In/b.md': 'beta', 'In/c.md': 'alpha' },
    outside('beta', 'else'),
  ],
  [
    'which words tell nothing',
    q.words('alpha beta gamma9'),
    { 'In/a.md': 'alpha', 'In/b.md': 'beta' },
    {
      ...outside('alpha', 'alpha'),
      ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`Out/more ${at}.md`, 'alpha'])),
    },
  ],
  [
    'words that are spelled more nearly so',
    q.words('elephantine'),
    { 'In/a.md': 'elephentina' },
    outside('elephantina'),
  ],
  [
    'which corrections are the most frequent',
    q.words('hxuse'),
    { 'In/a.md': 'house house', 'In/b.md': 'hause', 'In/c.md': 'hause' },
    outside('house'),
  ],
  [
    'other forms of a word',
    q.words('walk'),
    { 'In/a.md': 'walked', 'In/b.md': 'walking' },
    outside('walks', 'walkers', 'walker', "walk's", 'walkings', 'walkingly', 'walkedly', 'walkly'),
  ],
  [
    'which language others write in',
    q.words('häuser garten'),
    { 'In/a.md': 'haus garten', 'In/b.md': 'garten hauses' },
    outside(german),
  ],
  [
    'how rare words are, where all have all of them',
    q.words('alpha beta'),
    { 'In/a.md': 'alpha alpha alpha beta', 'In/b.md': 'alpha beta beta beta' },
    outside('beta', 'lorem', 'ipsum', 'dolor', 'sit'),
  ],
];

describe.each(views)('what lies outside of a view of %s does not change', (_, view) => {
  it.each(rows)('%s', async (__, query, inside, around) => {
    const alone = await searched({ ...filler, ...inside }, query, view);
    const within = await searched({ ...filler, ...inside, ...around }, query, view);
    const pathsOf = ({ items }: SearchPage) => items.map(({ path }) => path);
    expect(pathsOf(within)).toEqual(pathsOf(alone));
    expect({ ...within, items: [] }).toEqual({ ...alone, items: [] });
  });
});
