import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../../../../test/support/failure-of.ts';
import { type IndexedVault, indexMemoryVault } from '../../../../test/support/indexed-vault.ts';
import { type MemoryDisk, memoryDisk } from '../../../../test/support/memory-disk.ts';
import { allScopes, type Scopes } from '../../../base/caller.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { listBaseViews, queryBase } from './query-base.ts';

let disk: MemoryDisk;
let opened: IndexedVault;

const books = `filters:
  and:
    - categories.contains(link("Books"))
    - '!file.name.contains("Template")'
formulas:
  stars: if(rating > 6, "good", "bad")
properties:
  note.rating:
    displayName: Rating
views:
  - type: table
    name: All
    order: [file.name, rating, formula.stars]
    sort:
      - property: rating
        direction: DESC
  - type: cards
    name: Here
    filters: file.hasLink(this)
    image: note.cover
`;

beforeAll(async () => {
  disk = memoryDisk({
    'Books.base': books,
    'Old.base': 'filters:\n  and:\n    - not(empty(note.born))\n',
    'Broken.base': 'views: [\n',
    'Wrong.base': 'filters:\n  and:\n    - rating >\n',
    'Unknown.base': 'filters:\n  and:\n    - file.hasTag("none")\n    - nosuch(rating)\n',
    'Books.md': 'All books.',
    'Dune.md':
      '---\ncategories: ["[[Books]]"]\nrating: 9\n---\nBy [[Frank|F. H.]] #sf/desert #Best',
    'Emma.md': '---\ncategories: "[[Books]]"\nrating: 5\n---\n',
    'Plain.md': '---\ncategories: [Books]\nrating: 7\n---\n',
    'Template Book.md': '---\ncategories: ["[[Books]]"]\n---\n',
    'Frank.md': '---\nborn: 1920-10-08\n---\n',
    'Private/Secret.md': '---\ncategories: ["[[Books]]"]\nrating: 8\n---\n[[Frank]]',
    'Note.md':
      'Text\n\n```base\nviews:\n  - name: Mine\n    filters: this.file.hasLink(file)\n```\n[[Dune]]',
    'Two.md':
      '```base\nfilters: rating > 8\nviews:\n  - name: High\n```\n\n```base\nfilters: rating < 6\nviews:\n  - name: Low\n```\n',
    'Blocks.md':
      'Text [[Dune]]\n\n```dataview\nLIST FROM outgoing([[]])\n```\n> ```dataview\n> TABLE rating\n> FROM #sf\n> WHERE frob(rating)\n> ```\n\n~~~dataview\nTASK WHERE !completed\n~~~\n```dataviewjs\ndv.pages()\n```\n',
    'Both.md':
      '```dataview\nLIST FROM #sf\n```\n```base\nviews:\n  - name: Own\n    limit: 1\n```\n',
    'Script.md': '```dataviewjs\ndv.pages()\n```\n',
    'Tasks.md': '# Todo\n- [ ] one\n  - [x] two\n',
    'pic.png': 'x',
  });
  opened = await indexMemoryVault(disk);
});
afterAll(() => opened.close());

function bound(scopes: Scopes = allScopes): BoundVault {
  const { signal } = new AbortController();
  return opened.vault.bind({ door: 'cli', scopes, signal, deadlineMs: 5_000 });
}

const page = { limit: 100, offset: 0 };

