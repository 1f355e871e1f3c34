import { expect, it } from 'vitest';
import { readProposalsOptions } from './proposals-options.ts';

const anyone = { whose: {} };

it.each<[string[], object]>([
  [[], { action: 'list', all: false, ...anyone }],
  [['--all', '--vault', 'a'], { action: 'list', all: true, vault: 'a', ...anyone }],
  [
    ['list', '--client', 'x', '--session', 'c1'],
    { action: 'list', all: false, whose: { client: 'x', session: 'c1' } },
  ],
  [['show', 'p1', '--json'], { action: 'show', id: 'p1', json: true }],
  [['accept', 'p2', 'p1'], { action: 'accept', chosen: { ids: ['p2', 'p1'] }, allowRoots: [] }],
  [
    ['accept', '--all', '--yes', '--allow-root', '/a'],
    { action: 'accept', chosen: { ...anyone, yes: true }, allowRoots: ['/a'] },
  ],
  [
    ['accept', '--session', 'c1'],
    { action: 'accept', chosen: { whose: { session: 'c1' }, yes: false }, allowRoots: [] },
  ],
  [
    ['refuse', 'p1', '--reason', 'No.'],
    { action: 'refuse', chosen: { ids: ['p1'] }, reason: 'No.' },
  ],
  [
    ['refuse', '--client', 'x', '--yes'],
    { action: 'refuse', chosen: { whose: { client: 'x' }, yes: true } },
  ],
])('%j', (argv, words) => {
  expect(readProposalsOptions(argv)).toEqual({ json: false, ...words });
});

const which =
  'Say which proposals: give their ids, such as p12, or --session or --client, or --all.';
const one = 'Give the ids of proposals, or --session or --client, or --all.';

it.each<[string[], string]>([
  [['p1'], '"proposals" may be followed by list, show, accept or refuse.'],
  [['list', 'p1'], '"proposals list" takes options only.'],
  [['show'], '"proposals show" needs the id of one proposal, such as p12.'],
  [['show', 'p1', 'p2'], '"proposals show" needs the id of one proposal, such as p12.'],
  [['accept'], which],
  [['refuse', '--yes'], which],
  [['accept', 'p1', '--all'], one],
  [['accept', '--session', 'c1', '--all'], one],
  [['accept', 'p1', '--reason', 'x'], '"--reason" is for "proposals refuse".'],
  [['list', '--yes'], '"--yes" is for "proposals accept", "proposals refuse".'],
  [
    ['show', 'p1', '--all'],
    '"--all" is for "proposals list", "proposals accept", "proposals refuse".',
  ],
])('%j is refused', (argv, message) => {
  const more = ' "vaultdoor proposals --help" lists the options.';
  expect(() => readProposalsOptions(argv)).toThrow(message + more);
});
