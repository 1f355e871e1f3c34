import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packedBytes, packedText, TextPacker } from './packed-texts.ts';

function pack(texts: readonly string[], packer = new TextPacker()) {
  for (const text of texts) packer.add(text);
  return packer.take();
}

describe('packed texts', () => {
  it('come out as they went in', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 });
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const packed = pack(texts);
        expect(packed.ends.map((_, at) => packedText(packed, at))).toEqual(texts);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['a byte order mark', '\ufeffa'],
    ['NUL', 'a\0b'],
    ['more than the buffer has room for', 'ж'.repeat(100_000)],
  ])('keep %s', (_, text) => {
    const packed = pack(['before', text, 'after']);
    expect([0, 1, 2].map((at) => packedText(packed, at))).toEqual(['before', text, 'after']);
  });

  it('have U+FFFD for half of a surrogate pair', () => {
    expect(packedText(pack(['a\ud800b']), 0)).toBe('a\ufffdb');
  });

  it('stay as they are when their packer goes on', () => {
    const packer = new TextPacker();
    const first = pack(['one', 'two'], packer);
    const second = pack(['three'], packer);
    expect([packedText(first, 1), packedText(second, 0)]).toEqual(['two', 'three']);
  });

  it('have their buffer to themselves, so that it can be handed over', () => {
    const { bytes, ends } = pack(['ab', 'c']);
    expect([bytes.buffer.byteLength, ends]).toEqual([3, [2, 3]]);
    expect(packedBytes({ bytes, ends }, 1)).toEqual(new Uint8Array([99]));
  });
});