describe('a base', () => {
  it('gives the rows of its first view', async () => {
    const answer = await queryBase(bound(), { base: 'Books', ...page });
    expect(answer).toMatchObject({
      base: 'Books.base',
      view: 'All',
      this: 'Books.base',
      columns: ['file.name', 'note.rating', 'formula.stars'],
      titles: ['file name', 'Rating', 'stars'],
      total: 4,
      paths: ['Dune.md', 'Private/Secret.md', 'Plain.md', 'Emma.md'],
      rows: [
        ['Dune', 9, 'good'],
        ['Secret', 8, 'good'],
        ['Plain', 7, 'good'],
        ['Emma', 5, 'bad'],
      ],
      errors: [],
    });
  });

  it('knows the note that it is shown in', async () => {
    const here = { base: 'Books', view: 'here', self: 'Frank', ...page };
    const { paths, type } = await queryBase(bound(), here);
    expect([type, paths]).toEqual(['cards', ['Dune.md', 'Private/Secret.md']]);
  });

  it('is read in pages', async () => {
    const { total, paths, rows } = await queryBase(bound(), { base: 'Books', limit: 1, offset: 1 });
    expect([total, paths, rows.length]).toEqual([4, ['Private/Secret.md'], 1]);
  });

  it('may stand in a note, which is then its `this`', async () => {
    const { paths, view } = await queryBase(bound(), { base: 'Note', ...page });
    expect([view, paths]).toEqual(['Mine', ['Dune.md']]);
  });

  it('lists its views with their settings', async () => {
    expect((await listBaseViews(bound(), { base: 'Books' })).views).toEqual([
      { name: 'All', type: 'table', settings: {} },
      { name: 'Here', type: 'cards', settings: { image: 'note.cover' } },
    ]);
  });

  it('does not show what the caller may not see', async () => {
    const hidden = { ...allScopes, hide: ['Private'] };
    const { paths } = await queryBase(bound(hidden), { base: 'Books', ...page });
    expect(paths).toEqual(['Dune.md', 'Plain.md', 'Emma.md']);
    const query = { filter: 'file.name == "Frank"', columns: ['file.backlinks'] };
    const { rows } = await queryBase(bound(hidden), { query, ...page });
    expect(rows).toEqual([[[{ $file: 'Dune.md' }]]]);
  });

  it('gives another answer once a note has changed', async () => {
    const query = { filter: 'born.year == 1920', columns: ['born'] };
    expect((await queryBase(bound(), { query, ...page })).total).toBe(1);
    disk.write('Frank.md', '---\nborn: 1921-10-08\n---\n');
    await opened.keeper.refresh([vaultPath('Frank.md')]);
    expect((await queryBase(bound(), { query, ...page })).total).toBe(0);
  });
});

describe('what is wrong with a base', () => {
  it('fails the call where it is not YAML, and says in which line', async () => {
    const error = await failureOf(queryBase(bound(), { base: 'Broken', ...page }));
    expect(error.code).toBe('invalid_input');
    expect(error.details).toMatchObject({ code: 'base_yaml', line: 2 });
  });

  it('is data where an expression cannot be read: no rows, and the place', async () => {
    const { rows, errors } = await queryBase(bound(), { base: 'Wrong', ...page });
    expect(rows).toEqual([]);
    expect(errors).toMatchObject([{ at: 'filters.and[0]', code: 'parse', line: 3, column: 15 }]);
  });

  it('is a warning where a function is old, and the function still works', async () => {
    const { paths, errors, warnings } = await queryBase(bound(), { base: 'Old', ...page });
    expect([paths, errors]).toEqual([['Frank.md'], []]);
    expect(warnings).toEqual([
      expect.objectContaining({ at: 'filters.and[0]', line: 3, column: 7 }),
      expect.objectContaining({ at: 'filters.and[0]', line: 3, column: 11 }),
    ]);
    expect(warnings?.[1]?.message).toContain('x.isEmpty()');
    expect(await queryBase(bound(), { base: 'Books', ...page })).not.toHaveProperty('warnings');
  });

  it('is reported although the index alone could say that there are no rows', async () => {
    const { rows, errors } = await queryBase(bound(), {
      query: { filter: 'nosuch(rating) && file.hasTag("none")' },
      ...page,
    });
    expect(rows).toEqual([]);
    expect(errors).toMatchObject([{ at: 'filter', code: 'unknown_function', line: 1, column: 1 }]);
  });

  it('has its place in the filter and the columns of the call, beside those of the base', async () => {
    const query = { filter: 'rating > 0 &&\n file.nosuch()', columns: ['1 + rating.lower()'] };
    const { errors } = await queryBase(bound(), { base: 'Books', query, ...page });
    expect(errors).toMatchObject([{ at: 'filter', line: 2, column: 7 }]);
    const { errors: ofColumn } = await queryBase(bound(), {
      query: { ...query, filter: 'rating' },
      ...page,
    });
    expect(ofColumn).toMatchObject([{ at: 'formula.1 + rating.lower()', line: 1, column: 12 }]);
  });

  it.each([
    ['status == open', 11],
    ['rating > 0 && file.tags.contains(open)', 34],
    ['author != link(open)', 16],
  ])('is a warning where a name may be meant as a text: %s', async (filter, column) => {
    const { warnings } = await queryBase(bound(), { query: { filter }, ...page });
    const message = expect.stringContaining('write: "open"');
    expect(warnings).toEqual([{ at: 'filter', line: 1, column, message }]);
  });

  it.each([
    'rating == Rating',
    'author == this',
    '[1].filter(value == index)',
    'open > 1',
    'file.hasLink("open")',
  ])('is no warning where the name is a property, or no text is meant: %s', async (filter) => {
    expect(await queryBase(bound(), { query: { filter }, ...page })).not.toHaveProperty('warnings');
  });

  it('is data where the view does not exist, with the names of those that do', async () => {
    const { errors } = await queryBase(bound(), { base: 'Books', view: 'Nope', ...page });
    expect(errors).toMatchObject([{ code: 'unknown_view' }]);
    expect(errors[0]?.message).toContain('"All", "Here"');
  });

  it('fails the call where it is an argument of the call', async () => {
    const query = { filter: 'rating >' };
    const error = await failureOf(queryBase(bound(), { query, ...page }));
    expect([error.code, error.message]).toEqual([
      'invalid_input',
      expect.stringContaining('at character 9'),
    ]);
  });
});

