import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IndexedVault, indexMemoryVault } from '../../../../test/support/indexed-vault.ts';
import { memoryDisk } from '../../../../test/support/memory-disk.ts';
import { allScopes } from '../../../base/caller.ts';
import { searchNotes } from './search-notes.ts';

// Obsidian's search language through the whole engine: parser, index and texts.

const files = {
  'Meeting.md': 'meeting about work\n\nmeetup later\n',
  'Meetup.md': '---\naliases:\nduration: 4\n---\nmeetup, personal meeting\n',
  'Work.md': '---\naliases: ""\nduration: 12\n---\nmeeting for work\nthey said "hi" to us #x\n',
  'Tasks.md': '- [ ] write\n- [x] read work\n- plain\n',
  'Sections.md': '# H1\ntext\n## Sub\nbelow\n# Other\nAlone\n## Deep\nsub\n',
  'Empty list.md': '---\naliases: []\n---\nnothing here #x/y\n',
  'Board.canvas': '{"nodes":[{"id":"1","type":"text","text":"canvas card\\n## kept"}]}',
  'photo.jpg': 'x',
  'sub/y.pdf': 'x',
};

let opened: IndexedVault;
beforeAll(async () => {
  opened = await indexMemoryVault(memoryDisk(files));
});
afterAll(() => opened.close());

function search(query: string) {
  const { signal } = new AbortController();
  const vault = opened.vault.bind({ door: 'cli', scopes: allScopes, signal, deadlineMs: 30_000 });
  return searchNotes(vault, { query, folder: '', limit: 50, offset: 0 });
}

async function check(query: string, expected: readonly string[]): Promise<void> {
  const { hits, total, partial, incomplete } = await search(query);
  const found = partial === true ? [] : hits.map(({ path }) => path).sort();
  expect(found).toEqual([...expected].sort());
  // The PDF of this vault is never read.
  expect([undefined, 'documents']).toContain(incomplete);
  if (partial !== true) expect(total).toBe(expected.length);
}

describe('cases of the app', () => {
  const rows: readonly [string, string, readonly string[]][] = [
    ['S01', '"meeting" "work" OR "meetup" "personal"', ['Meeting.md', 'Work.md', 'Meetup.md']],
    ['S02', '"meeting" -(work meetup)', ['Meetup.md', 'Work.md']],
    ['S03', '"they said \\"hi\\""', ['Work.md']],
    ['S04', 'task:""', ['Tasks.md']],
    ['S05', '[aliases:null]', ['Meetup.md']],
    ['S06', '[duration:<5]', ['Meetup.md']],
    ['S07', '/^## /', ['Sections.md', 'Board.canvas']],
    ['S08', 'TAG:#x FILE:work', ['Work.md']],
    ['S09', 'section:(H1 section:(Sub))', ['Sections.md']],
    ['S10', 'file:.jpg', ['photo.jpg']],
  ];
  it.each(rows)('%s: %s', (_, query, expected) => check(query, expected));
});

const rows: readonly [string, readonly string[]][] = [
  ['tag:x', ['Work.md', 'Empty list.md']],
  ['#x/y', ['Empty list.md']],
  ['file:y', ['sub/y.pdf', 'Empty list.md']],
  ['path:sub/', ['sub/y.pdf']],
  ['file:/^photo\\.(jpg|png)$/', ['photo.jpg']],
  ['line:("meeting" "work")', ['Meeting.md', 'Work.md']],
  ['line:(meeting meetup)', ['Meetup.md']],
  ['block:("meetup" later)', ['Meeting.md']],
  ['task-todo:""', ['Tasks.md']],
  ['task-done:"work"', ['Tasks.md']],
  ['task-todo:"work"', []],
  ['match-case:"Sub"', ['Sections.md']],
  ['match-case:"alone"', []],
  ['content:"sections"', []],
  ['"meetup, personal"', ['Meetup.md']],
  ['"meetup personal"', []],
  ['"meetup," OR "personal,"', ['Meetup.md']],
  ['meeting -"meetup, personal"', ['Meeting.md', 'Work.md']],
  ['[duration] -[duration:<5]', ['Work.md']],
  ['[duration:/^1/]', ['Work.md']],
  ['/they said/ tag:x', ['Work.md']],
  ['/nowhere to be found/', []],
  ['file:.pdf OR file:.jpg', ['sub/y.pdf', 'photo.jpg']],
  ['file:.pdf -/x/', ['sub/y.pdf']],
];
it.each(rows)('finds by %s', (query, expected) => check(query, expected));

it('says why: lines, or what a file is called', async () => {
  expect((await search('/^## \\w+/')).hits.map(({ lines }) => lines)).toEqual(
    expect.arrayContaining([
      [
        { line: 3, text: '## Sub', heading: 'Sub' },
        { line: 7, text: '## Deep', heading: 'Deep' },
      ],
      [{ line: 1, text: '## kept' }],
    ]),
  );
  expect((await search('file:.jpg')).hits).toMatchObject([{ lines: [], matched: 'name' }]);
  expect((await search('path:sub/')).hits).toMatchObject([{ lines: [], matched: 'path' }]);
});

it('says what was corrected, and shows the lines that have it', async () => {
  const { corrected, hits } = await search('persnal');
  expect(corrected).toEqual([{ word: 'persnal', to: ['personal'] }]);
  expect(hits[0]?.lines).toMatchObject([{ text: 'meetup, personal meeting' }]);
  expect((await search('line:(persnal meetup)')).hits.map(({ path }) => path)).toEqual([
    'Meetup.md',
  ]);
});

it('says that nothing has all of it', async () => {
  const { partial, hits } = await search('personal below');
  expect([partial, hits.map(({ path }) => path).sort()]).toEqual([
    true,
    ['Meetup.md', 'Sections.md'],
  ]);
});

it('says how many have all of many words, and counts all that can be shown', async () => {
  const query = 'personal meetup meeting';
  const { total, whole, partial, hits } = await search(query);
  expect([total, whole, partial, hits[0]?.path]).toEqual([3, 1, undefined, 'Meetup.md']);
  expect(hits).toHaveLength(3);
  const { signal } = new AbortController();
  const vault = opened.vault.bind({ door: 'cli', scopes: allScopes, signal, deadlineMs: 30_000 });
  const first = await searchNotes(vault, { query, folder: '', limit: 1, offset: 0 });
  expect([first.total, first.whole]).toEqual([3, 1]);
  const next = await searchNotes(vault, { query, folder: '', limit: 5, offset: 1 });
  expect([next.total, next.whole, next.hits.length]).toEqual([3, 1, 2]);
});

it('finds by other forms of a word, also where only the text can tell', async () => {
  expect((await search('meetings')).hits.map(({ path }) => path)).toContain('Work.md');
  expect((await search('line:(meetings works)')).hits.map(({ path }) => path)).toContain('Work.md');
});
