import { describe, expect, it } from 'vitest';
import { foldName } from '../../base/vault-path.ts';
import { askedName, closeness } from './closeness.ts';

const near = (asked: string, name: string) => closeness(askedName(asked), foldName(name));

describe('a name', () => {
  const rows: readonly [asked: string, name: string, expected: unknown][] = [
    ['Plan', 'plan', [0, 0]],
    ['Plan', 'Plan for May', [1, 8]],
    ['May', 'Plan for May', [2, 9]],
    ['lan', 'Plan', [3, 1]],
    ['May plan', 'Plan for May', [4, 4]],
    ['Metting', 'Meeting', [5, 1]],
    ['Meetign', 'Meeting', [5, 1]],
    ['Встреа', 'Встреча', [5, 1]],
    ['Alphabetical', 'Alfabeticol', [5, 3]],
    ['ab', 'ba', undefined],
    ['abcdef', 'uvwxyz', undefined],
    ['My Meeting of today', 'Meeting', [6, 12]],
    ['Metting notes May', 'May: Meeting notes', [7, 1]],
    ['one two three four', 'one', undefined],
    ['one two three four', 'one two', [6, 11]],
    ['Notes Exmple', 'My notes', undefined],
    ['Plan b', 'Bob', undefined],
    ['Plan', '', undefined],
    ['', 'Plan', undefined],
  ];
  it.each(rows)('%j is to %j: %j', (asked, name, expected) => {
    expect(near(asked, name)).toEqual(expected);
  });

  it('of any length is cut before it is compared', () => {
    const asked = askedName('word '.repeat(10_000));
    expect(asked.text.length).toBe(100);
    expect(closeness(asked, 'w'.repeat(255))).toBeUndefined();
  });

  it('is measured the same whatever was measured before', () => {
    const asked = askedName('Meeting');
    const names = ['meting', 'matting', 'greeting', 'meeting', 'meet', 'eemting', 'x'];
    const alone = names.map((name) => closeness(askedName('Meeting'), name));
    expect(names.map((name) => closeness(asked, name))).toEqual(alone);
    expect(names.toReversed().map((name) => closeness(asked, name))).toEqual(alone.toReversed());
  });
});
