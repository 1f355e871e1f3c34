import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../../../../test/support/failure-of.ts';
import { type IndexedVault, indexMemoryVault } from '../../../../test/support/indexed-vault.ts';
import { memoryDisk } from '../../../../test/support/memory-disk.ts';
import { allScopes, type Scopes } from '../../../base/caller.ts';
import { shownBaseLimits as limits } from '../../../base/engine-limits.ts';
import type { ValueJson } from '../../bases/values/value-json.ts';
import { CellCutter } from './cut-cells.ts';
import { showBase } from './show-base.ts';

const trips = `filters: file.inFolder("Trips")
formulas:
  local: image("cover.png")
  linked: image(link("cover.png"))
  web: image("https://a.example/x.png")
properties:
  price: { displayName: Price }
views:
  - type: table
    name: By country
    order: [file.name, price]
    columnSize: { price: 90, note.country: 5, file.name: 9000 }
    sort: [{ property: price, direction: DESC }]
    groupBy: country
    summaries: { price: Sum, country: Filled }
  - type: cards
    name: Cards
    image: note.picture
    imageFit: contain
    cardSize: 5000
    imageAspectRatio: "0.5"
    order: [file.name, formula.local, formula.linked, formula.web]
  - type: list
    name: Here
    filters: this.file.hasLink(file)
    markers: number
    separator: " | "
    indentProperties: true
`;

let opened: IndexedVault;
beforeAll(async () => {
  const disk = memoryDisk({
    'Bases/Trips.base': trips,
    'Trips/A.md': '---\ncountry: Peru\nprice: 3\npicture: "[[cover.png]]"\n---\n',
    'Trips/B.md': '---\ncountry: Chad\nprice: 2\npicture: "#a0f"\n---\n',
    'Trips/C.md': '---\ncountry: Peru\nprice: 4\npicture: [Pictures/cover.png]\n---\n',
    'Trips/D.md': '---\nprice: 5\npicture: 7\n---\n',
    'Trips/Secret.md': '---\ncountry: Chad\nprice: 100\n---\n',
    'Pictures/cover.png': 'x',
    'Note.md': '[[B]]\n',
  });
  opened = await indexMemoryVault(disk);
});
afterAll(() => opened.close());

const hidden: Scopes = { ...allScopes, hide: ['Trips/Secret.md'] };
function show(request: Partial<Parameters<typeof showBase>[1]>) {
  const { signal } = new AbortController();
  const vault = opened.vault.bind({ door: 'console', scopes: hidden, signal, deadlineMs: 5_000 });
  return showBase(vault, {
    path: { path: 'Bases/Trips.base', exact: true },
    limit: 50,
    ...request,
  });
}

