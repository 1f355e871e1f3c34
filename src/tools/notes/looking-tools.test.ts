import { describe, expect, it } from 'vitest';
import { openNotes } from '../../../test/support/notes-service.ts';
import { limits } from '../../base/limits.ts';

const vault = {
  'Rivers.md': '# Top\n\nAbout the gauge. [[Lake]] [[Nowhere]]\n',
  'in/Lake.md': '---\naliases: [Loch]\ntags: [Water/still]\n---\ngauge\n\n[[Rivers]]\n',
  'in/Log.md': '[[Rivers|r]]',
  'Log.md': 'x',
  'Pictures/a.png': 'x',
  'Pictures/deep/b.jpg': 'x',
};

type Row = readonly [tool: string, args: object, answer: object];

const rows: readonly Row[] = [
  ['list_notes', {}, { total: 4, notes: ['Lake', 'Log.md', 'in/Log.md', 'Rivers'], offset: 0 }],
  ['list_notes', { limit: '1', offset: '3' }, { total: 4, notes: ['Rivers'], offset: 3 }],
  ['list_notes', { limit: 2 }, { total: 4, next_offset: 2 }],
  ['list_notes', { folder: 'in/' }, { total: 2 }],
  ['list_notes', { folder: '/', limit: 1_000_000 }, { total: 4 }],
  ['list_notes', { limit: 0 }, { total: 4, notes: [] }],
  [
    'list_notes',
    { folder: 'pictures' },
    {
      total: 0,
      hint: 'There are 2 files that are not notes: query_notes with filter file.inFolder("Pictures") lists them.',
    },
  ],
  ['query_notes', { filter: 'file.inFolder("Pictures")' }, { total: 2 }],
  [
    'query_notes',
    { filter: 'file.ext == "md"', columns: 'file.ext', group: 'file.folder desc', limit: 3 },
    {
      total: 4,
      columns: ['path', 'file.ext'],
      rows: [
        ['in/Lake.md', 'md'],
        ['in/Log.md', 'md'],
        ['Log.md', 'md'],
      ],
      next_offset: 3,
      groups: [
        { key: 'in', count: 2 },
        { key: '/', count: 2 },
      ],
    },
  ],
  [
    'get_links',
    { name: 'Rivers' },
    {
      path: 'Rivers.md',
      incoming: { 'in/Lake.md': ['7: [[Rivers]]'], 'in/Log.md': ['1: [[Rivers|r]]'] },
      outgoing: { 'in/Lake.md': ['3: [[Lake]] (Top)'] },
      unresolved: { Nowhere: [3] },
      totals: { incoming: 2, outgoing: 1, unresolved: 1 },
    },
  ],
  [
    'get_links',
    { path: 'in/Log.md', direction: 'incoming' },
    { path: 'in/Log.md', totals: { incoming: 0 } },
  ],
  [
    'get_links',
    { name: 'Lake', direction: 'out' },
    { outgoing: { 'Rivers.md': ['7: [[Rivers]]'] } },
  ],
  ['get_frontmatter', { name: 'Lake' }, { aliases: ['Loch'], tags: ['Water/still'] }],
  ['get_frontmatter', { path: 'Log' }, {}],
  [
    'search_notes',
    { query: 'gauge', folder: 'in' },
    { total: 1, hits: [{ path: 'in/Lake.md', lines: ['5: gauge'] }] },
  ],
  [
    'search_notes',
    { query: '"the gauge"' },
    {
      hits: [{ path: 'Rivers.md', lines: ['3: About the gauge. [[Lake]] [[Nowhere]]'] }],
    },
  ],
  ['search_notes', { query: 'gauge', limit: '1' }, { total: 2, next_offset: 1 }],
  [
    'search_notes',
    { query: 'loch', mode: 'name' },
    { hits: [{ path: 'in/Lake.md', aliases: ['Loch'] }] },
  ],
  ['search_notes', { query: 'LOG', mode: 'name' }, { total: 2 }],
  ['search_notes', { query: 'iver', mode: 'name_partial' }, { hits: [{ path: 'Rivers.md' }] }],
  ['search_notes', { query: '#water', mode: 'tag' }, { hits: [{ path: 'in/Lake.md' }] }],
  [
    'search_notes',
    { query: 'Rivvers' },
    { hits: [{ path: 'Rivers.md' }, { path: 'in/Log.md' }, { path: 'in/Lake.md' }] },
  ],
  [
    'search_notes',
    { query: 'Rivvres' },
    { total: 0, hits: [], hint: expect.stringContaining('name_partial'), suggestions: ['Rivers'] },
  ],
  [
    'search_notes',
    { query: 'watr/still', mode: 'tag', folder: 'in' },
    { total: 0, hint: expect.stringContaining('without folder'), suggestions: ['Water/still'] },
  ],
  [
    'search_notes',
    { query: 'zzz', mode: 'tag' },
    { hint: expect.stringContaining('most used'), suggestions: ['Water/still'] },
  ],
  ['search_notes', { query: 'gauge', mode: null, limit: null, folder: '' }, { total: 2 }],
  ['search_notes', { query: 'LOG', mode: ' Name ' }, { total: 2 }],
  ['list_notes', { sort: null, limit: 1 }, { offset: 0 }],
  ['get_links', { name: 'Rivers', direction: '' }, { path: 'Rivers.md' }],
  [
    'search_notes',
    { query: 'gauge', offset: 9 },
    { hint: 'There are only 2 hits: use a smaller offset.' },
  ],
];

