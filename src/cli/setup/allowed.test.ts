import { describe, expect, it } from 'vitest';
import { allowedBy, flagsWith, hiddenBy } from './allowed.ts';

describe('what apps may do', () => {
  it.each([
    [[], 'change', []],
    [[], 'read', ['--read-only']],
    [['--read-only'], 'change', []],
    [['--hide', 'A', '--propose'], 'read', ['--hide', 'A', '--read-only']],
    [['--read-only', '--hide', 'A'], 'read', ['--read-only', '--hide', 'A']],
  ] as const)('%j becomes %s', (flags, right, expected) => {
    expect(flagsWith(right, flags)).toEqual(expected);
    expect(allowedBy(expected)).toBe(right);
  });
});

it.each([
  [['--read-only'], undefined],
  [
    ['--hide', 'People/**', '--propose', '--hide-tag', 'private'],
    process.platform === 'win32'
      ? '--hide "People/**" --hide-tag private'
      : "--hide 'People/**' --hide-tag private",
  ],
])('what is hidden by %j is told as it is typed', (flags, typed) => {
  expect(hiddenBy(flags)).toBe(typed);
});