describe('a query without a base', () => {
  it.each([' && ', ' || '])('may have a thousand conditions, joined by %s', async (sign) => {
    for (const one of ['rating == 9', 'file.hasTag("sf")', 'file.ext == "md"']) {
      const filter = `(${Array.from({ length: 700 }, () => one).join(sign)}) && rating > 8`;
      const { paths } = await queryBase(bound(), { query: { filter }, ...page });
      expect(paths).toEqual(['Dune.md']);
    }
    const tags = Array.from({ length: 1_000 }, (_, at) => `"t${at}"`).join(', ');
    const query = { filter: `file.hasTag(${tags}, "sf")` };
    expect((await queryBase(bound(), { query, ...page })).paths).toEqual(['Dune.md']);
  });

  it('sorts, groups and calculates', async () => {
    const { columns, rows, groups } = await queryBase(bound(), {
      query: {
        filter: 'rating > 0',
        columns: ['file.name', 'rating * 2'],
        sort: ['rating desc'],
        group: 'rating > 6',
      },
      ...page,
    });
    expect(columns).toEqual(['file.name', 'formula.rating * 2']);
    expect(rows).toEqual([
      ['Dune', 18],
      ['Secret', 16],
      ['Plain', 14],
      ['Emma', 10],
    ]);
    expect(groups?.map(({ key, paths }) => [key, paths.length])).toEqual([
      [false, 1],
      [true, 3],
    ]);
  });

  it('takes parts of a file, and of this, as columns', async () => {
    const columns = ['file', 'file.name.length', 'this.file.name', 'file.ext'];
    const query = { filter: 'file.name == "Dune"', columns };
    const self = { path: vaultPath('Frank.md') };
    expect((await queryBase(bound(), { query, self, ...page })).rows).toEqual([
      [{ $file: 'Dune.md' }, 4, 'Frank', 'md'],
    ]);
  });

  it('has the links and tags of the text in their order', async () => {
    const query = { filter: 'file.name == "Dune"', columns: ['file.tags', 'file.links'] };
    expect((await queryBase(bound(), { query, ...page })).rows).toEqual([
      [
        ['#sf/desert', '#Best'],
        [
          { $link: 'Frank', path: 'Frank.md', display: 'F. H.' },
          { $link: 'Books', path: 'Books.md' },
        ],
      ],
    ]);
  });
});