describe('a tool that looks', () => {
  it.each(rows)('%s %j', async (tool, args, answer) => {
    const notes = await openNotes(vault);
    const { ok, text, json } = await notes.call(tool, args);
    expect(ok, text).toBe(true);
    expect(json).toMatchObject(answer);
    await notes.close();
  });

  it('does not say that nothing has it when the time was over before', async () => {
    const notes = await openNotes(vault);
    const matcher = { match: async () => ({ found: [], looked: 0 }), reasons: async () => [] };
    Object.assign(notes.whole.parts, { matcher: { ...notes.whole.parts.matcher, ...matcher } });
    const { json } = await notes.call('search_notes', { query: '/gauge/' });
    expect(json).toMatchObject({ total: 0, incomplete: expect.stringContaining('in time') });
    expect(json).not.toHaveProperty('hint');
    await notes.close();
  });

  it.each<[string, object, string | RegExp]>([
    ['get_links', { name: 'Rivers', direction: 'up' }, '"direction": it must be "both" or "in"'],
    ['search_notes', { query: 'x', mode: 'regex' }, '"mode": it must be "content" or'],
    ['search_notes', { query: '' }, '"query": it must not be empty'],
    ['search_notes', { query: 'x'.repeat(50_000), mode: 'tag' }, '"query": it has at most 1000'],
    ['get_frontmatter', { name: 'a\nb' }, /control characters\.$/],
    ['get_frontmatter', { name: 'Board.canvas' }, 'is not a Markdown note'],
    ['read_section', { name: 'Twice', section: 'Day' }, 'read the whole note with read_note'],
    ['list_notes', { folder: '../x' }, 'A path cannot contain'],
    ['list_notes', { sort: 'size' }, '"sort": it must be "name" or "modified"'],
    ['get_frontmatter', { name: 'Log' }, 'in/Log.md'],
  ])('%s refuses %j', async (tool, args, expected) => {
    const { 'Log.md': _, ...others } = vault;
    const odd = { 'Board.canvas': '{}', 'Twice.md': '# Day\n# Day\n' };
    const notes = await openNotes({ ...others, ...odd, 'x/Log.md': '' });
    const { ok, text } = await notes.call(tool, args);
    expect(ok).toBe(false);
    if (typeof expected === 'string') expect(text).toContain(expected);
    else expect(text).toMatch(expected);
    await notes.close();
  });

  it('get_frontmatter refuses properties that are not valid, or longer than an answer', async () => {
    const long = `---\nk: ${'x'.repeat(limits.answerCharsMax)}\n---\n`;
    const notes = await openNotes({ 'A.md': '---\na: [\n---\n', 'B.md': long });
    expect((await notes.call('get_frontmatter', { name: 'A' })).text).toMatch(
      /not valid YAML.*the user/,
    );
    expect((await notes.call('get_frontmatter', { name: 'B' })).code).toBe('too_large');
    await notes.close();
  });

  it('get_frontmatter has no list or object but the properties, and their path beside', async () => {
    const notes = await openNotes(vault);
    const { text, meta } = await notes.call('get_frontmatter', { name: 'Lake' });
    expect(text).toBe('{"aliases":["Loch"],"tags":["Water/still"]}');
    expect(meta).toMatchObject({ 'vaultdoor/path': 'in/Lake.md' });
    await notes.close();
  });
});

