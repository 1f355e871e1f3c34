import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import type { CopySide } from '../ports/copy-to-merge.ts';
import { lineHashes, mergeCopy } from './merge-copy.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function merge(
  texts: { readonly original: string; readonly copy: string; readonly base?: string },
  all?: CopySide,
) {
  const { original, copy, base } = texts;
  const files = {
    original: bytes(original),
    copy: bytes(copy),
    ...(base === undefined ? {} : { base: bytes(base) }),
  };
  return mergeCopy(files, { each: new Map(), ...(all === undefined ? {} : { all }) });
}

/** Lines that no other side can have by chance, and some that it can. */
const text = (own: string) =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom('a', 'b', 'c', ''),
        fc.nat(5).map((n) => `${own}${n}`),
      ),
      {
        maxLength: 12,
      },
    )
    .map((lines) => lines.map((line) => `${line}\n`).join(''));
const linesOf = (joined: string) => joined.split('\n').filter((line) => line !== '');

describe('mergeCopy', () => {
  it('loses no line that a side added when both are chosen, with and without a common version', () => {
    fc.assert(
      fc.property(text('o'), text('c'), fc.option(text('x')), (original, copy, base) => {
        const common = base ?? undefined;
        const texts = { original, copy, ...(common === undefined ? {} : { base: common }) };
        const merged = linesOf(merge(texts, 'both')?.text ?? '');
        const known = new Set(linesOf(common ?? ''));
        const added = [...linesOf(original), ...linesOf(copy)].filter((line) => !known.has(line));
        expect(added.filter((line) => !merged.includes(line))).toEqual([]);
      }),
    );
  });

  it('makes the original or the copy when that is chosen and no common version is known', () => {
    fc.assert(
      fc.property(text('o'), text('c'), (original, copy) => {
        expect(merge({ original, copy }, 'original')?.text).toBe(original);
        expect(merge({ original, copy }, 'copy')?.text).toBe(copy);
      }),
    );
  });

  it('says nothing while a side has to be chosen, and cuts long places', () => {
    const long = `${'x'.repeat(limits.conflictChoiceCharsMax + 1)}\nmore\n`;
    const merged = merge({ original: long, copy: 'y\n' });
    expect(merged?.text).toBeUndefined();
    expect(merged?.choices[0]?.original).toMatch(/^x{2000}…\n… 1 more lines$/);
  });

  it('shows the first of many places', () => {
    const many = (word: string) =>
      Array.from({ length: limits.conflictChoicesMax + 5 }, (_, n) => `${word}\nsame ${n}\n`).join(
        '',
      );
    const merged = merge({ original: many('o'), copy: many('c') });
    expect(merged?.choices).toHaveLength(limits.conflictChoicesMax);
    expect(merged?.total).toBe(limits.conflictChoicesMax + 5);
  });

  it.each([
    ['NUL', new Uint8Array([97, 0])],
    ['no UTF-8', new Uint8Array([0xff, 97])],
    ['larger than a note', new Uint8Array(limits.noteBytesMax + 1).fill(97)],
  ])('is not for what is no text: %s', (_, content) => {
    const files = { original: bytes('a'), copy: content };
    expect(mergeCopy(files, { each: new Map() })).toBeUndefined();
    expect(lineHashes({ bytes: content })).toBeUndefined();
  });
});

describe('lineHashes', () => {
  it('are the same for the same lines in any order, whatever the line ends', () => {
    const hashes = lineHashes({ bytes: bytes('a\n\nb\n') });
    expect(hashes).toHaveLength(2);
    expect(lineHashes({ bytes: bytes('\ufeffb\r\na') })).toEqual(hashes);
    expect(lineHashes({ bytes: bytes('a\nc\n') })).not.toEqual(hashes);
  });
});
