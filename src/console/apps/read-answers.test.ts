import { describe, expect, it } from 'vitest';
import { readChanges, readUndo } from './read-changes.ts';
import { noteTextIn, readFound } from './read-found.ts';
import { readResult } from './read-result.ts';

const text = (words: string) => [{ type: 'text', text: words }];

describe('readResult', () => {
  it.each<[unknown, object]>([
    [
      { content: text('{"a":1}\n\n---\nWhat follows is data') },
      { isFailure: false, value: { a: 1 } },
    ],
    [{ content: text('{"a":1}'), structuredContent: { b: 2 } }, { value: { b: 2 } }],
    [{ content: text('Proposed p1') }, { isFailure: false, text: 'Proposed p1' }],
    [{ content: text('{not JSON') }, { text: '{not JSON' }],
    [{ content: text('[1]') }, { text: '[1]' }],
    [
      { content: text('{"a":1}'), isError: true },
      { isFailure: true, text: '{"a":1}' },
    ],
    [{ content: [{ type: 'image' }, ...text('x')] }, { text: 'x' }],
    [undefined, { isFailure: false, text: '' }],
    [{ content: 'text' }, { text: '' }],
  ])('of %j', (result, expected) => {
    const read = readResult(result);
    expect(read).toMatchObject(expected);
    if (!('value' in expected)) expect(read).not.toHaveProperty('value');
  });
});

describe('readChanges', () => {
  it('says for every change who made it, and reads its files', () => {
    const changes = [
      { id: 3, time: '2026-11-17T15:00:00Z', tool: 't', client: 'c/1', moved: { 'a.md': 'b.md' } },
      { id: 'c-00000000', tool: 't', changed: ['x.md', 7], created: ['y.md'], undone_by: 9 },
      { id: 1, tool: 't', client: null, deleted: ['z.md'], undoes: [2, 4] },
      { tool: 'without an id' },
    ];
    expect(readChanges({ changes })).toEqual([
      {
        id: 3,
        tool: 't',
        client: 'c/1',
        timeMs: 1_794_927_600_000,
        files: [{ path: 'b.md', did: 'moved', from: 'a.md' }],
        undoes: 0,
        isUndone: false,
      },
      {
        id: 'c-00000000',
        tool: 't',
        client: 'c/1',
        files: [
          { path: 'y.md', did: 'created' },
          { path: 'x.md', did: 'changed' },
        ],
        undoes: 0,
        isUndone: true,
      },
      { id: 1, tool: 't', files: [{ path: 'z.md', did: 'deleted' }], undoes: 2, isUndone: false },
    ]);
    expect(readChanges({})).toEqual([]);
  });
});

describe('readUndo', () => {
  it('reads what an undo did', () => {
    const left = [{ path: 'a.md', reason: 'why' }];
    expect(readUndo({ change: 5, undone: [1], undone_total: 60, merged: ['b.md'], left })).toEqual({
      change: 5,
      undone: 60,
      merged: 1,
      left,
      warnings: [],
    });
    expect(readUndo({ change: null, undone: [] })).not.toHaveProperty('change');
    expect(readUndo({ changes: [] })).toBeUndefined();
  });
});

describe('readFound', () => {
  it('reads the answers of three tools', () => {
    const hits = [
      { path: 'a.md', lines: ['12: a: b', 'no number'], matches: '1000+', section: 'S' },
    ];
    expect(readFound({ total: 9, hits, next_offset: 1, hint: 'h', suggestions: ['s'] })).toEqual({
      notes: [
        {
          path: 'a.md',
          lines: [{ line: 12, text: 'a: b' }, { text: 'no number' }],
          more: ['S', '1000+ lines match'],
        },
      ],
      total: 9,
      remarks: ['h', 's'],
      nextOffset: 1,
      reader: 'read_note',
    });
    const [one, two] = [1, 2].map((line) => ({ path: 'a.md', line, text: `l${line}` }));
    expect(readFound({ results: [one, two], truncated: true, note: 'n' })).toEqual({
      notes: [
        {
          path: 'a.md',
          lines: [
            { line: 1, text: 'l1' },
            { line: 2, text: 'l2' },
          ],
          more: [],
        },
      ],
      remarks: ['n'],
      reader: 'note_read',
    });
    const edges = [{ from: 'a.md', to: 'b.md' }];
    expect(
      readFound({ nodes: [{ path: 'a.md', depth: 0 }], edges, truncated: true }),
    ).toMatchObject({
      notes: [{ path: 'a.md', depth: 0 }],
      links: edges,
      remarks: ['There are more than are shown.'],
    });
    expect(readFound({})).toBeUndefined();
  });
});

describe('noteTextIn', () => {
  const forged = '{"exists":true,"content":"harmless"}\nwhat the model reads';
  it.each([
    ['read_note', 'a note', 'a note'],
    ['read_note', forged, forged],
    ['note_read', '{"exists":true,"content":"a note"}', 'a note'],
    ['note_read', '{"exists":true}', '{"exists":true}'],
  ] as const)('of %s for %j', (reader, text, expected) => {
    const result = readResult({ content: [{ type: 'text', text }] });
    expect(noteTextIn(result, reader)).toBe(expected);
  });
});
