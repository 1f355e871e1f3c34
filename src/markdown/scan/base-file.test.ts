import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanBase } from './base-file.ts';

describe('scanBase', () => {
  /** Each link as [link, the link as written, the path as written]. */
  const rows: [name: string, text: string, links: [string, string, string][]][] = [
    ['an empty file', '', []],
    ['a filter with a wikilink', 'filters: file.hasLink("[[A b]]")\n', [['A b', '[[A b]]', 'A b']]],
    [
      'link() in a list of filters',
      'filters:\n  and:\n    - note.categories.contains(link("Products"))\n',
      [['Products', '"Products"', 'Products']],
    ],
    ['link() with a label', 'f: link(\'A/b.md\', "x")\n', [['A/b.md', "'A/b.md'", 'A/b.md']]],
    ['the other quote in a name', 'f: link("It\'s")\n', [["It's", '"It\'s"', "It's"]]],
    ['link() to a heading', 'f: link("A#h")\n', [['A#h', '"A#h"', 'A']]],
    ['quotes of YAML around it', 'f: \'x == link("A")\'\n', [['A', '"A"', 'A']]],
    [
      'escapes of YAML around it',
      'f: "x == link(\\"A\\") || [[B|c]]"\n',
      [
        ['A', '\\"A\\"', 'A'],
        ['B', '[[B|c]]', 'B'],
      ],
    ],
    ['a wikilink inside link()', 'f: x.contains(link("[[A]]"))\n', [['A', '[[A]]', 'A']]],
    ['a block scalar', 'f: |\n  a\n  link("A")\n', [['A', '"A"', 'A']]],
    ['a folder is no link', 'f: file.inFolder("Folder")\n', []],
    ['this is no link', 'f: file.hasLink(this)\n', []],
    ['a URL is no link', 'f: link("https://example.org")\n', []],
    ['another function is no link', 'f: hyperlink("A")\n', []],
    ['a list in a list is no link', 'f: [[A]]\n', []],
    ['an alias does not repeat the link', 'a: &x link("A")\nb: *x\n', [['A', '"A"', 'A']]],
  ];
  it.each(rows)('%s', (_, yaml, expected) => {
    for (const text of [yaml, `\ufeff${yaml}`]) {
      const { links, problems } = scanBase(text);
      expect(problems).toEqual([]);
      for (const link of links) expect(link).toMatchObject({ form: 'base', embed: false });
      expect(
        links.map(({ link, range, pathRange }) => [
          link,
          text.slice(range.start, range.end),
          text.slice(pathRange.start, pathRange.end),
        ]),
      ).toEqual(expected);
    }
  });

  it.each(['a: b: c\n', 'a: [\n', 'a: 1\na: 2\n'])('%j is a problem and has no links', (text) => {
    const { links, problems } = scanBase(text);
    expect(links).toEqual([]);
    expect(problems).toMatchObject([{ code: 'invalid_base' }]);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void scanBase(text)));
  });
});
