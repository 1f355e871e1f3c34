import { describe, expect, it } from 'vitest';
import { serverVariables, withEnvironment } from './environment-options.ts';
import { readStdioOptions } from './stdio-options.ts';

/** What Claude Desktop passes for a setting that the user left empty. */
const leftEmpty = (setting: string): string => `\${user_config.${setting}}`;

describe('the words after a program that serves', () => {
  // What it is about, the words, the environment, and the words that are read.
  const rows: readonly (readonly [
    string,
    readonly string[],
    Readonly<Record<string, string>>,
    readonly string[],
  ])[] = [
    ['stay as they are', ['--vault', 'a', '--read-only'], {}, ['--vault', 'a', '--read-only']],
    ['name vaults after two dashes', ['--', '/a b', '--c'], {}, ['--vault=/a b', '--vault=--c']],
    ['have a switch that is on', [], { VAULTDOOR_READ_ONLY: 'true' }, ['--read-only']],
    ['take other words for on', [], { VAULTDOOR_READ_ONLY: ' Yes ' }, ['--read-only']],
    ['have no switch that is off', [], { VAULTDOOR_READ_ONLY: 'false' }, []],
    ['choose the toolset', [], { VAULTDOOR_CLI_TOOLS: 'true' }, ['--tools=obsidian']],
    ['ask before new tags', [], { VAULTDOOR_ASK_NEW_TAGS: 'true' }, ['--tag-policy=enforce']],
    ['let new tags pass', [], { VAULTDOOR_ASK_NEW_TAGS: 'false' }, ['--tag-policy=off']],
    [
      'put the environment first, so that the command line wins',
      ['--tag-policy=strict'],
      { VAULTDOOR_ASK_NEW_TAGS: 'false' },
      ['--tag-policy=off', '--tag-policy=strict'],
    ],
    [
      'hide each folder',
      [],
      { VAULTDOOR_HIDE: ' Private, Work\\Pay/ ,,\n*.secret.md ' },
      ['--hide=Private', '--hide=Work/Pay/', '--hide=*.secret.md'],
    ],
    [
      'hide by marks',
      [],
      { VAULTDOOR_HIDE_TAGS: 'private, #diary', VAULTDOOR_HIDE_PROPERTIES: 'status=secret' },
      ['--hide-tag=private', '--hide-tag=#diary', '--hide-property=status=secret'],
    ],
    [
      'set up what a server does beside',
      [],
      {
        VAULTDOOR_SYNC: 'pull',
        VAULTDOOR_SYNC_REMOTE: 'drive:My Notes',
        VAULTDOOR_ADR_REPO: '/code',
        VAULTDOOR_ADR_PUBLISH: 'push',
      },
      ['--sync=pull', '--sync-remote=drive:My Notes', '--adr-repo=/code', '--adr-publish=push'],
    ],
    [
      'leave out what a bundle was not told',
      ['--wait-for-vault', '--', leftEmpty('vaults')],
      {
        VAULTDOOR_READ_ONLY: leftEmpty('read_only'),
        VAULTDOOR_CLI_TOOLS: '',
        VAULTDOOR_HIDE: leftEmpty('private_folders'),
      },
      ['--wait-for-vault'],
    ],
  ];

  it.each(rows)('%s', (_what, argv, env, words) => {
    expect(withEnvironment(argv, env, serverVariables)).toEqual(words);
  });

  it('are refused when a switch is neither on nor off', () => {
    expect(() => withEnvironment([], { VAULTDOOR_READ_ONLY: 'perhaps' }, serverVariables)).toThrow(
      'VAULTDOOR_READ_ONLY must be true or false.',
    );
  });

  it('become the options that they stand for', () => {
    const env = { VAULTDOOR_READ_ONLY: '1', VAULTDOOR_ASK_NEW_TAGS: 'no', VAULTDOOR_HIDE: 'a,b' };
    expect(readStdioOptions(withEnvironment(['--hide', 'c'], env, serverVariables))).toMatchObject({
      rights: ['read'],
      tagPolicy: 'off',
      hide: ['a', 'b', 'c'],
    });
  });
});
