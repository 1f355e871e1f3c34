import { describe, expect, it } from 'vitest';
import { VaultError } from '../../base/vault-error.ts';
import type { PropertyValue } from '../../markdown/facts/facts.ts';
import { convertProperty, convertTags, type GivenType } from './convert-property.ts';

function outcome(call: () => PropertyValue): PropertyValue {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    return `refused: ${error.code}`;
  }
}

const refused = 'refused: invalid_input';

describe('convertProperty', () => {
  const rows: [type: GivenType, value: PropertyValue, expected: PropertyValue][] = [
    ['text', 'a', 'a'],
    ['text', 7, '7'],
    ['text', ['a'], refused],
    ['number', '3', 3],
    ['number', ' -2.5 ', -2.5],
    ['number', '1e3', 1000],
    ['number', '007', 7],
    ['number', 4, 4],
    ['number', '', refused],
    ['number', '3 apples', refused],
    ['number', '0x10', refused],
    ['number', true, refused],
    ['checkbox', 'true', true],
    ['checkbox', 'False', false],
    ['checkbox', false, false],
    ['checkbox', 'yes', refused],
    ['checkbox', 1, refused],
    ['list', 'a, b', ['a', 'b']],
    ['list', 'a', ['a']],
    ['list', '', []],
    ['list', '["a, b", 3]', ['a, b', 3]],
    ['list', '[[Smith, John]], [[X]]', ['[[Smith, John]]', '[[X]]']],
    ['list', '[a', ['[a']],
    ['list', ['a'], ['a']],
    ['list', 5, [5]],
    ['list', { a: 1 }, refused],
    ['date', '2026-03-09', '2026-03-09'],
    ['date', '2026-02-30', refused],
    ['date', '9.3.2026', refused],
    ['date', '2026-03-09T10:00:00', refused],
    ['datetime', '2026-03-09T14:30:00', '2026-03-09T14:30:00'],
    ['datetime', '2026-03-09T14:30', '2026-03-09T14:30:00'],
    ['datetime', '2026-03-09 14:30', '2026-03-09T14:30:00'],
    ['datetime', '2026-03-09', refused],
    ['datetime', '2026-03-09T25:00', refused],
    ['number', null, null],
  ];
  it.each(rows)('as %s: %j', (type, value, expected) => {
    expect(outcome(() => convertProperty('key', value, type))).toEqual(expected);
  });

  it('shows the expected form when it refuses', () => {
    expect(() => convertProperty('due', 'tomorrow', 'date')).toThrow(/"due".*YYYY-MM-DD/);
  });
});

describe('convertTags', () => {
  const rows: [value: PropertyValue, expected: PropertyValue][] = [
    ['a', ['a']],
    ['#a', ['a']],
    ['a, #b/c', ['a', 'b/c']],
    ['["a","b"]', ['a', 'b']],
    [
      ['#a', 'b'],
      ['a', 'b'],
    ],
    [[], []],
    [null, null],
    ['a, #A, b, a', ['a', 'b']],
    ['日本語', ['日本語']],
    ['two words', refused],
    ['1984', refused],
    [1984, refused],
    [[true], refused],
    [{ a: 'b' }, refused],
  ];
  it.each(rows)('takes %j', (value, expected) => {
    expect(outcome(() => convertTags(value))).toEqual(expected);
  });
});
