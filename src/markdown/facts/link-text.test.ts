import { describe, expect, it } from 'vitest';
import { displayTextOf, isExternal, parseWholeLink, splitLink, wikilink } from './link-text.ts';

describe('a string that is one link', () => {
  it.each<[string, string, string, string, string | undefined]>([
    ['[[a]]', 'a', 'a', 'a', undefined],
    ['  [[a]] ', 'a', 'a', 'a', undefined],
    ['![[a.png|100]]', 'a.png', '100', 'a.png', '100'],
    ['[[F/a#h|b]]', 'F/a#h', 'b', 'F/a', 'b'],
    ['[[#A heading]]', '#A heading', 'A heading', '', undefined],
    ['[t](a%20b.md#c)', 'a b.md#c', 't', 'a%20b.md', 't'],
    ['[t](<a b.md> "title")', 'a b.md', 't', 'a b.md', 't'],
    ['![t](a(1).png)', 'a(1).png', 't', 'a(1).png', 't'],
    ['[a [b] c](d.md)', 'd.md', 'a [b] c', 'd.md', 'a [b] c'],
  ])('%j', (value, link, displayText, path, display) => {
    const found = parseWholeLink(value);
    const at = (range?: { start: number; end: number }) =>
      range && value.slice(range.start, range.end);
    expect(found).toMatchObject({ link, displayText, embed: value.trim().startsWith('!') });
    expect(at(found?.range)).toBe(value.trim());
    expect(at(found?.pathRange)).toBe(path);
    expect(at(found?.displayRange)).toBe(display);
  });

  it.each([
    ...['', 'a', '[[a]] b', 'a [[b]]', '[[a]] [[b]]', '[[]]', '[[a', '[[a]', '!', '![', '['],
    ...[
      '[a](b) c',
      '[a]',
      '[a][b]',
      '[a]()',
      '[a](https://b.c)',
      '[a](b',
      '[[a\nb]]',
      '[](',
      '[a](<b)',
    ],
  ])('%j is none', (value) => {
    expect(parseWholeLink(value)).toBeUndefined();
  });
});

describe('the parts of links', () => {
  it.each([
    ['a', 'a', ''],
    ['a#b#c', 'a', '#b#c'],
    ['#b', '', '#b'],
  ])('%j splits at its first #', (link, path, subpath) => {
    expect(splitLink(link)).toEqual({ path, subpath });
  });

  it.each([
    ['a|b|c', false, 'a', 'b|c'],
    ['|a|b', false, '|a|b', undefined],
    ['a\\|b', true, 'a', 'b'],
    ['a\\|b', false, 'a\\', 'b'],
    ['a', false, 'a', undefined],
  ])('%j splits at its first pipe, in a table: %j', (inner, inTable, link, alias) => {
    const text = `[[${inner}]]`;
    const found = wikilink(text, { start: 0, open: 0, end: text.length, inTable });
    const shown = found.displayRange;
    expect(found.link).toBe(link);
    expect(shown && text.slice(shown.start, shown.end)).toBe(alias);
  });

  it.each([
    ['a', 'a'],
    ['a#b#c', 'a > b > c'],
    ['#b#c', 'b > c'],
    ['#^x', '^x'],
    ['|#a', '| > a'],
    ['#', '#'],
  ])('%j is shown as %j', (link, shown) => {
    expect(displayTextOf(link)).toBe(shown);
  });

  it.each([
    ['a%20b', 'a b'],
    ['%D0%B9', 'й'],
    ['100%', '100%'],
    ['%zz%20', '%zz '],
    ['%E4%20', '%E4%20'],
  ])('%j is decoded to %j', (destination, decoded) => {
    expect(parseWholeLink(`[x](<${destination}>)`)?.link).toBe(decoded);
  });

  it.each([
    ['https://a', true],
    ['mailto:a@b.c', true],
    ['obsidian://open', true],
    ['//host/a', true],
    ['/a', false],
    ['a:b', false],
    ['a b:c', false],
    ['#a', false],
  ])('%j leads out of the vault: %j', (destination, external) => {
    expect(isExternal(destination)).toBe(external);
  });
});
