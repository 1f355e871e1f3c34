import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NoteFacts } from '../facts/facts.ts';
import { isExternal } from '../facts/link-text.ts';
import { scanHeadings, scanNote } from './scan-note.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

const pieces = [
  ...[
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    ' ',
    '    ',
    '\t',
    '\ufeff',
    '\u200b',
    'a',
    'b c',
    '日本',
    '👨‍👩‍👧',
  ],
  ...[
    '- ',
    '* ',
    '1. ',
    '- [ ] ',
    '- [/] ',
    '> ',
    '> [!note] ',
    '# ',
    '## ',
    '---',
    '===',
    '---\n',
  ],
  ...[
    '*',
    '_',
    '**',
    '~~',
    '==',
    '`',
    '```',
    '~~~\n',
    '$',
    '$$',
    '%%',
    '%%\n',
    '\\',
    '|',
    '|-|-|\n',
  ],
  ...[
    '[',
    ']',
    '[[',
    ']]',
    '![[',
    '[[a|b]]',
    '[a](b.md)',
    '![a](<b c>)',
    '](',
    ')',
    '[a]: b',
    '(',
    '#',
  ],
  ...[
    '#tag',
    '#a/b',
    '^[',
    '[^1]',
    '[^1]: ',
    '^id',
    ' ^id\n',
    '<',
    '>',
    '<b>',
    '<!--',
    '-->',
    '<div>',
  ],
  ...['http://a.b', 'a@b.c', 'k: "[[v]]"\n', 'tags: [x]\n', '%20', '%', '&amp;'],
];

const texts = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((all) => all.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((all) => `---\n${all.join('')}`),
);

const check = (property: (text: string, facts: NoteFacts) => void): void =>
  fc.assert(
    fc.property(texts, (text) => property(text, scanNote(text))),
    { numRuns: 3_000, seed: 19_840_604 },
  );

const rangesOf = (facts: NoteFacts): Record<string, readonly Range[]> => ({
  headings: facts.headings.map(({ range }) => range),
  blocks: facts.blocks.map(({ range }) => range),
  blockIds: facts.blockIds.map(({ range }) => range),
  listItems: facts.listItems.map(({ range }) => range),
  links: facts.links.map(({ range }) => range),
  tags: facts.tags.map(({ range }) => range),
  callouts: facts.callouts.map(({ range }) => range),
  footnotes: facts.footnotes.map(({ range }) => range),
  footnoteReferences: facts.footnoteReferences.map(({ range }) => range),
  comments: facts.comments,
  code: facts.code,
});

describe('whatever the text', () => {
  it('every range lies in it, and facts are in order', () => {
    check((text, facts) => {
      for (const ranges of Object.values(rangesOf(facts))) {
        let before = 0;
        for (const { start, end } of ranges) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(text.length);
          before = start;
        }
      }
    });
  });

  it('headings alone are the same', () => {
    check((text, { headings }) => {
      expect(scanHeadings(text)).toEqual(headings);
    });
  });

  it('links, tags, code and headings nest or are apart', () => {
    check((_, facts) => {
      const { links, tags, code, headings } = rangesOf(facts);
      const all = [links, tags, code, headings].flatMap((ranges) => ranges ?? []);
      for (const a of all) {
        for (const b of all) {
          const crosses = a.start < b.start && b.start < a.end && a.end < b.end;
          expect(crosses).toBe(false);
        }
      }
    });
  });

  it('what a range names is what stands there', () => {
    check((text, facts) => {
      const at = ({ start, end }: Range): string => text.slice(start, end);
      for (const { tag, range } of facts.tags) expect(at(range)).toBe(tag);
      for (const { text: title, range } of facts.headings) expect(at(range)).toContain(title);
      for (const { id, idRange } of facts.blockIds) expect(at(idRange)).toBe(id);
      for (const { task, taskRange } of facts.listItems) {
        if (taskRange !== undefined) expect(at(taskRange)).toBe(task);
      }
      for (const link of facts.links) {
        const written = at(link.range);
        if (link.form === 'wikilink') expect(written).toMatch(/^!?\[\[[^\n]+\]\]$/);
        if (link.form === 'markdown') expect(written).toMatch(/^!?\[.*\]\(.*\)$/s);
        expect(written.startsWith('!')).toBe(link.embed);
        expect(link.link).toBe(link.path + link.subpath);
        expect(isExternal(at(link.pathRange))).toBe(false);
        expect(link.pathRange.start).toBeGreaterThanOrEqual(link.range.start);
        expect(link.pathRange.end).toBeLessThanOrEqual(link.range.end);
      }
    });
  });

  it('root blocks follow each other, and hold every link, tag and item', () => {
    check((_, facts) => {
      let before = 0;
      for (const { range } of facts.blocks) {
        expect(range.start).toBeGreaterThanOrEqual(before);
        before = range.end;
      }
      for (const { range } of [...facts.links, ...facts.tags, ...facts.listItems]) {
        const holder = facts.blocks.filter(
          (block) => block.range.start <= range.start && range.end <= block.range.end,
        );
        expect(holder).toHaveLength(1);
      }
    });
  });

  it('line ends of either kind make the same facts', () => {
    check((text) => {
      const clean = text.replaceAll('\r', '');
      const unix = scanNote(clean);
      const windows = scanNote(clean.replaceAll('\n', '\r\n'));
      const shape = (facts: NoteFacts) => ({
        blocks: facts.blocks.map(({ type, id }) => [type, id]),
        links: facts.links.map(({ link }) => link),
        tags: facts.tags.map(({ tag }) => tag),
        items: facts.listItems.map(({ parent, task }) => [parent, task]),
      });
      expect(shape(windows)).toEqual(shape(unix));
    });
  });
});

