import type { VNode } from 'preact';
import { describe, expect, it } from 'vitest';
import { type CellValue, renderCell } from './base-cell.ts';
import { dateWords, durationText, errorPlace, numberWords } from './cell-words.ts';

const Picture = () => null;

/** What is drawn as text, with the elements and attributes that matter. */
function drawn(node: unknown): string {
  if (node === null || node === undefined || typeof node === 'boolean') return '';
  if (Array.isArray(node)) return node.map(drawn).join('');
  if (typeof node !== 'object') return String(node);
  const { type, props } = node as VNode<Record<string, unknown>>;
  if (typeof type === 'function') {
    const name = type.name;
    if (['Picture', 'NoteIcon'].includes(name)) {
      return `<${name} ${String(props['path'] ?? props['name'])}>`;
    }
    throw new Error(`a component that no cell may have: ${name}`);
  }
  const inner = drawn(props.children);
  const shown = ['href', 'aria-label'].flatMap((key) =>
    props[key] === undefined ? [] : [` ${key}="${String(props[key])}"`],
  );
  return ['span', 'small'].includes(String(type)) && shown.length === 0
    ? inner
    : `<${String(type)}${shown.join('')}>${inner}</${String(type)}>`;
}

const cell = (value: CellValue, id = 'note.x', path = 'Trips/Porto.md') =>
  drawn(renderCell(value, { vault: undefined, Picture }, { id, path }));

describe('a cell', () => {
  it.each<readonly [value: CellValue, shown: string]>([
    [null, ''],
    [true, '<span aria-label="yes"></span>'],
    [2026, '2026'],
    [1234567.5, '1,234,567.5'],
    [0.1 + 0.2, '0.3'],
    [['a', 'b', { $more: 3 }], 'a, b, and 3 more'],
    [['a', ['b']], 'a, <code>["b"]</code>'],
    [{ $date: '2026-03-02' }, '2 Mar 2026'],
    [{ $date: '2026-03-02T09:05:00' }, '2 Mar 2026, 09:05'],
    [{ $duration: 90_000_000 }, '1 day, 1 hour'],
    [{ $link: 'Kyoto', path: 'Trips/Kyoto.md' }, '<a href="/c/notes/Trips/Kyoto.md">Kyoto</a>'],
    [
      { $link: 'Kyoto#Food', path: 'Kyoto.md', display: 'eat' },
      '<a href="/c/notes/Kyoto.md#Food">eat</a>',
    ],
    [{ $link: 'Nobody', path: null }, 'Nobody'],
    [
      { $link: 'https://a.example/', external: true, display: 'A' },
      '<a href="https://a.example/">A</a> (a.example)',
    ],
    [{ $file: 'Sub/A.md' }, '<a href="/c/notes/Sub/A.md">A</a>'],
    [{ $icon: 'lucide-calendar' }, '<span aria-label="calendar"><NoteIcon date></span>'],
    [{ $icon: 'rocket' }, 'rocket'],
    [{ $image: 'a', path: 'Pictures/a.png' }, '<Picture Pictures/a.png>'],
    [{ $regexp: '/a/i' }, '<code>/a/i</code>'],
    [{ $number: 'Infinity' }, 'Infinity'],
    [{ $error: 'type' }, 'wrong type'],
    [{ $error: 'constructor' }, 'error'],
    [{ a: 1 }, '<code>{"a":1}</code>'],
  ])('%j is shown as %s', (value, shown) => {
    expect(cell(value)).toBe(shown);
  });

  it('with the name of its file leads there, and a tag to a search', () => {
    expect(cell('Porto', 'file.name')).toBe('<a href="/c/notes/Trips/Porto.md">Porto</a>');
    expect(cell(['sea'], 'note.tags')).toBe('<a href="/c/notes?q=tag%3A%23sea">#sea</a>');
  });

  const script = '<script>alert(1)</script>';
  it.each<readonly [value: CellValue, shown: string]>([
    [{ $html: script }, `<code>${script}</code>`],
    [script, script],
    [{ $link: 'javascript:alert(1)', external: true, display: 'x' }, 'x'],
    [{ $image: 'data:image/svg+xml,x', path: null }, 'data:image/svg+xml,x'],
    [
      { $image: 'http://evil.example/p.png', path: null },
      '<a href="http://evil.example/p.png">Picture on the web</a> (evil.example)',
    ],
    [{ $image: 'x', path: 'Notes/x.md' }, '<a href="/c/notes/Notes/x.md">x</a>'],
    [{ $icon: script }, script],
    ['a\u202eb', 'aU+202Eb'],
  ])('never becomes more than text, a link or a picture of the vault: %j', (value, shown) => {
    expect(cell(value)).toBe(shown);
  });
});

describe('words of cells', () => {
  it.each<readonly [ms: number, months: number, text: string]>([
    [0, 0, '0 s'],
    [1_500, 0, '1 second'],
    [-60_000, 0, '−1 minute'],
    [86_400_000 * 400, 0, '400 days'],
    [0, 14, '1 year, 2 months'],
    [500, 0, '0.5 s'],
  ])('%d ms and %d months are %s', (ms, months, text) => {
    expect(durationText(ms, months)).toBe(text);
  });

  it.each([
    ['filters.and[0]', 'A filter of the base'],
    ['views[1].filters', 'A filter of the view'],
    ['formula.total cost', 'The formula “total cost”'],
    ['summaries.note.price', 'The summary of “price”'],
    ['note.price', 'The column “price”'],
    ['view', ''],
  ])('%s is %s', (at, said) => {
    expect(errorPlace(at)).toBe(said);
  });

  it('leave what is no date as it is', () => {
    expect([dateWords('99999-99-99'), numberWords(-0.5)]).toEqual(['99999-99-99', '-0.5']);
  });
});
