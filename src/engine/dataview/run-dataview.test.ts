import { describe, expect, it } from 'vitest';
import { memoryFacts } from '../../../test/support/memory-facts.ts';
import { cellText } from '../operations/query/cell-text.ts';
import { runDataview } from './run-dataview.ts';

const at = (text: string) => new Date(text).getTime();

const vault: Readonly<Record<string, string>> = {
  'Books/Dune.md':
    '---\ntags: [book/sf, Read]\nrating: 9\nauthor: "[[Frank Herbert]]"\nread: 2025-06-10\nlast-seen: 2025-05\nLength: 7 hours\naliases: Arrakis, Sand\ndetails: {Pages: 600}\n---\nSee [[Emma#Start|it]] and ![[map.png]].\n',
  'Books/Emma.md': '---\ntags: book\nrating: 7\nauthor: Jane Austen\n---\n#classic/english\n',
  'Books/Ulysses.md': '---\nrating: 2\n---\n[[Dune]] [[Nowhere]]\n',
  'Books.md': 'A note beside the folder.',
  'Frank Herbert.md': '---\nborn: 1920-10-08\nLast Name: Herbert\n---\n',
  'Log/2025-06-14.md':
    '- [ ] one [due:: 2025-06-20] #a [[Dune]]\n  - [x] two\n    - note\n      - [X] three\n  - [-] four\n# Part (one).\n* [x] five ✅ 2025-06-01 ^five\n',
  'Log/Plain.md': '1. item\n2. [x] done\n',
  'pic.png': '',
};

/** The answer to a query, with cells as texts. */
async function ask(text: string, self?: string, page = { offset: 0, limit: 100 }) {
  const files = new Map(
    Object.entries(vault).map(([path, note]) => [
      path,
      { text: note, birthMs: at('2025-01-01T08:00'), mtimeMs: at('2025-06-01T10:30') },
    ]),
  );
  const answer = await runDataview(memoryFacts(files), {
    text,
    self,
    nowMs: at('2025-06-15T12:00'),
    propertyTypes: new Map([['read', 'text']]),
    page,
  });
  return {
    ...answer,
    cells: answer.rows.map((row) => row.map(cellText).join(' | ')),
    codes: answer.errors.map(({ at: place, code, count }) => `${place}: ${code} ${count}`),
  };
}

async function rows(text: string, self?: string): Promise<string[]> {
  const { cells, errors } = await ask(text, self);
  expect(errors).toEqual([]);
  return cells;
}

/** The value of an expression for one note. */
async function value(expression: string, path = 'Books/Dune'): Promise<unknown> {
  const answer = await ask(`LIST WITHOUT ID ${expression} FROM "${path}"`, 'Books/Emma.md');
  expect(answer.codes).toEqual([]);
  return answer.rows[0]?.[0];
}

describe('sources', () => {
  it.each([
    ['"Books"', 'Dune, Emma, Ulysses'],
    ['"Books/"', 'Dune, Emma, Ulysses'],
    ['"Books.md"', 'Books'],
    ['"Books/Emma"', 'Emma'],
    ['"Nowhere"', ''],
    ['#book', 'Dune, Emma'],
    ['#BOOK/sf', 'Dune'],
    ['#boo', ''],
    ['#classic', 'Emma'],
    ['[[Dune]]', 'Ulysses, 2025-06-14'],
    ['[[Nowhere]]', 'Ulysses'],
    ['[[]]', 'Dune'],
    ['outgoing([[Dune]])', 'Emma, Frank Herbert'],
    ['"Books" and -#book', 'Ulysses'],
    ['#book and "Log" or #read', 'Dune'],
    ['#book and ("Log" or #read)', 'Dune'],
    ['!"Books" and !"Log"', 'Books, Frank Herbert'],
  ])('FROM %s', async (source, expected) => {
    const found = await rows(`LIST WITHOUT ID file.name FROM ${source}`, 'Books/Emma.md');
    expect(found.join(', ')).toBe(expected);
  });

  it('are notes only, and all of them without FROM', async () => {
    expect(await rows('LIST WITHOUT ID file.path WHERE file.ext != "md"')).toEqual([]);
    expect((await ask('TABLE')).total).toBe(7);
  });

  it('that start from a note need it', async () => {
    expect((await ask('LIST FROM outgoing([[Nowhere]])')).codes).toEqual([
      'query: unknown_member 1',
    ]);
  });
});

