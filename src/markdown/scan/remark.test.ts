import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  remarkFacts,
  scannedFacts,
  withoutExtensions,
} from '../../../test/support/remark-facts.ts';
import { tricky } from '../../../test/support/tricky-texts.ts';

// The app's cache comes from remark-parse 8, so every quirk of that parser is a fact about notes.

function check(text: string): void {
  expect(scannedFacts(text)).toEqual(remarkFacts(text));
}

describe('the scanner reads as remark-parse 8 does', () => {
  for (const [name, texts] of Object.entries(tricky)) {
    it.each(texts.map((text) => [JSON.stringify(text), text]))(`${name}: %s`, (_, text) => {
      check(text);
      check(`${text}\n`);
      check(`${text}\n\nafter\n`);
      check(text.replaceAll('\n', '\r\n'));
    });
  }

  it('a text that begins with a byte order mark', () => {
    check('\ufeffa [x](y.md)\n');
    check('\ufeff# a\n\n- b\n');
  });
});

/** Where we leave the parser on purpose: each with what it does, and why we do not. */
const departures: readonly {
  text: string;
  fact: 'links' | 'code';
  reason: string;
  ours: string;
  theirs: string;
}[] = [
  {
    text: '[a][[b]]',
    fact: 'links',
    reason: 'it takes the bracket after `[a]` though nothing closes it, which hides the wikilink',
    ours: 'wikilink 3-8',
    theirs: '',
  },
  {
    text: '\ufeff- `a`',
    fact: 'code',
    reason: 'it counts the mark once, but not again inside a list, so what is inside is one off',
    ours: '3-6',
    theirs: '2-5',
  },
];

describe('the scanner departs from remark-parse 8', () => {
  it.each(departures)('in $text, because $reason', ({ text, fact, ours, theirs }) => {
    expect(scannedFacts(text)[fact].join()).toBe(ours);
    expect(remarkFacts(text)[fact].join()).toBe(theirs);
  });
});

const pieces = [
  ...['\n', '\n', '\n\n', '\n  \n', '\n\t\n', '\r\n', ' ', '  ', '    ', '\t', '\u00a0'],
  ...['- ', '* ', '+ ', '1. ', '2. ', '10. ', '1) ', '-', '1.', '[ ] ', '[x] ', '> ', '>', '# '],
  ...['*', '_', '**', '__', '***', '~~', '`', '``', '```', '~~~', '---', '===', '* * *', '\\'],
  ...[
    '[',
    ']',
    '](',
    '](a.md)',
    '](<a b>)',
    '](a "t")',
    '![',
    '[a]',
    '[a][b]',
    '[a]: b',
    '][',
    ')',
  ],
  ...['[[', ']]', '[[a]]', '#', '#a', '##', '<', '>', '<div>', '</div>', '<b c="d">', '<a href>'],
  ...['</a>', '<!--', '-->', '<?', '?>', '<!A ', '|', 'a|b\n-|-\n', 'http://a.b', 'www.a.b_c'],
  ...['HTTP://a.b', 'a@b.c', '@', '.', ':', '"', "'", '(', '&amp;', 'foo', 'a b', 'é', 'a_b', '1'],
];

const indents = ['', '', ' ', '  ', '   ', '    ', '\t', '     ', ' \t'];
const openers = ['', '', '- ', '* ', '1. ', '2. ', '10. ', '1) ', '-', '> ', '>', '# ', '- [ ] '];
const contents = [
  ...['', '', 'a', 'b c', '```', '~~~', '---', '***', '===', '|a|b|', '|-|-|', '<div>', '<!-- x'],
  ...[
    '-->',
    '<b>',
    '[a]: b',
    '[x](y.md)',
    '`c`',
    '#tag',
    '[[n]]',
    '\t',
    '[a',
    'b]: c',
    '"t"',
    '-x',
  ],
];

const line = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...indents), fc.constantFrom(...openers)), { maxLength: 3 }),
    fc.constantFrom(...indents),
    fc.constantFrom(...contents),
    fc.constantFrom('\n', '\n', '\n', '\n\n', '\r\n', ' \n'),
  )
  .map(([prefixes, indent, content, end]) => prefixes.flat().join('') + indent + content + end);

/** Leaves out what the list of departures has. */
const comparable = (text: string): boolean => !text.includes('][[') && !text.startsWith('\ufeff');

describe('any text made of Markdown is read as remark-parse 8 reads it', () => {
  it.each([
    ['pieces', fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((all) => all.join(''))],
    ['lines', fc.array(line, { maxLength: 9 }).map((all) => all.join(''))],
  ])('%s', (_, texts) => {
    fc.assert(
      fc.property(texts.map(withoutExtensions).filter(comparable), (text) => check(text)),
      { numRuns: 2_000, seed: 20_240_521 },
    );
  });
});
