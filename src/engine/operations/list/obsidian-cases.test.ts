import { afterAll, beforeAll, expect, it } from 'vitest';
import { type IndexedVault, indexMemoryVault } from '../../../../test/support/indexed-vault.ts';
import { memoryDisk } from '../../../../test/support/memory-disk.ts';
import { allScopes } from '../../../base/caller.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { listUnresolved } from './list-graph.ts';
import { listLinks } from './list-links.ts';
import { listTagged, listTags } from './list-tags.ts';

// Cases of Obsidian's behaviour that only a whole vault can show.

const page = { limit: 50, offset: 0 };
let opened: IndexedVault;

beforeAll(async () => {
  opened = await indexMemoryVault(
    memoryDisk({
      'A.md': '#Tag [[N#missing]] [[N#^none]] [[Gone#h]]',
      'B.md': '#TAG #tag #work',
      'C.md': '#work/x',
      'D.md': '#myjob/work',
      'N.md': '# Here',
    }),
  );
});
afterAll(() => opened.close());

function bound(): BoundVault {
  const { signal } = new AbortController();
  return opened.vault.bind({ door: 'cli', scopes: allScopes, signal, deadlineMs: 5_000 });
}

it('L54: a heading or block that is missing does not unresolve the link to its file', async () => {
  const { links } = await listLinks(bound(), { name: 'A' });
  expect(links.map(({ target }) => target)).toEqual(['N.md', 'N.md', undefined]);
  expect((await listUnresolved(bound(), page)).items.map(({ link }) => link)).toEqual(['Gone']);
});

it('T22: one tag in several spellings is one tag, shown as first seen', async () => {
  expect((await listTags(bound())).filter(({ tag }) => /^#tag$/i.test(tag))).toEqual([
    { tag: '#Tag', files: 2, count: 3 },
  ]);
});

it('T23: a tag is found with those nested under it, not where it is nested itself', async () => {
  const { items } = await listTagged(bound(), { tag: '#work', ...page });
  expect(items.map(({ path }) => path)).toEqual(['B.md', 'C.md']);
});