describe('fields', () => {
  it.each<[string, unknown]>([
    ['file.folder', 'Books'],
    ['file.tags', ['#book', '#book/sf', '#Read']],
    ['file.etags', ['#book/sf', '#Read']],
    ['file.aliases', ['Arrakis', 'Sand']],
    ['file.outlinks.file.name', ['Emma', null, 'Frank Herbert']],
    ['map(file.outlinks, (l) => meta(l).subpath)', ['Start', null, null]],
    ['map(file.outlinks, (l) => meta(l).embed)', [false, true, false]],
    ['file.inlinks.file.name', ['Ulysses', '2025-06-14']],
    ['file.cday', { $date: '2025-01-01' }],
    ['file.mtime', { $date: '2025-06-01T10:30:00' }],
    ['file.frontmatter.rating', 9],
    ['read', { $date: '2025-06-10' }],
    ['last-seen', { $date: '2025-05-01' }],
    ['length', { $duration: 7 * 3_600_000 }],
    ['author.born.year', 1920],
    ['author.last-name', 'Herbert'],
    ['details.Pages', 600],
    ['details.pages', null],
    ['missing.at.all', null],
    ['row["rating"]', 9],
    ['this.rating', 7],
    ['this.file.link = [[Emma]]', true],
    ['tags', ['book/sf', 'Read']],
  ])('%s', async (expression, expected) => {
    expect(await value(expression)).toEqual(expected);
  });

  it('have the day of a note in its name', async () => {
    expect(await value('file.day', 'Log/2025-06-14')).toEqual({ $date: '2025-06-14' });
    expect(await value('file.day')).toBeNull();
  });
});

describe('expressions', () => {
  it.each<[string, unknown]>([
    ['1 + 2 * 3 - 4 / 2', 5],
    ['"a" + 1 + missing', 'a1\\-'],
    ['missing < 5 and 5 > missing', true],
    ['missing = null', true],
    ['missing + missing', null],
    ['1 = "1"', false],
    ['"b" > "a" and "a" < "B"', true],
    ['[1, 2] + [3] = [1, 2, 3]', true],
    ['date(today) - date(yesterday) = dur(1 day)', true],
    ['date(2025-01-31) + dur(1 month)', { $date: '2025-02-28' }],
    ['date(sow)', { $date: '2025-06-09' }],
    ['date(eom).day', 30],
    ['date(start-of-year).month', 1],
    ['date("2025-02-30")', null],
    ['date(today) + missing', null],
    ['dur(1 week) / 7 = dur("1d")', true],
    ['read > date(today) - dur(7 days)', true],
    ['contains(file.tags, "boo")', true],
    ['econtains(file.tags, "boo")', false],
    ['icontains("ABC", "b")', true],
    ['contains({a: 1}, "a")', true],
    ['contains([1, [2]], 2)', true],
    ['contains("abc", ["b", "x"])', [true, false]],
    ['contains(file.outlinks, [[Emma]])', false],
    ['contains(file.outlinks, [[Emma#Start]])', true],
    ['contains(missing, "a")', false],
    ['length(file.tags) + length(missing)', 3],
    ['default(missing, "x")', 'x'],
    ['choice(rating > 5, "good", "bad")', 'good'],
    ['lower(["A", "B"])', ['a', 'b']],
    ['round(2.567, 1) + round(2.5)', 5.6],
    ['sum([1, 2, 3]) + max(4, 5) + min([6, null])', 17],
    ['average([1, 2])', 1.5],
    ['join(["a", missing, 1], "-")', 'a-\\--1'],
    ['split("a1b", "\\\\d")', ['a', 'b']],
    ['replace("a.b.c", ".", "-")', 'a-b-c'],
    ['filter([1, 2, 3], (x) => x > 1)', [2, 3]],
    ['map([1, 2], (x) => map([10], (y) => x + y))', [[11], [12]]],
    ['any(file.tags, (t) => t = "#Read")', true],
    ['all([1, 0])', false],
    ['none([])', true],
    ['sort([3, null, "a", 1])', [null, 1, 3, 'a']],
    ['nonnull([1, null])', [1]],
    ['typeof(read) + typeof(author)', 'datelink'],
    ['link("Emma", "e") = [[Emma]]', true],
    ['number("a 12.5 b")', 12.5],
    ['!missing', true],
    ['"abc"[1]', 'b'],
  ])('%s', async (expression, expected) => {
    expect(await value(expression)).toEqual(expected);
  });

  it.each([
    ['"a" * 2', 'type'],
    ['file.nosuch', 'unknown_member'],
    ['read.nosuch', 'unknown_member'],
    ['filter([1], 2)', 'type'],
    ['lower(1)', 'type'],
    ['date("1", "yyyy")', 'unsupported'],
    ['(x) => x', 'type'],
    ['split("a", "(")', 'parse'],
  ])('%s is the error %s', async (expression, code) => {
    const { rows: found, errors } = await ask(`LIST WITHOUT ID ${expression} FROM "Books/Dune"`);
    expect(found).toEqual([[{ $error: code }]]);
    expect(errors).toMatchObject([{ code, line: 1, column: expect.any(Number), count: 1 }]);
  });
});

