import { describe, expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import { vaultVariables } from './choose-vault.ts';
import { hideInVaults, readServerOptions, type ServerOptions } from './server-options.ts';

const standard: ServerOptions = {
  vaults: [],
  vaultVariables,
  toolsets: ['notes'],
  waitForVault: false,
  allowRoots: [],
  hide: [],
  hideTags: [],
  hideProperties: [],
  rights: ['read', 'write', 'destroy'],
  tagPolicy: 'enforce',
  contextEveryMs: limits.contextEveryMs,
  contextPlace: 'glued',
  contextBodyTags: false,
  history: true,
  deadlineMs: limits.callDeadlineMs,
  toolDeadlinesMs: new Map(),
  logLevel: 'info',
  poll: 'auto',
  logReads: false,
};

const noSuchTools =
  '"--tools" takes notes, obsidian, agent, or several of them, separated by commas.';

/** What a server that is called `stdio` reads. */
function optionsOf(argv: readonly string[]): ServerOptions {
  return readServerOptions({ name: 'stdio', toolset: 'notes', vaultVariables }, argv).options;
}

const together = '"--sync" and "--sync-remote" must be given together.';
const agent = ['--tools', 'agent'];

describe('the options of every server', () => {
  it.each<[string[], Partial<ServerOptions>]>([
    [[], {}],
    [['--vault', 'notes'], { vaults: ['notes'] }],
    [['--hide-tag', '#private', '--hide-tag=a/b/'], { hideTags: ['private', 'a/b'] }],
    [
      ['--hide-property', 'status=private', '--hide-property=draft=true'],
      { hideProperties: ['status=private', 'draft=true'] },
    ],
    [['--vault=notes', '--tools', 'notes'], { vaults: ['notes'] }],
    [['--vault', 'a', '--vault', 'work=b'], { vaults: ['a', 'work=b'] }],
    [['--tools', 'obsidian'], { toolsets: ['obsidian'] }],
    [['--tools', 'notes,obsidian'], { toolsets: ['notes', 'obsidian'] }],
    [['--tools', 'obsidian, notes,obsidian'], { toolsets: ['obsidian', 'notes'] }],
    [['--tools', 'obsidian', '--tools', 'notes'], { toolsets: ['notes'] }],
    [['--allow-root', 'a', '--allow-root', 'b'], { allowRoots: ['a', 'b'] }],
    [['--hide', 'Private', '--hide=*.secret.md'], { hide: ['Private', '*.secret.md'] }],
    [['--read-only', '--no-history-tools'], { rights: ['read'], history: false }],
    [['--tag-policy', 'strict'], { tagPolicy: 'strict' }],
    [['--context-every', '0'], { contextEveryMs: 0 }],
    [['--context-every', '1.5'], { contextEveryMs: 90_000 }],
    [['--context', 'item', '--context-body-tags'], { contextPlace: 'item', contextBodyTags: true }],
    [['--context', 'off'], { contextPlace: 'off' }],
    [['--context', 'glued'], {}],
    [['--timeout', '5'], { deadlineMs: 5_000 }],
    [
      ['--timeout', '5', '--timeout', 'search_notes=60'],
      { deadlineMs: 5_000, toolDeadlinesMs: new Map([['search_notes', 60_000]]) },
    ],
    [
      [...agent, '--sync', 'pull', '--sync-remote', 'drive:Notes'],
      { toolsets: ['agent'], sync: { direction: 'pull', remote: 'drive:Notes' } },
    ],
    [
      [...agent, '--adr-repo', '/code'],
      { toolsets: ['agent'], publish: { checkout: '/code', mode: 'commit', hooks: false } },
    ],
    [
      [...agent, '--adr-repo', '/code', '--adr-publish', 'pull-request'],
      { toolsets: ['agent'], publish: { checkout: '/code', mode: 'pull-request', hooks: false } },
    ],
    [['--log-level', 'silent'], { logLevel: 'silent' }],
    [['--poll', 'always'], { poll: true }],
    [['--poll', 'never'], { poll: false }],
    [['--log-reads'], { logReads: true }],
    [['--brake', '0'], { brake: 0 }],
    [['--brake', 'off'], { brake: 'off' }],
    [
      ['--notify', 'ntfy:https://push.example.com/t'],
      { notify: { url: 'ntfy:https://push.example.com/t' } },
    ],
    [['--notify-command', 'notify-send'], { notify: { command: 'notify-send' } }],
  ])('%j', (argv, options) => {
    expect(optionsOf(argv)).toEqual({ ...standard, ...options });
  });

  it.each<[string[], string]>([
    [['--frob'], 'There is no option "--frob".'],
    [['vault'], '"stdio" takes options only.'],
    [['--hide'], '"--hide" needs a value.'],
    [['--hide-tag', '#'], '"--hide-tag" takes one tag, such as "private".'],
    [['--hide-tag', 'a, b'], '"--hide-tag" takes one tag, such as "private".'],
    [
      ['--hide-property', 'private'],
      '"--hide-property" takes a name and a value, such as "status=private".',
    ],
    [
      ['--hide-property', '=private'],
      '"--hide-property" takes a name and a value, such as "status=private".',
    ],
    [['--tools', 'frob'], noSuchTools],
    [['--tools', 'notes,frob'], noSuchTools],
    [['--tools', ''], noSuchTools],
    [['--tag-policy', 'yes'], '"--tag-policy" must be one of off, warn, enforce, strict.'],
    [['--context', 'first'], '"--context" must be one of glued, item, off.'],
    [['--context-every', 'soon'], '"--context-every" takes a number.'],
    [['--context-every', '-1'], '"--context-every" takes a number.'],
    [['--timeout', 'x=y'], '"--timeout" takes a number.'],
    [['--timeout', '0'], '"--timeout" must be more than 0 seconds.'],
    [[...agent, '--sync', 'pull'], together],
    [[...agent, '--sync-remote', 'drive:'], together],
    [[...agent, '--sync', 'pull', '--sync-remote', ''], together],
    [
      [...agent, '--sync', 'pull', '--sync-remote=--config=/etc/passwd'],
      '"--sync-remote" cannot begin with a dash.',
    ],
    [
      [...agent, '--sync', 'both', '--sync-remote', 'x:'],
      '"--sync" must be one of pull, push, bisync.',
    ],
    [[...agent, '--adr-publish', 'push'], '"--adr-publish" needs "--adr-repo <folder>".'],
    [[...agent, '--adr-hooks'], '"--adr-hooks" needs "--adr-repo <folder>".'],
    [['--adr-repo', '/code'], '"--sync" and "--adr-repo" are for the tools of "--tools agent".'],
    [['--log-level', 'loud'], '"--log-level" must be one of silent, error, warn, info, debug.'],
    [['--brake', 'x'], '"--brake" takes a number of files, or "off".'],
    [['--brake', '2.5'], '"--brake" takes a number of files, or "off".'],
    [['--brake', ''], '"--brake" takes a number of files, or "off".'],
    [['--notify-command', ''], '"--notify-command" needs a program.'],
    [['--poll', '5'], '"--poll" must be one of auto, always, never.'],
  ])('%j is refused with what to write instead', (argv, message) => {
    expect(() => optionsOf(argv)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        message: `${message} "vaultdoor stdio --help" lists the options.`,
      }),
    );
  });
});

const folders = ['/home/u/Notes', 'C:\\Users\\u\\Work', ''];

it.each([
  ['Private', 'Private'],
  ['/Private', '/Private'],
  ['/home/u/Notes/Private', 'Private'],
  ['/home/u/Notes/Private/2020/', 'Private/2020/'],
  ['C:\\Users\\u\\Work\\Private\\*.md', 'Private/*.md'],
  ['C:/Users/u/Work/Private', 'Private'],
  ['/home/u/Notes 2/Private', '/home/u/Notes 2/Private'],
])('%s is hidden as %s', (glob, seen) => {
  expect(hideInVaults([glob], folders)).toEqual([seen]);
});
