import { describe, expect, it } from 'vitest';
import type { TextRange } from '../../base/text-range.ts';
import { isShownFrom, shownAfter, withShown } from './shown-ranges.ts';

/** Parts of a text, written as the text with `[` and `]` around them. */
function marked(text: string): { text: string; shown: TextRange[] } {
  const shown: TextRange[] = [];
  let plain = '';
  let start = 0;
  for (const char of text) {
    if (char === '[') start = plain.length;
    else if (char === ']') shown.push({ start, end: plain.length });
    else plain += char;
  }
  return { text: plain, shown };
}

function toMarks(text: string, shown: readonly TextRange[]): string {
  return shown.reduceRight(
    (sum, { start, end }) => `${sum.slice(0, start)}[${sum.slice(start, end)}]${sum.slice(end)}`,
    text,
  );
}

describe('withShown', () => {
  it.each([
    ['[one] two three', '[two]', '[one two] three'],
    ['[one] two three', '[three]', '[one] two [three]'],
    ['[one] two [three]', '[two]', '[one two three]'],
    ['one [two three]', '[two]', 'one [two three]'],
    ['[one\n]\n \ntwo', '[two]', '[one\n\n \ntwo]'],
    ['[one two] three', '[two three]', '[one two three]'],
  ])('adds to %j the part %j', (before, part, expected) => {
    const { text, shown } = marked(before);
    const added = part.slice(1, -1);
    const start = text.indexOf(added);
    const joined = withShown(text, shown, { start, end: start + added.length });
    expect(toMarks(text, joined)).toBe(expected);
  });
});

describe('isShownFrom', () => {
  it.each([
    ['[all]', 0, true],
    ['[all]\n\n', 0, true],
    ['one [two]', 0, false],
    ['one [two]', 4, true],
    ['[one] two', 0, false],
    ['[one] two [three]', 0, false],
    [' \n', 0, true],
    ['one', 0, false],
    ['one', 3, true],
  ])('knows whether %j is shown from %i on', (before, start, expected) => {
    const { text, shown } = marked(before);
    expect(isShownFrom(text, shown, start)).toBe(expected);
  });
});

describe('shownAfter', () => {
  it.each([
    // What it wrote at the end of what it had only begun to read is known, the rest is not.
    ['[one] two', 'one two three', '[one] two[ three]'],
    ['one [two]', 'one more two', 'one [more two]'],
    ['[one two] three', 'one 2 three', '[one 2] three'],
    ['one two [three]', 'ONE two [three]', 'ONE two [three]'],
    // Two places changed, and what lies between them was never shown.
    ['[a] x hidden x [b]', 'a y hidden y b', '[a] y hidden y [b]'],
    ['[a b c]', 'c', '[c]'],
  ])('knows after %j became %j', (before, to, expected) => {
    const { text, shown } = marked(before);
    const after = marked(to).text;
    expect(toMarks(after, shownAfter(text, after, shown))).toBe(expected);
  });
});
