import { describe, expect, onTestFinished, test } from 'vitest';
import { bundleRunWorker } from '../../../test/watcher/bundle-worker.ts';
import { VaultError } from '../../base/vault-error.ts';
import { doNoteWork } from '../../engine/heavy/note-work.ts';
import type { NoteWork, NoteWorker } from '../../engine/ports/note-work.ts';
import { openThreadNoteWorker } from './thread-note-worker.ts';

const entryFile = bundleRunWorker();

function open(): NoteWorker {
  const worker = openThreadNoteWorker({ entryFile });
  onTestFinished(() => worker.close());
  return worker;
}

const never = new AbortController().signal;
const text = `---
tags: [one, two]
aliases: Nick
up: "[[Target]]"
---
# First

- [ ] a task #three in [[Folder/Target|Target]]

## Second

[[Target#Part]] ![[Target]]
`;
const page = { limit: 10, offset: 0 };
const files = new Map(
  ['target', 'target.md', 'target.md.md', 'aim', 'aim.md', 'aim.md.md'].map((name) => [
    name,
    name === 'target.md' ? [{ path: 'Folder/Target.md' }] : [],
  ]),
);
const after = new Map(files).set('target.md', []).set('aim.md', [{ path: 'Folder/Aim.md' }]);

const bytes = (content: string) => new TextEncoder().encode(content);
const more = `${text}One more.\n`;
const contents = { base: bytes(text), ours: bytes(more) };
const change = { from: 'a.md', to: 'a.md', before: contents.base, after: contents.ours };
const other = { subpath: '#Other', clear: true };

/** A call of each task, and a part of its answer. */
const calls: { readonly [Task in keyof NoteWork]: readonly [Parameters<NoteWork[Task]>, unknown] } =
  {
    headings: [[text, page], { total: 2 }],
    section: [[text, 'second'], { line: 10 }],
    heading: [[text, '#second'], { found: 'Second' }],
    linkingLines: [
      [text, { kind: 'note', links: new Set(['Target']), limit: 9, charsMax: 99 }],
      [{ line: 4 }, { line: 12 }, { line: 12 }],
    ],
    linkTexts: [
      [text, { kind: 'note', starts: new Set([text.indexOf('[[Target#')]), charsMax: 99 }],
      [{ text: expect.stringContaining('[[Target'), heading: 'Second' }],
    ],
    links: [
      [text, { name: 'target.md' }],
      [{ line: 4 }, { line: 8 }, { line: 12 }],
    ],
    tags: [[text, 'note'], { inProperties: ['one', 'two'], inText: ['three'] }],
    marks: [[text, 'note', { tags: ['one'], properties: [] }], ['#one']],
    changedMarks: [
      [undefined, { text, kind: 'note' }, { tags: [], properties: ['up=[[target]]'] }],
      { had: [], added: ['up=[[target]]'] },
    ],
    labels: [[text, 'note'], { tags: ['#one', '#two', '#three'], aliases: ['Nick'] }],
    words: [[text], { words: 13 }],
    tasks: [[text, page], { total: 1 }],
    items: [[text], expect.stringContaining('"status":')],
    place: [[text, { added: 'More', at: { end: 'Second' } }], { line: 13 }],
    properties: [
      [text],
      {
        entries: [
          ['tags', ['one', 'two']],
          ['aliases', 'Nick'],
          ['up', '[[Target]]'],
        ],
      },
    ],
    setProperty: [
      [text, 'UP', 'x'],
      { key: 'up', edits: [{ text: expect.stringContaining('x') }] },
    ],
    mergeProperties: [[text, '---\nnew: 1\n---\n'], expect.stringContaining('new: 1\n---\n')],
    removeProperty: [[text, 'up'], [{ text: '' }]],
    setProperties: [
      [
        text,
        [
          ['up', null],
          ['new', 'x'],
        ],
      ],
      [{ text: expect.stringContaining('new') }],
    ],
    rewriteLinks: [
      [
        text,
        {
          path: 'Note.md',
          moves: new Map([['Folder/Target.md', 'Folder/Aim.md']]),
          names: new Set(['target.md', 'aim.md']),
          before: files,
          after,
          settings: { newLinkFormat: 'shortest' },
        },
      ],
      { rewritten: 4, text: expect.stringContaining('[[Aim|Aim]]') },
    ],
    unlink: [
      [text, { path: 'Note.md', target: 'Folder/Target.md', files }],
      { unlinked: 3, left: [{ line: 12, kind: 'embed' }] },
    ],
    linkedNames: [[text, 'note'], ['target']],
    diff: [[change], expect.stringContaining('+One more.\n')],
    diffExcerpt: [[change], expect.stringContaining('+One more.')],
    merge: [
      [{ kind: 'note', before: bytes(`Top\n${text}`), after: contents.base, now: contents.ours }],
      { bytes: bytes(`Top\n${more}`) },
    ],
    mergeCopy: [
      [
        { original: contents.ours, copy: bytes(`Top\n${text}`), base: contents.base },
        { each: new Map() },
      ],
      { fromCopy: 1, total: 0, choices: [], text: `Top\n${more}` },
    ],
    lineHashes: [[{ bytes: bytes('b\na\n') }], Uint32Array.of(0xe40c292c, 0xe70c2de5)],
    nearestLines: [[text, '- [ ] a tusk #three', { from: 0, max: 1 }], [7]],
    renameTag: [
      [text, { from: 'three', to: 'four' }],
      { count: 1, text: text.replace('#three', '#four') },
    ],
    renameProperty: [
      ['---\na: 1\n---\n', { from: 'A', to: 'b' }],
      { did: 'renamed', text: '---\nb: 1\n---\n' },
    ],
    baseLinkPaths: [['filters: x == link("Target")\n', 'base'], ['Target']],
    renameInBases: [
      ['filters: a > 1\n', { kind: 'base', property: { from: 'a', to: 'b' } }],
      { text: 'filters: b > 1\n', count: 1 },
    ],
    tagLines: [
      [text, ['three', 'five']],
      [[8], []],
    ],
    renamePart: [
      [
        text,
        {
          path: 'Folder/Target.md',
          part: { heading: 'Second', newHeading: 'Other' },
          subpaths: ['#second', '#First'],
        },
      ],
      { edits: [{ text: 'Other' }], subpaths: new Map([['#second', other]]) },
    ],
    subpathsTo: [[text, { path: 'Note.md', target: 'Folder/Target.md', files }], ['#Part']],
    renameInLinks: [
      [
        text,
        {
          path: 'Note.md',
          target: 'Folder/Target.md',
          files,
          subpaths: new Map([['#Part', other]]),
          edits: [],
        },
      ],
      { rewritten: 1, text: text.replace('#Part', '#Other') },
    ],
    headingNames: [[text, 'sec', 5], { total: 1, values: ['Second'] }],
    facts: [[text, 'note'], { allTags: ['#one', '#two', '#three'], more: { aliases: [{}] } }],
  };

