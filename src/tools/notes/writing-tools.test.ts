import { describe, expect, it } from 'vitest';
import { openNotes } from '../../../test/support/notes-service.ts';
import { limits } from '../../base/limits.ts';

interface Row {
  readonly it: string;
  readonly given?: Readonly<Record<string, string>>;
  readonly call: readonly [tool: string, args: object];
  /** At least this, of an answer; or what a refusal says, which changes nothing. */
  readonly answers?: object;
  readonly refuses?: string | RegExp;
  readonly files?: Readonly<Record<string, string>>;
}

const vault = {
  'A.md': '---\nkey: one\n---\n# A\n\none\n\n## B\n\ntwo\n',
  'Tags.md': '#recipe #Person',
};

const set = {
  path: 'A.md',
  properties: { key: 'two', rating: 5, gone: null },
  change: 1,
  version: expect.stringMatching(/^\w{12}$/),
};

const body = '---\nkey: one\n---\n';

const rows: readonly Row[] = [
  {
    it: 'sets several properties of one note, and answers as for one property',
    call: ['set_frontmatter', { name: 'A', properties: { key: 'two', rating: 5, gone: null } }],
    answers: set,
    files: { 'A.md': '---\nkey: two\nrating: 5\n---\n# A\n\none\n\n## B\n\ntwo\n' },
  },
  {
    it: 'sets several properties only while the note has the version that was given',
    call: ['set_frontmatter', { name: 'A', properties: { key: 'two' }, version: '0123456789ab' }],
    refuses: /changed/,
  },
  {
    it: 'takes no version for several notes, which would each need their own',
    call: [
      'set_frontmatter',
      { names: ['A', 'Tags'], key: 'k', value: 1, version: '0123456789ab' },
    ],
    refuses: 'give it with "name", for one note',
  },
  {
    it: 'creates a note with properties from JSON text',
    call: ['create_note', { name: 'New', content: 'Hi', frontmatter: '{"rating":5,"n":null}' }],
    answers: {
      path: 'New.md',
      created: true,
      change: 1,
      version: expect.stringMatching(/^\w{12}$/),
    },
    files: { 'New.md': '---\nrating: 5\nn:\n---\nHi' },
  },
  {
    it: 'creates a note with properties from an object, its tags as a list',
    call: [
      'create_note',
      { name: 'New', frontmatter: { tags: '#person, claude' }, new_tags: ['claude'] },
    ],
    files: { 'New.md': '---\ntags:\n  - Person\n  - claude\n---\n' },
  },
  {
    it: 'merges frontmatter with the properties in the content, and frontmatter wins',
    call: [
      'create_note',
      { name: 'New', content: '---\na: 1\nb: 2\n---\nx', frontmatter: '{"b":3}' },
    ],
    files: { 'New.md': '---\na: 1\nb: 3\n---\nx' },
  },
  {
    it: 'creates an empty note at a path, with its folders',
    call: ['create_note', { path: 'x/y/New' }],
    answers: { path: 'x/y/New.md' },
    files: { 'x/y/New.md': '' },
  },
  {
    it: "puts a bare name where the vault's settings say, and a path where it says",
    given: { '.obsidian/app.json': '{"newFileLocation":"folder","newFileFolderPath":"Inbox"}' },
    call: ['create_note', { name: 'New' }],
    answers: { path: 'Inbox/New.md' },
  },
  {
    it: 'takes a path literally, whatever the settings say',
    given: { '.obsidian/app.json': '{"newFileLocation":"folder","newFileFolderPath":"Inbox"}' },
    call: ['create_note', { path: 'New' }],
    answers: { path: 'New.md' },
  },
  {
    it: 'says which other notes have the name of a new one',
    call: ['create_note', { name: 'x/A' }],
    answers: { path: 'x/A.md', same_name: ['A.md'] },
  },
  {
    it: 'creates nothing where a note is, and says what changes it',
    call: ['create_note', { name: 'A' }],
    refuses: /"A\.md".*append_note, replace_note or update_note/,
  },
  {
    it: 'says how to reach one of several headings of one name',
    given: { 'Twice.md': '# Day\n\na\n\n# Day\n\nb\n' },
    call: ['append_section', { name: 'Twice', section: 'Day', text: 'x' }],
    refuses: /2 headings "Day".*insert_note/,
  },
  {
    it: 'repeats no heading that is longer than an answer',
    call: ['append_section', { name: 'A', section: 'x'.repeat(50_000), text: 'x' }],
    refuses: '"section": it has at most 5000 characters',
  },
  {
    it: 'replaces a text of any length',
    given: { 'Long.md': `a\r\n${'one line of it\r\n'.repeat(20_000)}z\r\n` },
    call: [
      'replace_note',
      { name: 'Long', old_text: 'one line of it\n'.repeat(20_000), new_text: 'short\n' },
    ],
    answers: { replaced: 1, lines: [2] },
    files: { 'Long.md': 'a\r\nshort\r\nz\r\n' },
  },
  ...['[1]', 'tags: a', '{', '"x"', 5, ['a'], true].map((frontmatter) => ({
    it: `takes no ${JSON.stringify(frontmatter)} for properties`,
    call: ['create_note', { name: 'New', frontmatter }] as const,
    refuses: 'must be a JSON object, for example {"tags": ["recipe"], "rating": 5}',
  })),
  {
    it: 'takes no properties that nest without end',
    call: [
      'create_note',
      { name: 'New', frontmatter: `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}` },
    ],
    refuses: 'nests more than 100 levels deep',
  },
  {
    it: 'creates nothing with a tag that the vault does not have',
    call: ['create_note', { name: 'New', frontmatter: '{"tags":["career"]}' }],
    refuses: "Tag 'career' not in allowed list. Allowed: ",
  },
  {
    it: 'takes new tags as a list in text',
    call: [
      'create_note',
      { name: 'New', frontmatter: { tags: ['career'] }, new_tags: '["career"]' },
    ],
    answers: { new_tags: ['career'] },
  },
  {
    it: 'appends to a note',
    call: ['append_note', { name: 'A', text: 'three' }],
    answers: { path: 'A.md', appended: true, line: 11, change: 1 },
    files: { 'A.md': `${vault['A.md']}three\n` },
  },
  {
    it: 'refuses a new tag in the text',
    call: ['append_note', { path: 'A', text: '#fresh #recipe' }],
    refuses: "Tag 'fresh' not in allowed list",
  },
  {
    it: 'reports a new tag in the text that the user agreed to',
    call: ['append_note', { path: 'A', text: '#fresh #recipe', new_tags: 'fresh' }],
    answers: { new_tags: ['fresh'] },
  },
  {
    it: 'refuses to write to another version than the one asked for',
    call: ['append_note', { name: 'A', text: 'x', version: '0'.repeat(64) }],
    refuses: /"A\.md" has changed/,
  },
  {
    it: 'refuses a version that is none',
    call: ['append_note', { name: 'A', text: 'x', version: 'latest' }],
    refuses: '"version": it is the version that an answer gave',
  },
  { it: 'needs a text', call: ['append_note', { name: 'A' }], refuses: '"text": it is missing' },
  {
    it: 'appends to a section',
    call: ['append_section', { name: 'A', section: 'A > B', text: 'three' }],
    answers: { path: 'A.md', appended: true, section: 'A > B', line: 11 },
    files: { 'A.md': `${vault['A.md']}three\n` },
  },
  {
    it: 'never makes a section, and names those there are',
    call: ['append_section', { name: 'A', section: 'C', text: 'x' }],
    refuses: /no heading "C".*A > B/,
  },
  {
    it: 'replaces the body and keeps the properties',
    call: ['update_note', { name: 'A', content: 'new\n' }],
    answers: { path: 'A.md', updated: true, change: 1 },
    files: { 'A.md': `${body}new\n` },
  },
  {
    it: 'answers without a change when nothing had to change',
    call: ['update_note', { name: 'A', content: '# A\n\none\n\n## B\n\ntwo\n' }],
    answers: { updated: true, change: null },
  },
  {
    it: 'replaces the one occurrence in the body, not that in the properties',
    call: ['replace_note', { name: 'A', old_text: 'one', new_text: '1' }],
    answers: { path: 'A.md', replaced: 1, lines: [6] },
    files: { 'A.md': `${body}# A\n\n1\n\n## B\n\ntwo\n` },
  },
  {
    it: 'replaces every occurrence when "true" is sent as text',
    call: ['replace_note', { name: 'A', old_text: 'o', new_text: '0', replace_all: 'True' }],
    answers: { replaced: 2, lines: [6, 10] },
  },
  {
    it: 'replaces nothing of several, and says how',
    call: ['replace_note', { name: 'A', old_text: 'o', new_text: '0' }],
    refuses: /occurs 2 times.*replace_all\.\n\n[\s\S]*line 6: one/,
  },
  {
    it: 'replaces nothing that is not there, and shows what is near',
    call: ['replace_note', { name: 'A', old_text: 'onee', new_text: '0' }],
    refuses: /does not contain that text[\s\S]*\n\n[\s\S]*line 6: one/,
  },
  {
    it: 'replaces no empty text',
    call: ['replace_note', { name: 'A', old_text: '', new_text: '0' }],
    refuses: '"old_text": it must not be empty',
  },
  {
    it: 'inserts above a text',
    call: ['insert_note', { name: 'A', text: 'zero', before: 'one', after: '' }],
    answers: { path: 'A.md', inserted: true, line: 6 },
    files: { 'A.md': `${body}# A\n\nzero\none\n\n## B\n\ntwo\n` },
  },
  {
    it: 'inserts below a text',
    call: ['insert_note', { name: 'A', text: 'zero', before: null, after: 'one' }],
    answers: { inserted: true, line: 7 },
    files: { 'A.md': `${body}# A\n\none\nzero\n\n## B\n\ntwo\n` },
  },
  ...[{}, { before: 'one', after: 'two' }, { before: '', after: '' }].map((where) => ({
    it: `inserts nowhere for ${JSON.stringify(where)}`,
    call: ['insert_note', { name: 'A', text: 'x', ...where }] as const,
    refuses: /^Exactly one of 'before' or 'after' must be provided: .* To put text first/,
  })),
  {
    it: 'inserts nowhere when there are several places',
    call: ['insert_note', { name: 'A', text: 'x', before: 'o' }],
    refuses: /occurs 2 times[\s\S]*line 10: two/,
  },
];

