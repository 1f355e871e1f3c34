import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../text/text-edit.ts';
import { parseFrontmatter } from './frontmatter.ts';
import { setProperty } from './set-property.ts';

const note = (list: string) => `---\nk: ${list}\nz: 1\n---\nbody`;
const set = (text: string, value: readonly string[]) =>
  applyEdits(text, setProperty(text, 'k', value));

describe('a list in brackets', () => {
  it.each<[name: string, before: string, value: string[], after: string]>([
    ['keeps uneven blanks', '[a,  b,   c]', ['a', 'b', 'c', 'd'], '[a,  b,   c,   d]'],
    ['keeps them when one goes', '[a,  b ,c ]', ['b', 'c'], '[b ,c ]'],
    ['keeps them when the last goes', '[ a,  b ,c ]', ['a', 'b'], '[ a,  b ]'],
    ['keeps them when one changes', '[ a ,  b]', ['a', 'x'], '[ a ,  x]'],
    ['keeps a comma at its end', '[a, b,]', ['a', 'b', 'c'], '[a, b, c,]'],
    [
      'keeps comments when it grows',
      '[\n  a, # one\n  b\n  ]',
      ['a', 'b', 'c', 'd'],
      '[\n  a, # one\n  b,\n  c,\n  d\n  ]',
    ],
    [
      'keeps the comments of entries that stay',
      '[ # all\n  a, # one\n  b, # two\n  c # three\n  ]',
      ['a', 'c'],
      '[ # all\n  a, # one\n  c # three\n  ]',
    ],
    [
      'keeps the comment before the last entry when that goes',
      '[\n  a, # one\n  b\n  ]',
      ['a'],
      '[\n  a, # one\n  \n  ]',
    ],
    ['grows at its start', '[b, c]', ['a', 'x', 'b', 'c'], '[a, x, b, c]'],
    ['takes over the quotes beside it', "['a', 'b']", ['a', 'b', 'c'], "['a', 'b', 'c']"],
  ])('%s', (_, before, value, after) => {
    expect(set(note(before), value)).toBe(note(after));
    const crlf = (text: string) => note(text).replaceAll('\n', '\r\n');
    expect(set(crlf(before), value)).toBe(crlf(after));
  });

  it('reads as it was set, and what stands between entries that stay is as it was', () => {
    const words = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { minLength: 1 });
    const between = fc.constantFrom(', ', ',', ' ,  ', ',\n  ', ', # c\n  ', ' # c\n  , ');
    fc.assert(
      fc.property(
        words,
        words,
        fc.array(between, { minLength: 6, maxLength: 6 }),
        (old, now, s) => {
          const list = old.map((word, i) => word + (i < old.length - 1 ? s[i] : '')).join('');
          const after = set(note(`[${list}]`), now);
          expect(parseFrontmatter(after)?.frontmatter.properties?.[0]?.value).toEqual(now);
          const grown = [...old, 'x', 'y'];
          expect(set(note(`[${list}]`), grown).startsWith(`---\nk: [${list}`)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