describe('a task in a thread', () => {
  test.each(Object.keys(calls) as (keyof NoteWork)[])(
    '%s answers as it does here',
    async (task) => {
      const [args, part] = calls[task];
      const here = doNoteWork(task, args as never);
      expect([here]).toMatchObject([part]);
      expect(await open().run(task, args as never, never)).toEqual(here);
      expect(doNoteWork(task, args as never)).toEqual(here); // The thread took nothing away.
    },
  );

  test('fails as it does here, and the thread is of use again', async () => {
    const worker = open();
    const failed = worker.run('section', [text, 'Third'], never);
    await expect(failed).rejects.toMatchObject({
      code: 'not_found',
      details: { candidates: ['# First', 'First > Second'] },
    });
    expect(await worker.run('section', [text, 'first'], never)).toMatchObject({ line: 6 });
  });

  test('ends with the call, in the middle of its work, and the next has a thread', async () => {
    const worker = open();
    await worker.run('words', ['warm'], never);
    const over = new AbortController();
    const long = '[[a]] '.repeat(2_000_000);
    const stuck = worker.run('headings', [long, page], over.signal);
    const reason = new VaultError('timeout', 'The call took longer than a moment.');
    setTimeout(() => over.abort(reason), 20);
    await expect(stuck).rejects.toBe(reason);
    expect(await worker.run('words', ['one two'], never)).toMatchObject({ words: 2 });
  });

  test('that is not begun when the call is over does not begin', async () => {
    const over = AbortSignal.abort(new VaultError('timeout', 'Over.'));
    await expect(open().run('words', [text], over)).rejects.toThrow('Over.');
  });

  test('that waits while the vault is closed is cancelled', async () => {
    const worker = open();
    const waiting = worker.run('words', ['word '.repeat(1_000_000)], never);
    await worker.close();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  });
});