const values: readonly [key: string, value: unknown, stored: unknown, yaml: string][] = [
  ['key', 'two', 'two', 'key: two'],
  ['date', '2026-01-02', '2026-01-02', 'date: 2026-01-02'],
  ['rating', '5', 5, 'rating: 5'],
  ['rating', 5, 5, 'rating: 5'],
  ['done', true, true, 'done: true'],
  ['list', ['a', 2], ['a', 2], 'list:\n  - a\n  - 2'],
  ['text', 'a, b', 'a, b', 'text: a, b'],
  ['aliases', 'a, b', ['a', 'b'], 'aliases:\n  - a\n  - b'],
  ['tags', 'recipe', ['recipe'], 'tags:\n  - recipe'],
  ['tags', '#PERSON, recipe', ['Person', 'recipe'], 'tags:\n  - Person\n  - recipe'],
  ['tags', '["recipe"]', ['recipe'], 'tags:\n  - recipe'],
  ['Tags', ['#recipe'], ['recipe'], 'Tags:\n  - recipe'],
];

const types = { '.obsidian/types.json': '{"types":{"rating":"number","date":"date"}}' };

/** A list in a list in a list … */
function nested(levels: number): unknown {
  return levels === 0 ? 'x' : [nested(levels - 1)];
}

/** Runs one row on a vault of its own. */
async function check(row: Row): Promise<void> {
  const given = { ...vault, ...row.given };
  const notes = await openNotes(given);
  const [tool, args] = row.call;
  const { ok, text, json } = await notes.call(tool, args);
  expect(ok, text).toBe(row.refuses === undefined);
  if (row.refuses === undefined) expect(json).toMatchObject(row.answers ?? {});
  else if (typeof row.refuses === 'string') expect(text).toContain(row.refuses);
  else expect(text).toMatch(row.refuses);
  if (!ok) expect(notes.files()).toEqual(given);
  for (const [path, expected] of Object.entries(row.files ?? {})) {
    expect(notes.text(path)).toBe(expected);
  }
  await notes.close();
}