/** Counts the characters that scanning a text looks at, by way of the string methods it uses. */
function looksAt(text: string): number {
  const { charCodeAt, indexOf, slice } = String.prototype;
  let looks = 0;
  String.prototype.charCodeAt = function (this: string, index) {
    looks++;
    return charCodeAt.call(this, index);
  };
  String.prototype.indexOf = function (this: string, wanted, from = 0) {
    const found = indexOf.call(this, wanted, from);
    looks += (found === -1 ? this.length : found) - from;
    return found;
  };
  String.prototype.slice = function (this: string, start, end) {
    const piece = slice.call(this, start, end);
    looks += piece.length;
    return piece;
  };
  try {
    scanNote(text);
  } finally {
    Object.assign(String.prototype, { charCodeAt, indexOf, slice });
  }
  return looks;
}

/** What makes careless parsers quadratic: openers that nothing closes, and deep nesting. */
const hostile = [
  ...['[', '![', '[[', '[a](', '[a](b', '[a](<', '[a](b (', '[a](b "x', '[a][', '](', '[^', '^['],
  ...[
    '*',
    '*a ',
    '**a ',
    '_a_b',
    '__a ',
    '***',
    '_*a',
    '~~a ',
    '`',
    '`a',
    '``a`',
    '$a ',
    '$$',
    '==',
  ],
  ...['%%', '%%a', '%%%', '<', '<a ', '<a b="', '<!--', '<?', '<!a ', '<![CDATA[', '<a@', '<a:/'],
  ...[
    'http://a.b/\\**x ',
    'a@',
    '@',
    '_a_@',
    'www.a_b.',
    'http://',
    '\\',
    '|',
    '|a',
    'a|b\n-|-\n',
    '[a]: b (\n \n',
  ],
  ...['[a]: ', '[\n\n', '[a\n\n', '<div>\n', '<!-- \n', '_\n<!A >\n', '- ', '- a\n', '- a\n\n'],
  ...[
    '> ',
    '> a\n',
    '> [!a\n\n',
    '> - a\n',
    '1. ',
    '    a\n',
    '\n',
    '\r',
    '$$ a\n',
    '%% a %% b\n',
    '^id\n\n',
  ],
];

describe('hostile text', () => {
  it.each(hostile)('%j twice as often costs about twice as much', (unit) => {
    const times = Math.ceil(4_000 / unit.length);
    const once = looksAt(unit.repeat(times));
    const twice = looksAt(unit.repeat(2 * times));
    expect(twice).toBeLessThan(2.6 * once + 1_000);
  });

  it.each(hostile)('200 KB of %j are read to the end', (unit) => {
    const text = unit.repeat(Math.ceil(200_000 / unit.length));
    expect(scanNote(`${text}\n\n# end\n`).blocks.length).toBeGreaterThan(0);
  });
});
