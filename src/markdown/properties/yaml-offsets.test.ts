import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { escapeForScalar, scalarOffsets } from './yaml-offsets.ts';

/** What stands in the source for the part of the value that reads `part`. */
function cut(source: string, value: string, part: string): string | undefined {
  const offsets = scalarOffsets(source, { start: 0, end: source.length }, value);
  const at = value.indexOf(part);
  return offsets && source.slice(offsets[at], offsets[at + part.length]);
}

describe('scalarOffsets', () => {
  const rows: [source: string, value: string, part: string, written: string][] = [
    ['plain', 'plain', 'lai', 'lai'],
    ['"a b"', 'a b', 'b', 'b'],
    ['"a \\"b\\" c"', 'a "b" c', '"b"', '\\"b\\"'],
    ['"\\u00e9\\x41\\U0001F600z"', 'éA😀z', 'A😀', '\\x41\\U0001F600'],
    ["'it''s me'", "it's me", "'s", "''s"],
    ["'a'''", "a'", "a'", "a''"],
    ['"a\\\\"', 'a\\', '\\', '\\\\'],
    ['|-\n  text', 'text', 'ex', 'ex'],
    ['|\n  text\n', 'text\n', 'text\n', 'text\n'],
    ['"a\n   b"', 'a b', 'b', 'b'],
    ['a\n  b', 'a b', ' b', '\n  b'],
    ['"a\n\n  b"', 'a\nb', 'b', 'b'],
    ['|\n  one\n  two', 'one\ntwo\n', 'two', 'two'],
  ];
  it.each(rows)('%j, read as %j: %j is written %j', (source, value, part, written) => {
    expect(cut(source, value, part)).toBe(written);
  });

  it('says nothing where value and source do not match', () => {
    expect(scalarOffsets('"a\\qb"', { start: 0, end: 6 }, 'aqb')).toBeUndefined();
    expect(scalarOffsets('other', { start: 0, end: 5 }, 'value')).toBeUndefined();
  });
});

it('escapeForScalar writes any name so that it reads back', () => {
  const name = fc.stringMatching(/^[a-z"'\\é😀][a-z "'\\é😀]{0,8}$/u);
  fc.assert(
    fc.property(name, fc.constantFrom('"', "'"), (name, quote) => {
      expect(parse(quote + escapeForScalar(name, quote) + quote)).toBe(name);
    }),
  );
});
