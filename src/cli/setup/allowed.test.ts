import { describe, expect, it } from 'vitest';
import { allowedBy, flagsWith } from './allowed.ts';

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
