import { expect, it } from 'vitest';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import { relatedNotes } from './related-notes.ts';

const files = {
  'Rye.md': '---\ntags: [baking]\n---\nSee [[Oven]]. The levain needs levain.\n',
  'Spelt.md': '---\ntags: [baking]\n---\nSee [[Oven]].\n',
  'Levain.md': 'Levain, levain.\n',
  'Oven.md': 'Hot.\n',
  'Menu.md': '[[Rye]] and [[Porridge]]\n',
  'Porridge.md': 'Oats.\n',
  'Alone.md': 'Nothing in common.\n',
  'Secret/Hidden.md': '---\ntags: [baking]\n---\n[[Oven]] [[Rye]] levain\n',
  '日記.md': '今日は発酵の話。\n',
  'パン.md': 'パンと発酵。\n',
};

it('finds notes by shared links, tags and rare words, closest first, and says why', async () => {
  const { vault, close } = await openWrittenVault(files);
  const { notes } = await relatedNotes(vault, { name: 'Rye', limit: 10 });
  expect(notes[0]?.path).toBe('Secret/Hidden.md');
  expect(notes.map(({ path }) => path).toSorted()).toEqual([
    'Levain.md',
    'Menu.md',
    'Oven.md',
    'Porridge.md',
    'Secret/Hidden.md',
    'Spelt.md',
  ]);
  const why = Object.fromEntries(notes.map(({ path, common }) => [path, common]));
  expect(why['Spelt.md']).toEqual([
    { by: 'target', what: 'Oven.md' },
    { by: 'tag', what: 'baking' },
  ]);
  expect(why['Levain.md']).toEqual([{ by: 'word', what: 'levain' }]);
  expect(why['Porridge.md']).toEqual([{ by: 'source', what: 'Menu.md' }]);
  const chinese = await relatedNotes(vault, { name: '日記', limit: 3 });
  expect(chinese.notes.map(({ path }) => path)).toEqual(['パン.md']);
  expect((await relatedNotes(vault, { name: 'Alone', limit: 3 })).notes).toEqual([]);
  await close();
});

it('neither names nor counts what the caller may not see', async () => {
  const { as, close } = await openWrittenVault({
    ...files,
    'Secret/List.md': '[[Rye]] [[Alone]]\n',
  });
  const scoped = as({ scopes: { ...allScopes, hide: ['Secret/**'] } });
  const { notes } = await relatedNotes(scoped, { name: 'Rye', limit: 10 });
  expect(JSON.stringify(notes)).not.toMatch(/Secret|Alone/);
  expect(notes[0]?.path).toBe('Spelt.md');
  await close();
});
