import { describe, expect, it } from 'vitest';
import { applyEdits } from '../text/text-edit.ts';
import { parseFrontmatter } from './frontmatter.ts';
import { escapeForPropertyLink } from './property-links.ts';

describe('escapeForPropertyLink', () => {
  const rows: [before: string, put: string, after: string][] = [
    ['k: "[[old]]"', 'a "b"', 'k: "[[a \\"b\\"]]"'],
    ['k: "[[old|x]]"', 'a\\b', 'k: "[[a\\\\b|x]]"'],
    ["k: '[[old]]'", "it's", "k: '[[it''s]]'"],
    ['k: |-\n  [[old]]', 'a "b" it\'s', 'k: |-\n  [[a "b" it\'s]]'],
  ];
  it.each(rows)('%j with %j in place of the path is %j', (before, put, after) => {
    const text = `---\n${before}\n---\n`;
    const [link] = parseFrontmatter(text)?.propertyLinks ?? [];
    if (link === undefined) throw new Error('no link');
    const edit = { range: link.pathRange, text: escapeForPropertyLink(text, link, put) };
    const result = applyEdits(text, [edit]);
    expect(result).toBe(`---\n${after}\n---\n`);
    expect(parseFrontmatter(result)?.propertyLinks[0]?.path).toBe(put);
  });
});
