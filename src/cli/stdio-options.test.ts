import { describe, expect, it } from 'vitest';
import { limits } from '../base/limits.ts';
import { readStdioOptions, type StdioOptions } from './stdio-options.ts';

const standard: StdioOptions = {
  vaults: [],
  toolsets: ['notes'],
  waitForVault: false,
  allowRoots: [],
  hide: [],
  readOnly: false,
  tagPolicy: 'enforce',
  contextEveryMs: limits.contextEveryMs,
  history: true,
  deadlineMs: limits.callDeadlineMs,
  toolDeadlinesMs: new Map(),
  logLevel: 'info',
  poll: 'auto',
};

const noSuchTools = '"--tools" takes notes, obsidian, or several of them with commas between.';

describe('the options of stdio', () => {
  it.each<[string[], Partial<StdioOptions>]>([
    [[], {}],
    [['--vault', 'notes'], { vaults: ['notes'] }],
    [['--vault=notes', '--tools', 'notes'], { vaults: ['notes'] }],
    [['--vault', 'a', '--vault', 'work=b'], { vaults: ['a', 'work=b'] }],
    [['--tools', 'obsidian'], { toolsets: ['obsidian'] }],
    [['--tools', 'notes,obsidian'], { toolsets: ['notes', 'obsidian'] }],
    [['--tools', 'obsidian, notes,obsidian'], { toolsets: ['obsidian', 'notes'] }],
    [['--tools', 'obsidian', '--tools', 'notes'], { toolsets: ['notes'] }],
    [['--allow-root', 'a', '--allow-root', 'b'], { allowRoots: ['a', 'b'] }],
    [['--hide', 'Private', '--hide=*.secret.md'], { hide: ['Private', '*.secret.md'] }],
    [['--read-only', '--no-history-tools'], { readOnly: true, history: false }],
    [['--tag-policy', 'strict'], { tagPolicy: 'strict' }],
    [['--context-every', '0'], { contextEveryMs: 0 }],
    [['--context-every', '1.5'], { contextEveryMs: 90_000 }],
    [['--timeout', '5'], { deadlineMs: 5_000 }],
    [
      ['--timeout', '5', '--timeout', 'search_notes=60'],
      { deadlineMs: 5_000, toolDeadlinesMs: new Map([['search_notes', 60_000]]) },
    ],
    [['--log-level', 'silent'], { logLevel: 'silent' }],
    [['--poll', 'always'], { poll: true }],
    [['--poll', 'never'], { poll: false }],
  ])('%j', (argv, options) => {
    expect(readStdioOptions(argv)).toEqual({ ...standard, ...options });
  });

  it.each<[string[], string]>([
    [['--frob'], 'There is no option "--frob".'],
    [['vault'], '"stdio" takes options only.'],
    [['--hide'], '"--hide" needs a value.'],
    [['--tools', 'frob'], noSuchTools],
    [['--tools', 'notes,frob'], noSuchTools],
    [['--tools', ''], noSuchTools],
    [['--tag-policy', 'yes'], '"--tag-policy" is one of off, warn, enforce, strict.'],
    [['--context-every', 'soon'], '"--context-every" takes a number.'],
    [['--context-every', '-1'], '"--context-every" takes a number.'],
    [['--timeout', 'x=y'], '"--timeout" takes a number.'],
    [['--timeout', '0'], '"--timeout" must be more than 0 seconds.'],
    [['--log-level', 'loud'], '"--log-level" is one of silent, error, warn, info, debug.'],
    [['--poll', '5'], '"--poll" is one of auto, always, never.'],
  ])('%j is refused with what to write instead', (argv, message) => {
    expect(() => readStdioOptions(argv)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        message: `${message} "vaultdoor stdio --help" lists the options.`,
      }),
    );
  });
});