describe('a base that is shown', () => {
  it('has its first rows group by group, with titles and summaries', async () => {
    const shown = await show({ limit: 2 });
    expect(shown).toMatchObject({
      base: 'Bases/Trips.base',
      this: 'Bases/Trips.base',
      columns: [
        { id: 'file.name', title: 'file name', width: 800 },
        { id: 'note.price', title: 'Price', width: 90 },
      ],
      total: 4,
      rows: [
        { path: 'Trips/B.md', cells: ['B', 2] },
        { path: 'Trips/C.md', cells: ['C', 4] },
      ],
      groups: [
        { key: 'Chad', rows: 1, total: 1, summaries: [{ value: 2 }, { value: 1 }] },
        { key: 'Peru', rows: 1, total: 2, summaries: [{ value: 7 }, { value: 2 }] },
      ],
      groupCount: 3,
      summaries: [
        { id: 'note.price', title: 'Price', name: 'Sum', value: 14 },
        { id: 'note.country', title: 'country', name: 'Filled', value: 3 },
      ],
      views: [
        { name: 'By country', type: 'table' },
        { name: 'Cards', type: 'cards' },
        { name: 'Here', type: 'list' },
      ],
    });
    const { rows } = await show({});
    expect(rows.map(({ path }) => path.slice(6))).toEqual(['B.md', 'C.md', 'A.md', 'D.md']);
  });

  it('has cards with pictures of the vault, colours and addresses', async () => {
    const { rows, look } = await show({ view: 'Cards' });
    const path = 'Pictures/cover.png';
    expect(rows.map(({ image }) => image)).toEqual([
      { $link: 'cover.png', path },
      '#a0f',
      { $image: 'Pictures/cover.png', path },
      undefined,
    ]);
    expect(rows[0]?.cells).toEqual([
      'A',
      { $image: 'cover.png', path },
      { $image: 'cover.png', path },
      { $image: 'https://a.example/x.png', path: null },
    ]);
    expect(look).toEqual({ fit: 'contain', ratio: 0.5, width: 800 });
  });

  it('knows the note that embeds it, and the note of a block', async () => {
    const note = { path: 'Note.md', exact: true } as const;
    const embedded = await show({ view: 'here', self: note });
    expect(embedded).toMatchObject({ this: 'Note.md', rows: [{ path: 'Trips/B.md' }] });
    expect(embedded.look).toEqual({ markers: 'number', indents: true, separator: ' | ' });
    const block = 'filters: file.hasLink(this) || this.file.hasLink(file)\n';
    expect(await show({ path: note, block })).toMatchObject({
      base: 'Note.md',
      this: 'Note.md',
      rows: [{ path: 'Trips/B.md', cells: ['B'] }],
    });
  });

  it('says which views there are, and why it cannot be read', async () => {
    const { errors, views, rows } = await show({ view: 'Nope' });
    expect([errors[0]?.code, views.length, rows]).toEqual(['unknown_view', 3, []]);
    const error = await failureOf(show({ block: 'views: [\n' }));
    expect([error.code, error.message]).toEqual([
      'invalid_input',
      expect.stringContaining('This base cannot be evaluated (line 2, column 1)'),
    ]);
  });

  it('has no more columns, views and values than can be shown', async () => {
    const many = Array.from({ length: 300 }, (_, at) => at);
    const views = many.map((at) => `  - name: v${at}\n`).join('');
    const order = many.map((at) => `p${at}`);
    const wide = await show({ block: `views:\n  - order: [${order}]\n${views}` });
    expect([wide.columns.length, wide.columnCount]).toEqual([limits.columnsMax, 300]);
    expect([wide.views.length, wide.viewCount]).toEqual([limits.viewsMax, 301]);
    const block =
      'filters: file.inFolder("Trips")\nformulas: { a: \'"x".repeat(900000)\' }\nviews:\n  - order: [' +
      `${'formula.a, '.repeat(40)}formula.a]\n`;
    const long = JSON.stringify(await show({ block }));
    expect(long.length).toBeLessThan(2 * limits.charsMax);
  });
});

describe('cutting', () => {
  const cut = (value: ValueJson): ValueJson => new CellCutter().cut(value);

  it('shortens texts, lists and what nests', () => {
    expect(cut(`${'a'.repeat(limits.cellCharsMax - 1)}😀`)).toBe(
      `${'a'.repeat(limits.cellCharsMax - 1)}…`,
    );
    expect(cut(Array.from({ length: 60 }, (_, at) => at))).toHaveLength(limits.cellItemsMax + 1);
    expect((cut(Array.from({ length: 60 }, () => 1)) as ValueJson[]).at(-1)).toEqual({ $more: 10 });
    expect(cut([[[[[1]]]]])).toEqual([[[['…']]]]);
    const path = `${'p/'.repeat(2_000)}a.md`;
    expect(cut({ $link: path, path })).toEqual({ $link: `${path.slice(0, 2_000)}…`, path });
  });

  it('ends when there is no room left', () => {
    const cutter = new CellCutter();
    const long = 'x'.repeat(limits.cellCharsMax);
    for (let at = 0; at < limits.charsMax / limits.cellCharsMax; at++) cutter.cut(long);
    expect([cutter.isSpent, cutter.cut('more')]).toEqual([true, '…']);
  });
});
