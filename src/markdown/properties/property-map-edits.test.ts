import { expect, it } from 'vitest';
import type { PropertyValue } from '../facts/facts.ts';
import { applyEdits } from '../text/text-edit.ts';
import { setProperty } from './set-property.ts';

const note = (map: string) => `---\nk:${map}\nz: 1\n---\nbody`;

it.each<[name: string, before: string, value: PropertyValue, after: string]>([
  [
    'keeps the comments and quotes of entries that stay',
    '\n  # about a\n  a: "1" # one\n  b: 2 # two',
    { a: '1', b: 3 },
    '\n  # about a\n  a: "1" # one\n  b: 3 # two',
  ],
  [
    'takes new entries at its end',
    ' # c\n    a: 1 # one',
    { a: 1, b: [2] },
    ' # c\n    a: 1 # one\n    b:\n      - 2',
  ],
  ['loses an entry with its lines', '\n  a:\n    - x\n  b: 2 # two', { b: 2 }, '\n  b: 2 # two'],
  [
    'loses its last entry and gains another',
    '\n  a: 1 # one\n  b: 2',
    { a: 1, c: 3 },
    '\n  a: 1 # one\n  c: 3',
  ],
  [
    'changes deep down only',
    "\n  a:\n    b: [ x,  y ] # c\n    d: 'e'",
    { a: { b: ['x', 'y', 'z'], d: 'f' } },
    "\n  a:\n    b: [ x,  y,  z ] # c\n    d: 'f'",
  ],
  [
    'fills and empties entries',
    '\n  a: # one\n  b: 2 # two',
    { a: 1, b: null },
    '\n  a: 1 # one\n  b: # two',
  ],
  ['is written anew when nothing of it stays', '\n  a: 1 # one\n  c: 3', { b: 2 }, '\n  b: 2'],
  [
    'keeps the text of names',
    '\n  "a": 1\n  ? b\n  : 2',
    { a: 3, b: 2 },
    '\n  "a": 3\n  ? b\n  : 2',
  ],
])('a map %s', (_, before, value, after) => {
  const set = (text: string) => applyEdits(text, setProperty(text, 'k', value));
  expect(set(note(before))).toBe(note(after));
  const crlf = (text: string) => note(text).replaceAll('\n', '\r\n');
  expect(set(crlf(before))).toBe(crlf(after));
});
