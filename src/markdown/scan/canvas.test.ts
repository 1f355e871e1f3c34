import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvasText, scanCanvas } from './canvas.ts';

const canvas = (...nodes: object[]) => JSON.stringify({ nodes, edges: [] }, undefined, '\t');
const card = (text: string) => ({ id: '1', x: 0, y: 0, width: 1, height: 1, type: 'text', text });
const file = (file: string, subpath?: string) => ({ id: '2', type: 'file', file, subpath });

describe('scanCanvas', () => {
  /** Each link as [form, link, the link as written, the path as written]. */
  const rows: [name: string, text: string, links: [string, string, string, string][]][] = [
    ['an empty file', '', []],
    ['blanks', ' \n', []],
    ['an empty object', '{}', []],
    ['nodes that are no list', '{"nodes":{"type":"file","file":"x"}}', []],
    ['nodes that are no objects', '{"nodes":[1,null,"x",[]]}', []],
    ['a file node', canvas(file('A/b.md')), [['canvas', 'A/b.md', '"A/b.md"', 'A/b.md']]],
    [
      'a file node with a subpath',
      canvas(file('b.md', '#h')),
      [['canvas', 'b.md#h', '"b.md"', 'b.md']],
    ],
    [
      'a file node with escapes',
      canvas(file('a"b.md')),
      [['canvas', 'a"b.md', '"a\\"b.md"', 'a\\"b.md']],
    ],
    ['a file node without a file', canvas({ type: 'file' }, file('')), []],
    [
      'L31 a text card, but not code in it',
      canvas(card('see [[Tags in Frontmatter]]:\n\n```\n[[no]]\n```')),
      [['wikilink', 'Tags in Frontmatter', '[[Tags in Frontmatter]]', 'Tags in Frontmatter']],
    ],
    [
      'a text card with escapes before and inside the link',
      canvas(card('"\n\t😀 ![[a\\b "c"|d]]')),
      [['wikilink', 'a\\b "c"', '![[a\\\\b \\"c\\"|d]]', 'a\\\\b \\"c\\"']],
    ],
    [
      'a group and a link node',
      canvas({ type: 'group', label: '[[x]]' }, { type: 'link', url: 'x' }),
      [],
    ],
    [
      'the background of a group',
      canvas({ type: 'group', background: 'pics/b "1".png' }, { type: 'group', background: 1 }),
      [['canvas', 'pics/b "1".png', '"pics/b \\"1\\".png"', 'pics/b \\"1\\".png']],
    ],
    ['an unknown node with a file', canvas({ type: 'x', file: 'a.md', text: '[[b]]' }), []],
    [
      'several, in order',
      canvas(file('a.md'), card('[[b]] [[c]]')),
      [
        ['canvas', 'a.md', '"a.md"', 'a.md'],
        ['wikilink', 'b', '[[b]]', 'b'],
        ['wikilink', 'c', '[[c]]', 'c'],
      ],
    ],
  ];
  it.each(rows)('%s', (_, text, expected) => {
    for (const source of [text, `\ufeff${text}`]) {
      const { links, problems } = scanCanvas(source);
      expect(problems).toEqual([]);
      expect(
        links.map(({ form, link, range, pathRange }) => [
          form,
          link,
          source.slice(range.start, range.end),
          source.slice(pathRange.start, pathRange.end),
        ]),
      ).toEqual(expected);
    }
  });

  it.each(['{"nodes":[', '[]', '"x"', '{} x', `${'['.repeat(1000)}`])(
    'broken JSON is a problem and has no links: %j',
    (text) => {
      const { links, problems } = scanCanvas(text);
      expect(links).toEqual([]);
      expect(problems).toMatchObject([{ code: 'invalid_canvas' }]);
    },
  );

  it('ranges cut the path out of the JSON, whatever surrounds the link', () => {
    const around = fc.string();
    fc.assert(
      fc.property(around, fc.stringMatching(/^[a-z"\\é😀][a-z "\\é😀]{0,8}$/u), (before, name) => {
        const path = `${name.trimEnd()}.md`;
        const text = canvas(
          card(`${before.replace(/[[\]`~<>%\\$]/g, '')}\n\n[[${path}|x]]`),
          file(path),
        );
        const links = scanCanvas(text).links;
        expect(links.length).toBeGreaterThanOrEqual(1);
        for (const { path: found, pathRange } of links) {
          expect(found).toBe(path);
          expect(JSON.parse(`"${text.slice(pathRange.start, pathRange.end)}"`)).toBe(path);
        }
      }),
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void scanCanvas(text)));
  });
});

describe('canvasText', () => {
  const rows: readonly [string, string, string][] = [
    [
      'cards and labels',
      '{"nodes":[{"type":"text","text":"a\\nb"},{"type":"group","label":"G"}],"edges":[{"label":"e"}]}',
      'a\nb\nG\ne',
    ],
    ['an empty canvas', '{}', ''],
    ['an empty file', '', ''],
    ['something else', '[1]', ''],
    ['broken JSON', '{"nodes":[', ''],
    ['odd nodes', '{"nodes":[null,1,{"text":5}]}', ''],
  ];
  it.each(rows)('%s', (_name, json, text) => {
    expect(canvasText(json)).toBe(text);
  });
});
