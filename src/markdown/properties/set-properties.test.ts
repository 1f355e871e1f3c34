import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import { applyEdits } from '../text/text-edit.ts';
import { openProperties } from './property-document.ts';
import { removeProperties, removeProperty, setProperties, setProperty } from './set-property.ts';

describe('setProperties', () => {
  it.each([
    ['', [['a', 1]], '---\na: 1\n---\n'],
    [
      'Body\r\n',
      [
        ['a', 1],
        ['b', 'x'],
      ],
      '---\r\na: 1\r\nb: x\r\n---\r\nBody\r\n',
    ],
    [
      '---\nb: 0 # why\n---\nBody',
      [
        ['a', 1],
        ['B', 2],
        ['c', [1]],
      ],
      '---\nb: 2 # why\na: 1\nc:\n  - 1\n---\nBody',
    ],
    [
      '---\n{"a": 1}\n---\n',
      [
        ['b', 2],
        ['c', 'x'],
      ],
      '---\n{"a": 1, "b": 2, "c": "x"}\n---\n',
    ],
    [
      '',
      [
        ['Tags', 'x'],
        ['tags', 'y'],
      ],
      '---\nTags: y\n---\n',
    ],
    ['Body', [], 'Body'],
  ] as const)('%j with %j', (text, entries, expected) => {
    expect(setProperties(text, entries)).toBe(expected);
  });

  it('says what setting one after the other says', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'C', 'd e', '1');
    const value = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.array(fc.string()));
    const text = fc.constantFrom(
      '',
      'Body',
      '---\nb: 1\nC: [x]\n---\nBody',
      '---\n{"a": 1}\n---\n',
    );
    fc.assert(
      fc.property(text, fc.array(fc.tuple(key, value)), (start, entries) => {
        const oneByOne = entries.reduce<string>(
          (before, [name, to]) => applyEdits(before, setProperty(before, name, to)),
          start,
        );
        const valuesOf = (note: string) =>
          new Map(openProperties(note)?.properties.map(({ key: name, value: is }) => [name, is]));
        expect(valuesOf(setProperties(start, entries))).toEqual(valuesOf(oneByOne));
      }),
    );
  });

  it('reads a text twice, however many properties are new', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => [`property ${at}`, at] as const);
    expect(openProperties(setProperties('Body', many))?.properties).toHaveLength(5_000);
  });

  it('refuses to change so many of a large block that it would take long', () => {
    const many = Array.from({ length: 2_000 }, (_, at) => [`property ${at}`, at] as const);
    const text = setProperties('', many);
    expect(many.length * text.length).toBeGreaterThan(limits.propertyWorkMax);
    const other = many.map(([key]) => [key, 'x'] as const);
    expect(() => setProperties(text, other)).toThrow(/set fewer/);
  });
});

describe('removeProperties', () => {
  it.each([
    ['---\na: 1\nb: # why\n  - x\nc: 2\n---\nBody', ['c', 'A'], '---\nb: # why\n  - x\n---\nBody'],
    ['---\na: 1\n# why\nb: 2\n---\nBody', ['a', 'b'], '---\n# why\n---\nBody'],
    ['---\na: 1\nb: 2\n---\nBody', ['b', 'a'], 'Body'],
    ['---\na: 1\nA: 2\nb: 3\n---\n', ['A', 'a'], '---\nb: 3\n---\n'],
    ['---\na: &x 1\nb: *x\nc: 3\n---\n', ['a', 'b'], '---\nc: 3\n---\n'],
    ['---\n{"a": 1, "b": 2, "c": 3}\n---\n', ['a', 'b'], '---\n{"c": 3}\n---\n'],
    ['---\na: 1\n---\n', ['x', 'y'], '---\na: 1\n---\n'],
    ['---\na: [\n---\n', [], '---\na: [\n---\n'],
    ['Body', ['a'], 'Body'],
  ])('%j without %j', (text, keys, expected) => {
    expect(removeProperties(text, keys)).toBe(expected);
  });

  it('leaves what removing one after the other leaves', () => {
    const key = fc.constantFrom('a', 'b', 'B', 'c', 'd');
    const text = fc.constantFrom(
      '---\na: 1\nb:\n  - x\n\nB: |\n  text\n# why\nc: {x: 1} # z\n---\nBody',
      '---\r\n  a: 1\r\n  c: 2\r\n---\r\nBody',
      '---\n{"a": 1, # why\n"b": 2, "c": 3}\n---\n',
    );
    fc.assert(
      fc.property(text, fc.uniqueArray(key), (start, keys) => {
        const oneByOne = keys.reduce<string>(
          (before, name) => applyEdits(before, removeProperty(before, name)),
          start,
        );
        expect(removeProperties(start, keys)).toBe(oneByOne);
      }),
    );
  });

  it('reads a text twice, however many properties are removed', () => {
    const many = Array.from({ length: 2_000 }, (_, at) => [`property ${at}`, at] as const);
    const text = setProperties('Body', many);
    const left = removeProperties(
      text,
      many.slice(1).map(([key]) => key),
    );
    expect(left).toBe('---\nproperty 0: 0\n---\nBody');
  });

  it('refuses to remove so many from large braces that it would take long', () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`key ${at}`, at]));
    const text = `---\n${JSON.stringify(many)}\n---\n`;
    expect(() => removeProperties(text, Object.keys(many))).toThrow(/set fewer/);
  });
});
