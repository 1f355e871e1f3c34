import { expect, it } from 'vitest';
import { showInvisible, visibleText } from './invisible.ts';

it.each<[text: string, expected: (string | { code: string })[]]>([
  ['plain\ttext', ['plain\ttext']],
  ['a\u202eb', ['a', { code: 'U+202E' }, 'b']],
  ['\u200b\u200b', [{ code: 'U+200B' }, { code: 'U+200B' }]],
  ['end\r', ['end', { code: 'CR' }]],
  ['👩‍💻', ['👩‍💻']],
  ['a\u{e0041}', ['a', { code: 'U+E0041' }]],
  ['', []],
])('%j is shown with its invisible characters', (text, expected) => {
  expect(showInvisible(text)).toEqual(expected);
});

it('writes invisible characters by number where there is no markup', () => {
  expect(visibleText('a\u202eb')).toBe('aU+202Eb');
});