describe('clauses', () => {
  it('are done in the order in which they are written', async () => {
    expect(await rows('LIST FROM "Books" LIMIT 2 SORT rating DESC')).toEqual(['Dune', 'Emma']);
    expect(await rows('LIST FROM "Books" SORT rating LIMIT 2')).toEqual(['Ulysses', 'Emma']);
    expect(await rows('LIST rating FROM "Books" WHERE rating > 3 SORT author, rating')).toEqual([
      'Dune | 9',
      'Emma | 7',
    ]);
  });

  it('sort null first, and last the other way round', async () => {
    const sorted = (how: string) =>
      rows(`LIST WITHOUT ID file.name FROM "Books" SORT author ${how}`);
    expect(await sorted('ASC')).toEqual(['Ulysses', 'Dune', 'Emma']);
    expect(await sorted('DESC')).toEqual(['Emma', 'Dune', 'Ulysses']);
  });

  it('GROUP BY makes rows with key and rows', async () => {
    const text = 'TABLE rows.file.name, length(rows) AS n, who GROUP BY file.folder AS who';
    const { columns, cells, paths } = await ask(text);
    expect(columns).toEqual(['who', 'rows.file.name', 'n', 'who']);
    expect(cells).toEqual([
      ' | Books, Frank Herbert | 2 | ',
      'Books | Dune, Emma, Ulysses | 3 | Books',
      'Log | 2025-06-14, Plain | 2 | Log',
    ]);
    expect(paths).toEqual(['', '', '']);
    expect(await rows('LIST sum(rows.rating) FROM "Books" GROUP BY true SORT key')).toEqual([
      'true | 18',
    ]);
    expect(await rows('LIST rows.key GROUP BY file.folder GROUP BY length(rows)')).toEqual([
      '2 | , Log',
      '3 | Books',
    ]);
  });

  it('leave out a row whose WHERE fails, and say so', async () => {
    const { cells, codes } = await ask('LIST FROM "Books" WHERE rating + author');
    expect(cells).toEqual(['Emma']);
    expect(codes).toEqual(['WHERE: type 2']);
  });

  it('that cannot be evaluated have no rows', async () => {
    expect((await ask('LIST LIMIT "a"')).codes).toEqual(['query: type 1']);
    expect((await ask('LIST\nFLATTEN x')).errors).toMatchObject([
      { at: 'query', code: 'unsupported', line: 2, column: 1 },
    ]);
    expect((await ask('LIST\nWHERE frob(x)')).errors).toMatchObject([
      { code: 'unknown_function', line: 2, column: 7 },
    ]);
  });

  it('a page has some of the rows', async () => {
    const { cells, total } = await ask('LIST', undefined, { offset: 1, limit: 2 });
    expect([cells, total]).toEqual([['Dune', 'Emma'], 7]);
  });
});

