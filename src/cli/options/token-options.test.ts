import { expect, it } from 'vitest';
import { readTokenOptions } from './token-options.ts';

const asked = { vaults: [], json: false };
const everything = { effects: ['read', 'write', 'destroy'], folders: [''] };

it.each<[string[], object]>([
  [['create', 'laptop'], { action: 'create', name: 'laptop', ...everything }],
  [
    ['create', ' my laptop ', '--vault', 'a', '--vault', 'b', '--json'],
    { action: 'create', name: 'my laptop', vaults: ['a', 'b'], json: true, ...everything },
  ],
  [
    ['create', 'x', '--read-only', '--folder', 'devlog/', '--folder=adr', '--folder', 'adr'],
    { action: 'create', name: 'x', effects: ['read'], folders: ['devlog', 'adr'] },
  ],
  [
    ['create', 'x', '--scope', 'read,write', '--expires', '1.5'],
    {
      action: 'create',
      name: 'x',
      ...everything,
      effects: ['read', 'write'],
      lastsMs: 129_600_000,
    },
  ],
  [['create', 'x', '--folder', '/'], { action: 'create', name: 'x', ...everything }],
  [
    ['create', 'x', '--tools', 'agent,notes'],
    { action: 'create', name: 'x', ...everything, tools: ['agent', 'notes'] },
  ],
  [['list'], { action: 'list' }],
  [['revoke', 'laptop'], { action: 'revoke', token: 'laptop' }],
])('%j', (argv, words) => {
  expect(readTokenOptions(argv)).toEqual({ ...asked, ...words });
});

it.each<[string[], string]>([
  [[], '"token" must be followed by create, list or revoke.'],
  [['make', 'x'], '"token" must be followed by create, list or revoke.'],
  [['create'], '"token create" needs a name, such as "laptop".'],
  [['create', ' '], '"token create" needs a name, such as "laptop".'],
  [['create', 'a\nb'], 'A name has at most 100 characters, all of them visible.'],
  [['create', 'x'.repeat(101)], 'A name has at most 100 characters, all of them visible.'],
  [['create', 'my', 'laptop'], 'There is one argument too many; quote a name that has spaces.'],
  [['create', 'x', '--scope', 'write'], '"--scope" must include read.'],
  [
    ['create', 'x', '--scope', 'all'],
    '"--scope" takes read, write, destroy, propose, or several of them, separated by commas.',
  ],
  [
    ['create', 'x', '--read-only', '--scope', 'read'],
    '"--read-only" and "--scope" contradict each other; give one of them.',
  ],
  [['create', 'x', '--expires', 'soon'], '"--expires" takes a number.'],
  [['create', 'x', '--expires', '0'], '"--expires" takes a number of days, up to 36500.'],
  [['create', 'x', '--folder', '.obsidian'], 'Folders that begin with a dot are never served.'],
  [
    ['create', 'x', '--tools', 'cli'],
    '"--tools" takes notes, obsidian, agent, or several of them, separated by commas.',
  ],
  [['list', 'x'], '"token list" takes options only.'],
  [['list', '--read-only'], '"--read-only" is for "token create".'],
  [['revoke'], '"token revoke" needs the id or name of a token.'],
  [['revoke', 'x', '--folder', 'a'], '"--folder" is for "token create".'],
])('%j is refused with what to write instead', (argv, message) => {
  expect(() => readTokenOptions(argv)).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      message: `${message} "vaultdoor token --help" lists the options.`,
    }),
  );
});

it.each(['../other', '/etc', 'a\\b'])('no token is for %s', (folder) => {
  expect(() => readTokenOptions(['create', 'x', '--folder', folder])).toThrow(
    expect.objectContaining({ code: 'outside_vault' }),
  );
});
