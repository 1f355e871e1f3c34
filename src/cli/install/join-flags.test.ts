import { describe, expect, it } from 'vitest';
import { flagsGone, joinFlags } from './join-flags.ts';

describe('joinFlags', () => {
  it.each<readonly [string, string, string, string]>([
    // entry, given, entry afterwards, what went
    ['', '', '', ''],
    ['--read-only', '', '--read-only', ''],
    ['--read-only --hide A', '--hide B', '--read-only --hide A --hide B', ''],
    ['--hide=A', '--hide A --hide-tag x', '--hide=A --hide-tag x', ''],
    [
      '--tools notes --read-only',
      '--tools obsidian',
      '--tools obsidian --read-only',
      '--tools notes',
    ],
    ['--read-only --hide A', '--propose', '--propose --hide A', '--read-only'],
    ['--propose', '--read-only', '--read-only', '--propose'],
    ['--read-only', '--read-only --attach', '--read-only --attach', ''],
    ['--timeout 5', '--timeout search_notes=9', '--timeout 5 --timeout search_notes=9', ''],
    ['--brake 5 --hide A --brake 10', '--brake 3', '--brake 3 --hide A', '--brake 5 --brake 10'],
    ['--frob x --brake 3', '--brake=off', '--frob x --brake=off', '--brake 3'],
  ])('%j with %j is %j', (existing, given, joined, gone) => {
    const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');
    const after = joinFlags(words(existing), words(given));
    expect(after.join(' ')).toBe(joined);
    expect(flagsGone(words(existing), after).join(' ')).toBe(gone);
  });
});