describe('a tool that writes', () => {
  it.each(rows.map((row) => [row.it, row] as const))('%s', (_it, row) => check(row));
});

describe('set_frontmatter', () => {
  it.each(values)('stores %s: %j as %j', (key, value, stored, yaml) =>
    check({
      it: '',
      given: { ...types, 'N.md': 'text' },
      call: ['set_frontmatter', { name: 'N', key, value }],
      answers: { path: 'N.md', key, value: stored, change: 1 },
      files: { 'N.md': `---\n${yaml}\n---\ntext` },
    }),
  );

  it.each<Row>([
    {
      it: 'removes with null',
      call: ['set_frontmatter', { name: 'A', key: 'key', value: null }],
      answers: { key: 'key', value: null, change: 1 },
      files: { 'A.md': '# A\n\none\n\n## B\n\ntwo\n' },
    },
    {
      it: 'warns when there is nothing to remove',
      call: ['set_frontmatter', { name: 'A', key: 'none', value: null }],
      answers: { value: null, change: null, warnings: [expect.stringContaining('"none"')] },
    },
    {
      it: 'stores an object',
      call: ['set_frontmatter', { name: 'A', key: 'new', value: { a: [1] } }],
      answers: { value: { a: [1] } },
    },
    {
      it: 'refuses a value that nests too deeply',
      call: ['set_frontmatter', { name: 'A', key: 'new', value: nested(101) }],
      refuses: '"value": it nests more than 100 levels deep',
    },
    {
      it: 'refuses a name longer than an answer',
      call: ['set_frontmatter', { name: 'A', key: 'k'.repeat(50_000), value: 1 }],
      refuses: '"key": it has at most 1000 characters',
    },
    {
      it: 'says who can mend properties that are not valid YAML',
      given: { 'Bad.md': '---\na: [\nb: c\n---\n' },
      call: ['set_frontmatter', { name: 'Bad', key: 'key', value: 1 }],
      refuses: /not valid YAML.*ask the user to\.$/,
    },
    {
      it: 'needs a value',
      call: ['set_frontmatter', { name: 'A', key: 'key' }],
      refuses: '"value": it is missing',
    },
    {
      it: 'refuses a tag that the vault does not have',
      call: ['set_frontmatter', { name: 'A', key: 'tags', value: 'career' }],
      refuses: "Tag 'career' not in allowed list",
    },
    {
      it: 'writes a new tag that the user agreed to',
      call: ['set_frontmatter', { name: 'A', key: 'tags', value: 'career', new_tags: ['career'] }],
      answers: { value: ['career'], new_tags: ['career'] },
    },
  ])('$it', check);

  it('does not repeat a value that is longer than an answer', async () => {
    const notes = await openNotes({ 'A.md': '' });
    const value = 'x'.repeat(limits.answerCharsMax);
    const { ok, text } = await notes.call('set_frontmatter', { name: 'A', key: 'k', value });
    expect([ok, text.length < limits.answerCharsMax]).toEqual([true, true]);
    expect(notes.text('A.md')).toBe(`---\nk: ${value}\n---\n`);
    await notes.close();
  });
});

describe('the tag policy', () => {
  it('strict: a tool without new_tags in its list takes it all the same', async () => {
    const notes = await openNotes({ 'A.md': '' }, { tagPolicy: 'strict' });
    const append = { name: 'A', text: '#fresh' };
    expect((await notes.call('append_note', append)).code).toBe('tag_not_allowed');
    expect((await notes.call('append_note', { ...append, new_tags: ['fresh'] })).ok).toBe(true);
    await notes.close();
  });
});
