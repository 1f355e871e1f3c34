import { describe, expect, it } from 'vitest';
import type { Heading, NoteFacts } from '../facts/facts.ts';
import { linkFacts } from '../facts/link-facts.ts';
import { parseFrontmatter } from '../properties/frontmatter.ts';
import { preambleOf, sectionsOf } from './sections.ts';

/** Facts of a text whose every `#` line outside the properties is a heading. */
function factsOf(text: string): NoteFacts {
  const frontmatter = parseFrontmatter(text)?.frontmatter;
  const headings: Heading[] = [];
  for (const match of text.matchAll(/^\ufeff?( *)(#+) (.*?)\r?$/gm)) {
    const start = match.index + match[0].indexOf('#');
    if (start < (frontmatter?.range.end ?? 0)) continue;
    const level = match[2]?.length as Heading['level'];
    const end = start + (match[0].trim().length - (match[1]?.length ?? 0));
    headings.push({ level, text: match[3] ?? '', range: { start, end: Math.max(end, start) } });
  }
  return { ...linkFacts([]), headings, ...(frontmatter === undefined ? {} : { frontmatter }) };
}

describe('sectionsOf', () => {
  /** Each section as [path, its text, its content]. */
  const rows: [name: string, text: string, sections: [string, string, string][]][] = [
    ['no headings', 'text', []],
    ['one heading at the end', 'a\n# A', [['A', '# A', '']]],
    [
      'nested headings',
      '# A\n1\n## B\n2\n# C\n3',
      [
        ['A', '# A\n1\n## B\n2\n', '1\n## B\n2\n'],
        ['A/B', '## B\n2\n', '2\n'],
        ['C', '# C\n3', '3'],
      ],
    ],
    [
      'levels that are left out',
      '### A\n# B\n### C\n## D\n',
      [
        ['A', '### A\n', ''],
        ['B', '# B\n### C\n## D\n', '### C\n## D\n'],
        ['B/C', '### C\n', ''],
        ['B/D', '## D\n', ''],
      ],
    ],
    [
      'CRLF',
      '# A\r\n1\r\n# B\r\n',
      [
        ['A', '# A\r\n1\r\n', '1\r\n'],
        ['B', '# B\r\n', ''],
      ],
    ],
    [
      'indented headings',
      ' # A\n  # B\n',
      [
        ['A', ' # A\n', ''],
        ['B', '  # B\n', ''],
      ],
    ],
    ['a byte order mark', '\ufeff# A\n1', [['A', '# A\n1', '1']]],
  ];
  it.each(rows)('%s', (_, text, expected) => {
    const cut = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
    const sections = sectionsOf(text, factsOf(text));
    expect(sections.map((s) => [s.path.join('/'), cut(s.range), cut(s.content)])).toEqual(expected);
  });
});

describe('preambleOf', () => {
  const rows: [text: string, preamble: string][] = [
    ['', ''],
    ['text\nmore', 'text\nmore'],
    ['text\n# A\nmore', 'text\n'],
    ['# A', ''],
    ['---\na: 1\n---\ntext\n # A\n', 'text\n'],
    ['---\na: 1\n---  \r\ntext', 'text'],
    ['---\na: 1\n---', ''],
    ['\ufefftext', 'text'],
  ];
  it.each(rows)('of %j is %j', (text, preamble) => {
    const { start, end } = preambleOf(text, factsOf(text));
    expect(text.slice(start, end)).toBe(preamble);
  });
});