describe('tasks', () => {
  const text = async (query: string) =>
    (await ask(query)).rows.map((row) => row.filter((cell) => typeof cell === 'string').join(' '));

  it('are rows with their children', async () => {
    const { columns, rows: found, paths } = await ask('TASK FROM "Log" LIMIT 1');
    expect(columns).toEqual(['line', 'status', 'text', 'children']);
    expect(paths).toEqual(['Log/2025-06-14.md']);
    const three = { line: 4, status: 'X', text: 'three' };
    const two = { line: 2, status: 'x', text: 'two' };
    expect(found).toEqual([
      [
        1,
        ' ',
        'one [due:: 2025-06-20] #a [[Dune]]',
        [
          { ...two, children: [{ line: 3, text: 'note', children: [three] }] },
          { line: 5, status: '-', text: 'four' },
        ],
      ],
    ]);
  });

  it.each([
    ['completed', 'two, three, five, done'],
    ['fullyCompleted', 'two, three, five, done'],
    ['!completed', 'one, four'],
    ['checked and !completed', 'four'],
    ['due = date(2025-06-20)', 'one'],
    ['completion < date(today)', 'one, two, three, four, five, done'],
    ['completion and completion < date(today)', 'five'],
    ['contains(tags, "#a")', 'one'],
    ['contains(outlinks, [[Dune]])', 'one'],
    ['line = 1', 'two, done'],
    ['parent = 0', 'two, four'],
    ['meta(section).subpath = "Part one"', 'five'],
    ['meta(section).type = "file"', 'one, two, three, four, done'],
    ['blockId = "five" and meta(link).type = "block"', 'five'],
    ['file.name = "Plain"', 'done'],
    ['any(children, (c) => c.text = "four")', 'one'],
    ['annotated', 'one, five'],
  ])('TASK WHERE %s', async (where, expected) => {
    const found = await text(`TASK WHERE ${where}`);
    const names = found.map((each) => each.replace(/^. /, '').split(' ')[0]);
    expect(names.join(', ')).toBe(expected);
  });

  it('are grouped under the keys of their groups', async () => {
    const { columns, cells } = await ask(
      'TASK WHERE completed GROUP BY meta(section).subpath AS part',
    );
    expect(columns).toEqual(['part', 'line', 'status', 'text', 'children']);
    expect(cells.map((cell) => cell.split(' | ').slice(0, 2).join(' '))).toEqual([
      ' 2',
      ' 4',
      ' 2',
      'Part one 7',
    ]);
  });

  it('and other items are fields of a file', async () => {
    expect(await value('file.tasks.text', 'Log/Plain')).toEqual(['done']);
    expect(await value('file.lists.symbol', 'Log/Plain')).toEqual(['1.', '2.']);
    expect(await value('file.lists', 'Log/Plain')).toEqual([
      { path: 'Log/Plain.md', line: 1, text: 'item' },
      { path: 'Log/Plain.md', line: 2, status: 'x', text: 'done' },
    ]);
  });
});

describe('hostile queries end', () => {
  const list = `[${'1,'.repeat(2_000)}1]`;
  it.each([
    ['lists in lists', `map(${list}, (x) => map(${list}, (y) => x + y))`],
    ['lists that are compared', `filter(${list}, (x) => ${list} = ${list})`],
    ['a text that doubles', `sum(map(${list}, (x) => "${'x'.repeat(5_000)}"))`],
    ['contains of contains', `contains(${list}, ${list})`],
  ])('%s', async (_, expression) => {
    const { rows: found } = await ask(`LIST WITHOUT ID ${expression} FROM "Books/Dune"`);
    expect(found).toEqual([[{ $error: 'budget' }]]);
  });
});
