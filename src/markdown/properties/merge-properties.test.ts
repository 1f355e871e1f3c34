import { describe, expect, it } from 'vitest';
import { parseFrontmatter } from './frontmatter.ts';
import { mergeProperties } from './merge-properties.ts';

const merge = (note: string, template: string): string =>
  mergeProperties(note, parseFrontmatter(template)?.frontmatter.properties ?? []);

describe('mergeProperties', () => {
  it.each([
    ['adds what a note lacks, in order', '---\na: 1\n---\nx', 'b: 2\nc: 3', 'a: 1\nb: 2\nc: 3'],
    ['keeps values of the note', '---\na: "1" # mine\n---\nx', 'a: 2\nA: 3', 'a: "1" # mine'],
    ['fills in what has no value', '---\na:\nb: x\n---\nx', 'a: 2', 'a: 2\nb: x'],
    ['unites lists', '---\nl: [x, y]\n---\nx', 'l:\n  - y\n  - z', 'l: [x, y, z]'],
    ['unites lists of lines', '---\nl:\n- x # mine\n---\nx', 'l: [z]', 'l:\n- x # mine\n- z'],
    [
      'takes a word for a list where the app does',
      '---\ntags: a\n---\nx',
      'tags: [b]',
      'tags:\n  - a\n  - b',
    ],
    ['takes a word into a list', '---\naliases: [a]\n---\nx', 'aliases: b', 'aliases: [a, b]'],
    [
      'knows one tag by any spelling',
      '---\ntags: [Work]\n---\nx',
      'tags: ["#work"]',
      'tags: [Work]',
    ],
    ['keeps a word where lists are not usual', '---\nk: a\n---\nx', 'k: [b]', 'k: a'],
    ['leaves entries without value out', '---\ntags: [a]\n---\nx', 'tags: [null, ""]', 'tags: [a]'],
    ['keeps a map', '---\nk: {a: 1}\n---\nx', 'k: {b: 2}', 'k: {a: 1}'],
    ['keeps line ends', '---\r\na: 1\r\n---\r\nx', 'b: 2', 'a: 1\r\nb: 2'],
    ['begins a block', 'x', 'tags: [a]\nb: 2', 'tags:\n  - a\nb: 2'],
  ])('%s', (_, note, template, expected) => {
    const eol = expected.includes('\r') ? '\r\n' : '\n';
    const wanted = `---${eol}${expected}${eol}---${eol}x`;
    expect(merge(note, `---\n${template}\n---\n`)).toBe(wanted);
    expect(merge(wanted, `---\n${template}\n---\n`)).toBe(wanted);
  });

  it('changes nothing when there is nothing to add', () => {
    expect(merge('x', 'no properties')).toBe('x');
  });

  it('refuses a note whose properties are broken', () => {
    expect(() => merge('---\na: b: c\n---\n', '---\nk: 1\n---\n')).toThrow(/not valid YAML/);
  });
});