describe('an answer that would be too long', () => {
  const folder = 'f'.repeat(200);
  const many = Object.fromEntries(
    Array.from({ length: 400 }, (_, n) => [`${folder}/${n}.md`, `[[Hub]] moss ${'x'.repeat(300)}`]),
  );
  const hub = Array.from({ length: 400 }, (_, n) => `[[${folder}/${n}]] [[none ${n}]]`).join('\n');

  it.each<[string, object, string]>([
    ['list_notes', { limit: 10_000 }, '"total":401'],
    ['search_notes', { query: 'moss', limit: 200 }, '"next_offset":'],
    ['search_notes', { query: folder, mode: 'name_partial', limit: 200 }, '"total":'],
    ['get_links', { name: 'Hub' }, '"next_offset":'],
  ])('%s %j ends early', async (tool, args, says) => {
    const notes = await openNotes({ ...many, 'Hub.md': hub });
    const { ok, text } = await notes.call(tool, args);
    expect(ok).toBe(true);
    expect(text.length).toBeLessThanOrEqual(limits.answerCharsMax);
    expect(text).toContain(says);
    await notes.close();
  });
});

describe('query_notes', () => {
  it.each([
    ['where', 'use "filter"'],
    ['query', 'use "filter"'],
    ['orderBy', 'use "sort"'],
    ['from', 'write file.inFolder("Folder") or file.hasTag("tag") in filter'],
  ])('says what to use in place of %s', async (argument, says) => {
    const notes = await openNotes(vault);
    const { ok, text } = await notes.call('query_notes', { [argument]: 'rating > 3' });
    expect([ok, text]).toEqual([false, expect.stringContaining(`"${argument}": ${says}`)]);
    await notes.close();
  });

  it('counts large groups, and says how many there are where not all of them fit', async () => {
    const files = Array.from({ length: 3_000 }, (_, at) => [
      `${'Long name '.repeat(8)}${at}.md`,
      `---\nn: ${at}\nkind: ${at % 2 === 0 ? 'even' : 'odd'}\n---\n`,
    ]);
    const notes = await openNotes(Object.fromEntries(files));
    const { json: few } = await notes.call('query_notes', { group: 'kind', limit: 2 });
    expect(few).toMatchObject({
      total: 3_000,
      groups: [
        { key: 'even', count: 1_500 },
        { key: 'odd', count: 1_500 },
      ],
    });
    const { json: many } = await notes.call('query_notes', { group: 'n', columns: 'n', limit: 1 });
    expect(many).toMatchObject({ rows: [[files[0]?.[0], 0]], group_count: 3_000 });
    await notes.close();
  });
});

describe('list_vault', () => {
  it('duplicates names every note of a large group, in several rows', async () => {
    const copies = Array.from({ length: 250 }, (_, at) => `copy ${at}`);
    const files = copies.map((name) => [`${name}.md`, 'The same few words.']);
    const notes = await openNotes({ ...Object.fromEntries(files), 'a.md': 'b', 'b.md': 'b' });
    const shown: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const args = { what: 'duplicates', limit: 2, offset };
      const { json } = await notes.call('list_vault', args);
      const page = json as { groups: { notes: string[] }[]; next_offset?: number };
      expect(page).toMatchObject({ total: 4 });
      if (offset === 0) expect(page.groups[0]).toMatchObject({ count: 250 });
      shown.push(...page.groups.flatMap((group) => group.notes));
      offset = page.next_offset;
    }
    expect(shown.toSorted()).toEqual(['a', 'b', ...copies].toSorted());
    await notes.close();
  });

  it('broken_links looks for likely targets only of the links that an answer can show', async () => {
    const links = Array.from({ length: 600 }, (_, at) => `[[n${at}]]`);
    const notes = await openNotes({ 'A.md': links.join(' ') });
    const { json } = await notes.call('list_vault', { what: 'broken_links', limit: 10_000 });
    expect(json).toMatchObject({ total: 600, next_offset: 500 });
    const args = { what: 'broken_links', limit: 10_000, offset: 500 };
    const { json: rest } = await notes.call('list_vault', args);
    expect((rest as { links: unknown[] }).links).toHaveLength(100);
    expect(rest).not.toHaveProperty('next_offset');
    await notes.close();
  });

  it('duplicates says that a note cannot be read, not that the time was up', async () => {
    const notes = await openNotes({ 'a.md': 'b', 'b.md': 'b', 'c.md': 'x'.repeat(18_000_000) });
    expect((await notes.call('list_vault', { what: 'duplicates' })).json).toEqual({
      total: 1,
      groups: [{ notes: ['a', 'b'] }],
      incomplete: 'Notes that could not be read and were not compared: 1.',
    });
    await notes.close();
  });
});
