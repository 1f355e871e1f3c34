import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../../../../test/support/failure-of.ts';
import { type IndexedVault, indexMemoryVault } from '../../../../test/support/indexed-vault.ts';
import { memoryDisk } from '../../../../test/support/memory-disk.ts';
import { allScopes, type Scopes } from '../../../base/caller.ts';
import { listBaseViews, queryBase } from './query-base.ts';

let opened: IndexedVault;
beforeAll(async () => {
  const disk = memoryDisk({
    'Bases/Books.base':
      'filters: rating > 0\nviews:\n  - name: All\n  - name: Here\n    filters: this.file.hasLink(file)\n',
    'Bases/Films.base': '',
    'Secret/Plans.base': '',
    'Dune.md': '---\nrating: 9\n---\n',
    'Emma.md': '---\nrating: 5\n---\n',
    'Shelf.md': [
      'To [[Emma]].\n\n![[Books.base#here]]',
      '> ```base\n> filters: rating > 8\n> views:\n>   - name: High\n> ```',
      '- ```base\n  views: [\n  ```',
      '![shown](Bases/Books.base)',
      '1. ~~~base\n   filters:\n     rating < 6\n   views:\n     - name: Low\n     - name: "1"\n   ~~~',
      '![[Nowhere.base]]',
    ].join('\n\n'),
    'Board.canvas': JSON.stringify({
      nodes: [
        { type: 'group', label: 'Here' },
        { type: 'file', file: 'Bases/Books.base', subpath: '#Here' },
        { type: 'text', text: '```base\nfilters: rating > 8\nviews:\n  - order: [file.bad]\n```' },
        { type: 'text', text: 'To [[Emma]]. ```base' },
        { type: 'file', file: 'Emma.md' },
        5,
      ],
    }),
    'Empty.canvas': '{"nodes": 3}',
    'Plain.md': '[[Books.base]]\n\n    ```base\n\n`base`\n',
  });
  opened = await indexMemoryVault(disk);
});
afterAll(() => opened.close());

function ask(base: string, view?: string, scopes: Scopes = allScopes) {
  const { signal } = new AbortController();
  const vault = opened.vault.bind({ door: 'cli', scopes, signal, deadlineMs: 5_000 });
  const page = { limit: 10, offset: 0 };
  return queryBase(vault, { base, ...(view === undefined ? {} : { view }), ...page });
}

describe('a base of a note', () => {
  it.each<readonly [view: string | undefined, base: string, found: string, paths: string[]]>([
    [undefined, 'Bases/Books.base', 'Here', ['Emma.md']],
    ['2', 'Shelf.md', 'High', ['Dune.md']],
    ['4', 'Bases/Books.base', 'All', ['Dune.md', 'Emma.md']],
    ['5', 'Shelf.md', 'Low', ['Emma.md']],
    ['1', 'Shelf.md', '1', ['Emma.md']],
    ['low', 'Shelf.md', 'Low', ['Emma.md']],
    ['All', 'Bases/Books.base', 'All', ['Dune.md', 'Emma.md']],
  ])('is named by number or view: %s', async (asked, base, view, paths) => {
    expect(await ask('Shelf', asked)).toMatchObject({ base, this: 'Shelf.md', view, paths });
  });

  it.each([
    ['3', 'invalid_input', 'Base 3 of "Shelf.md" cannot be evaluated (line 12, column 3)'],
    ['6', 'not_found', 'There is no base "Nowhere.base"'],
  ])('%s fails only when it is the one that is asked for', async (view, code, said) => {
    const error = await failureOf(ask('Shelf', view));
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(said)]);
  });

  it('that does not exist is data, with the views that do', async () => {
    const { errors } = await ask('Shelf', '7');
    expect(errors).toMatchObject([{ code: 'unknown_view' }]);
    expect(errors[0]?.message).toContain('"All", "Here", "High", "All", "Here", "Low", "1"');
  });

  it('has to be there', async () => {
    const error = await failureOf(ask('Plain'));
    expect([error.code, error.message]).toEqual([
      'invalid_input',
      '"Plain.md" is no base, and has no `base` or `dataview` block. Name a .base file.',
    ]);
  });

  it.each<readonly [view: string | undefined, base: string, found: string, paths: string[]]>([
    [undefined, 'Bases/Books.base', 'Here', ['Emma.md']],
    ['2', 'Board.canvas', 'Table', ['Dune.md']],
    ['all', 'Bases/Books.base', 'All', ['Dune.md', 'Emma.md']],
  ])('may be on a card of a canvas, which it is about: %s', async (asked, base, view, paths) => {
    const answer = await ask('Board.canvas', asked);
    expect(answer).toMatchObject({ base, this: 'Board.canvas', view, paths });
    const places = answer.errors.map(({ at, line, column }) => [at, line, column]);
    expect(places).toEqual(view === 'Table' ? [['file.bad', 4, 13]] : []);
  });

  it('has to be on the canvas that is named', async () => {
    expect((await failureOf(ask('Empty.canvas'))).code).toBe('invalid_input');
  });

  it('is listed with its views, an embedded one with the view that is shown', async () => {
    const { signal } = new AbortController();
    const vault = opened.vault.bind({ door: 'cli', scopes: allScopes, signal, deadlineMs: 5_000 });
    const { views } = await listBaseViews(vault, { base: 'Bases/Books.base' });
    expect(views.map(({ name }) => name)).toEqual(['All', 'Here']);
    // One that cannot be read does not hide the others.
    expect((await listBaseViews(vault, { base: 'Shelf' })).views.length).toBeGreaterThan(0);
  });
});

describe('a base that is not there', () => {
  const hidden: Scopes = { ...allScopes, hide: ['Secret'] };
  it.each([
    ['Bookz', 'There is no base "Bookz" in the vault. Closest: "Bases/Books.base".'],
    [
      'Books/Films.base',
      'There is no base "Books/Films.base" in the vault. Closest: "Bases/Films.base".',
    ],
    [
      'Zzz',
      'There is no base "Zzz" in the vault. The vault has "Bases/Books.base", "Bases/Films.base".',
    ],
    [
      'Plans',
      'There is no base "Plans" in the vault. The vault has "Bases/Books.base", "Bases/Films.base".',
    ],
    ['Nope.md', 'There is no note "Nope.md" in the vault.'],
  ])('%s', async (name, said) => {
    const error = await failureOf(ask(name, undefined, hidden));
    expect([error.code, error.message]).toEqual(['not_found', expect.stringContaining(said)]);
  });
});
