import { describe, expect, it } from 'vitest';
import { changeSentences, plannedSentence } from './change-sentences.ts';
import { describeChange, folderOf, inOrder, noteName } from './describe-change.ts';

type DescribableChange = Parameters<typeof describeChange>[0];
type Files = readonly {
  path: string;
  did: 'created' | 'changed' | 'moved' | 'deleted';
  from?: string;
}[];
const changed = (path: string): Files[number] => ({ path, did: 'changed' });

function said(tool: string, files: Files, more: Partial<DescribableChange> = {}): string {
  const change = { tool, args: {}, files, ...more } as unknown as DescribableChange;
  const { kind, sentence, also } = describeChange(change);
  const text = sentence.map((piece) => (typeof piece === 'string' ? piece : piece.name)).join('');
  return `${kind}: ${text}${also === '' ? '' : `; ${also}`}`;
}

describe('describeChange', () => {
  it.each<[tool: string, files: Files, expected: string, more?: Partial<DescribableChange>]>([
    [
      'create_note',
      [{ path: 'Projects/Chutney.md', did: 'created' }],
      'created: Created Chutney in Projects',
    ],
    ['create_note', [{ path: 'Chutney.md', did: 'created' }], 'created: Created Chutney'],
    ['set_task', [changed('Blog.md')], 'changed: Checked off a task in Blog'],
    [
      'task',
      [changed('Blog.md')],
      'changed: Set a task in Blog to in progress',
      { args: { status: 'in progress' } },
    ],
    [
      'obsidian_task_set',
      [changed('Blog.md')],
      'changed: Reopened a task in Blog',
      { args: { status: ' ' } },
    ],
    ['obsidian_task_set', [changed('Blog.md')], 'changed: Set a task in Blog'],
    ['note_upsert', [changed('devlog/box.md')], 'changed: Added to box'],
    ['delete_note', [{ path: 'a/Swifts.md', did: 'deleted' }], 'deleted: Deleted Swifts'],
    [
      'delete_note',
      [{ path: 'a/Swifts.md', did: 'deleted' }, changed('b.md')],
      'deleted: Deleted Swifts; 1 other file changed',
    ],
    [
      'rename_note',
      [changed('x.md'), { path: 'p/B.md', did: 'moved', from: 'p/A.md' }, changed('y.md')],
      'moved: Renamed A to B; links updated in 2 notes',
    ],
    [
      'rename_note',
      [
        ...['x.md', 'y.MD', 'c.Canvas', 'd.base'].map(changed),
        { path: 'p/B.md', did: 'moved', from: 'p/A.md' },
      ],
      'moved: Renamed A to B; links updated in 2 notes, 1 canvas and 1 base',
    ],
    ['move', [{ path: 'q/A.md', did: 'moved', from: 'p/A.md' }], 'moved: Moved A to q'],
    [
      'fs.rename',
      [
        { path: 'B.md', did: 'deleted' },
        { path: 'B.md', did: 'moved', from: 'A.md' },
      ],
      'moved: Renamed A to B',
    ],
    [
      'move',
      [{ path: 'A.md', did: 'moved', from: 'p/A.md' }],
      'moved: Moved A to the top of the vault',
    ],
    ['move', [{ path: 'q/B.md', did: 'moved', from: 'p/A.md' }], 'moved: Moved A to q as B'],
    [
      'batch',
      [
        { path: 'a.md', did: 'created' },
        { path: 'b.md', did: 'created' },
      ],
      'created: Created a and 1 more',
    ],
    ['append_note', [changed('n.md')], 'changed: Added to n'],
    [
      'append_section',
      [changed('n.md')],
      'changed: Added to n, in Log',
      { args: { section: 'Log' } },
    ],
    ['replace_note', [changed('Sourdough.md')], 'changed: Edited Sourdough'],
    ['update_note', [changed('n.md')], 'changed: Replaced the text of n'],
    ['set_frontmatter', [changed('n.md')], 'changed: Set review of n', { args: { key: 'review' } }],
    [
      'set_frontmatter',
      [changed('n.md')],
      'changed: Set a, b, c and 2 more of n',
      { args: { keys: [...'abcde'] } },
    ],
    [
      'set_frontmatter',
      [changed('n.md')],
      'changed: Set a and b of n',
      { args: { keys: ['a', 'b'] } },
    ],
    ['set_properties', [changed('n.md')], 'changed: Set properties of n'],
    ['property rename', [changed('n.md')], 'changed: Renamed a property in 1 note'],
    ['tag rename', [changed('n.md'), changed('m.md')], 'changed: Renamed a tag in 2 notes'],
    ['a tool of tomorrow', [changed('n.md')], 'changed: Changed n'],
    ['constructor', [changed('n.md')], 'changed: Changed n'],
    [
      'a tool of tomorrow',
      [changed('n.md'), changed('m.md')],
      'changed: Changed m and 1 other file',
    ],
    ['x', [], 'changed: Changed no file'],
    ['undo_change', [changed('n.md')], 'taken-back: Took back 2 changes', { undoes: [1, 2] }],
  ])('%s: %j', (tool, files, expected, more) => {
    expect(said(tool, files, more)).toBe(expected);
  });
});

describe('names', () => {
  it.each([
    ['a/b/Note.md', 'Note', 'a/b'],
    ['Note.canvas', 'Note.canvas', ''],
    ['a.md/x.png', 'x.png', 'a.md'],
  ])('%s', (path, name, folder) => {
    expect([noteName(path), folderOf(path)]).toEqual([name, folder]);
  });

  it('stand in order: first what came, went or moved', () => {
    const files = [changed('b'), changed('a'), { path: 'z', did: 'deleted' as const }];
    expect(inOrder(files).map(({ path }) => path)).toEqual(['z', 'a', 'b']);
  });
});

it('words a planned change as a request', () => {
  const rename = changeSentences.renamed('A', 'B');
  expect(plannedSentence(rename)).toEqual(['Rename ', { name: 'A' }, ' to ', { name: 'B' }]);
  expect(plannedSentence(changeSentences.checkedOff('A'))[0]).toBe('Check off a task in ');
  expect(plannedSentence(changeSentences.tookBackIn('A'))[0]).toBe('Take back a change of ');
  expect(plannedSentence(changeSentences.setProperties('A', ['key']))[0]).toBe('Set ');
});
