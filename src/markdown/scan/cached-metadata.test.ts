import { expect, it } from 'vitest';
import { toCachedMetadata } from './cached-metadata.ts';
import { scanNote } from './scan-note.ts';

const cached = (text: string) => toCachedMetadata(text, scanNote(text));

it('a note without anything has no keys', () => {
  expect(cached('')).toEqual({});
});

it('positions are lines and columns from 0, and UTF-16 offsets', () => {
  expect(cached('é👍\r\n#t').tags).toEqual([
    {
      tag: '#t',
      position: { start: { line: 1, col: 0, offset: 5 }, end: { line: 1, col: 2, offset: 7 } },
    },
  ]);
});

it('links, embeds and definitions are kept apart', () => {
  const { links, embeds, referenceLinks } = cached('[[a]] ![[b]]\n\n[c]: d');
  expect(links?.map(({ link }) => link)).toEqual(['a']);
  expect(embeds?.map(({ original }) => original)).toEqual(['![[b]]']);
  expect(referenceLinks?.map(({ id, link }) => [id, link])).toEqual([['c', 'd']]);
});

it('empty and invalid properties are a section, but no frontmatter', () => {
  for (const text of ['---\n---', '---\na: [\n---']) {
    const { sections, frontmatter, frontmatterPosition } = cached(text);
    expect(sections?.map(({ type }) => type)).toEqual(['yaml']);
    expect([frontmatter, frontmatterPosition]).toEqual([undefined, undefined]);
  }
});

it('block ids are found under their name in lower case', () => {
  expect(Object.keys(cached('a ^Some-Id').blocks ?? {})).toEqual(['some-id']);
});

it.each([
  ["k: '[[It''s]]'", 'k', "[[It's]]"],
  ['k: "[[a \\"b\\"|c\\u00e9]]"', 'k', '[[a "b"|cé]]'],
  ['k: [x, " [[a]] "]', 'k.1', '[[a]]'],
  ['k:\n  - a: "[[b]]"', 'k.0.a', '[[b]]'],
  ['k: >-\n  [[a\n  b]]', 'k', '[[a b]]'],
])('links of %j are given as the value has them, without quotes and escapes', (yaml, key, link) => {
  const { frontmatterLinks } = cached(`---\n${yaml}\n---\n`);
  expect(frontmatterLinks?.map(({ key, original }) => [key, original])).toEqual([[key, link]]);
});