it('each base of a note has its own filters, and all their views are listed', async () => {
  const pathsOf = async (view?: string) =>
    (await queryBase(bound(), { base: 'Two.md', ...(view ? { view } : {}), limit: 10, offset: 0 }))
      .paths;
  expect(await pathsOf()).toEqual(['Dune.md']);
  expect(await pathsOf('High')).toEqual(['Dune.md']);
  expect(await pathsOf('low')).toEqual(['Emma.md']);
  const { views } = await listBaseViews(bound(), { base: 'Two.md' });
  expect(views.map(({ name }) => name)).toEqual(['High', 'Low']);
});

describe('queries of Dataview', () => {
  const page = { limit: 10, offset: 0 };

  it('are taken in place of a filter', async () => {
    const filter = 'TABLE rating AS Rating FROM #sf SORT rating';
    const answer = await queryBase(bound(), { query: { filter }, ...page });
    expect(answer).toMatchObject({
      base: null,
      type: 'table',
      columns: ['File', 'Rating'],
      total: 1,
      paths: ['Dune.md'],
      rows: [[{ $link: 'Dune.md', path: 'Dune.md', display: 'Dune' }, 9]],
      errors: [],
    });
  });

  it('that cannot be evaluated fail the call, with their place', async () => {
    const asked = queryBase(bound(), { query: { filter: 'LIST\n FLATTEN x' }, ...page });
    expect(await failureOf(asked)).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('(line 2, column 2): FLATTEN is not supported'),
      details: { code: 'unsupported', line: 2, column: 2 },
    });
  });

  it('stand alone', async () => {
    const requests = [
      { query: { filter: 'LIST', columns: ['a'] } },
      { query: { filter: 'LIST' }, base: 'Books' },
      { query: { columns: ['a'] }, base: 'Blocks' },
    ];
    for (const request of requests) {
      const failure = await failureOf(queryBase(bound(), { ...request, ...page }));
      expect(failure).toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('give it alone'),
      });
    }
  });

  it('in blocks of a note are found by number, and `this` is the note', async () => {
    const first = await queryBase(bound(), { base: 'Blocks', ...page });
    expect(first).toMatchObject({ view: '1', this: 'Blocks.md', paths: ['Dune.md'], errors: [] });
    const second = await queryBase(bound(), { base: 'Blocks', view: '2', ...page });
    expect(second).toMatchObject({
      total: 0,
      errors: [{ at: 'query', code: 'unknown_function', line: 9, column: 9 }],
    });
    const third = await queryBase(bound(), { base: 'Blocks', view: '3', ...page });
    expect(third.rows).toEqual([[2, ' ', 'one', [{ line: 3, status: 'x', text: 'two' }]]]);
    const { views } = await listBaseViews(bound(), { base: 'Blocks' });
    expect(views.map(({ name, type }) => `${name} ${type}`)).toEqual([
      '1 list',
      '2 dataview',
      '3 task',
    ]);
    const none = await queryBase(bound(), { base: 'Blocks', view: '4', ...page });
    expect(none.errors[0]?.message).toContain('"1", "2", "3"');
  });

  it('may stand beside bases, whose views come first', async () => {
    expect(await queryBase(bound(), { base: 'Both', ...page })).toMatchObject({ view: 'Own' });
    expect(await queryBase(bound(), { base: 'Both', view: '2', ...page })).toMatchObject({
      type: 'list',
      paths: ['Dune.md'],
    });
  });

  it('DataviewJS never runs', async () => {
    for (const request of [{ base: 'Script' }, { query: { filter: '$= dv.pages()' } }]) {
      const failure = await failureOf(queryBase(bound(), { ...request, ...page }));
      expect(failure).toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('DataviewJS'),
      });
    }
  });

  it('see only what the caller may see', async () => {
    const filter = 'LIST WHERE rating = 8';
    const all = await queryBase(bound(), { query: { filter }, ...page });
    expect(all.paths).toEqual(['Private/Secret.md']);
    const some = await queryBase(bound({ ...allScopes, hide: ['Private'] }), {
      query: { filter },
      ...page,
    });
    expect(some.paths).toEqual([]);
  });
});
