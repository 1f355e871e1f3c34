import { expect, it, vi } from 'vitest';
import { linkingLines } from './linking-lines.ts';

const wanted = { kind: 'note', links: new Set(['T']), limit: 100, charsMax: 40 } as const;

it('answers each link with its line, in the order of the lines, up to the limit', () => {
  const text = '---\nup: "[[T]]"\n---\nfirst [[T]] and [[T|again]]\r\n\r\n[[U]]\n\nlast [[T]]';
  expect(linkingLines(text, wanted)).toEqual([
    { line: 2, text: 'up: "[[T]]"' },
    { line: 4, text: 'first [[T]] and [[T|again]]' },
    { line: 4, text: 'first [[T]] and [[T|again]]' },
    { line: 8, text: 'last [[T]]' },
  ]);
  expect(linkingLines(text, { ...wanted, limit: 2 })).toHaveLength(2);
});

it('shows the part of a long line around each link, and cuts no pair of surrogates', () => {
  const text = `${'😀'.repeat(50)}x[[T]]x${'😀'.repeat(50)}\n`;
  const [found] = linkingLines(text, wanted);
  expect(found?.text).toMatch(/^…(?:😀)+x\[\[T\]\]x(?:😀)+…$/u);
});

it('copies no more of a long line than it shows', () => {
  const links = 2_000;
  const text = '[[T]] '.repeat(links);
  let copied = 0;
  const slice = String.prototype.slice;
  const spy = vi.spyOn(String.prototype, 'slice').mockImplementation(function (
    this: string,
    ...range
  ) {
    const part = slice.apply(this, range);
    copied += part.length;
    return part;
  });
  try {
    expect(linkingLines(text, { ...wanted, limit: links })).toHaveLength(links);
  } finally {
    spy.mockRestore();
  }
  // What is shown, and a few short pieces of each link; never the whole line for each of them.
  expect(copied).toBeLessThan(links * (wanted.charsMax + 100) + text.length * 4);
});
