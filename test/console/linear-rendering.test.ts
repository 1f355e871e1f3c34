import { describe, expect, it } from 'vitest';
import { consoleNoteLimits } from '../../src/base/console-note-limits.ts';
import { parseNote } from '../../src/console/note/parse-note.ts';
import { renderTokens } from '../../src/console/note/render-tokens.ts';

// Notes that would take minutes if any part of drawing them took quadratic time.

const chars: number = consoleNoteLimits.charsMax;
const inline: number = consoleNoteLimits.inlineCharsMax;
const many = (text: string, length = chars) => text.repeat(Math.floor(length / text.length));

const rows: readonly (readonly [string, string])[] = [
  ...[
    '[',
    '![',
    '[[',
    '![[',
    '*a_ ',
    '<',
    '<a ',
    '&#',
    '$a ',
    '==a ',
    '^[',
    '[^1]',
    '](',
    '[a](',
  ].map((text) => [text, many(text, inline)] as const),
  ...[
    '[a](<b',
    '![a',
    'http://',
    'https://a.b ',
    'www.',
    'a@',
    '#a ',
    '~~a ',
    '\\',
    '%% ',
    '%%% ',
  ].map((text) => [text, many(text, inline)] as const),
  ...[
    '\u202e',
    '`a``',
    '\n',
    ' ',
    '- a\n',
    '> a\n',
    '# a\n',
    'a\n=\n',
    '---\n',
    '$$\n',
    '%%\na\n',
  ].map((text) => [text, many(text)] as const),
  ...['[^1]: a\n', '[a]: b\n', '> [!note] a\n> b\n\n', '- [ ] a [[b]]\n', '    a\n', '```\n'].map(
    (text) => [text, many(text)] as const,
  ),
  ...['a ^id\n\n', '%% a\n\n', 'Some **words**, [[b]] and #tag.\n\n'].map(
    (text) => [text, many(text)] as const,
  ),
  ['nested quotes', many('>', inline)],
  ['many nested quotes', many(`${'>'.repeat(90)} a\n`)],
  ['nested lists', many('- ', inline)],
  ['footnotes in footnotes', many('[^a]: ', inline)],
  ['lazy lines', `> a\n${many('b\n')}`],
  ['runs of backticks', Array.from({ length: 300 }, (_, at) => '`'.repeat(at)).join(' ')],
  ['a wide table', `|${'a|'.repeat(300)}\n|${'-|'.repeat(300)}\n${many(`|${'b|'.repeat(10)}\n`)}`],
  ['one line', many('a *b* ')],
];

describe('drawing a note', () => {
  it.each(rows)('takes a moment for many %j', (_, text) => {
    const startMs = performance.now();
    const { elements } = renderTokens(parseNote(text), {
      note: { path: 'a.md' as never, targets: { b: 'b.md' } as never },
      marks: ['a', 'words'],
      anchors: new Map(),
      isEmbedded: false,
      elementsMax: consoleNoteLimits.elementsMax,
      Embed: () => null,
      Picture: () => null,
      Block: undefined,
    });
    expect(elements).toBeLessThanOrEqual(consoleNoteLimits.elementsMax);
    expect(performance.now() - startMs).toBeLessThan(10_000);
  });
});
