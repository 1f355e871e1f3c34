import { expect, it } from 'vitest';
import { readGoFlags } from './go-flags.ts';

const read = (argv: readonly string[]) =>
  readGoFlags(argv, { 'vault-root': 'text', verbose: 'switch' });

it.each<[readonly string[], ReturnType<typeof read>]>([
  [[], {}],
  [['--vault-root=/v'], { 'vault-root': '/v' }],
  [['-vault-root=/v'], { 'vault-root': '/v' }],
  [['--vault-root', '/v'], { 'vault-root': '/v' }],
  [['-vault-root', '/v'], { 'vault-root': '/v' }],
  [['--vault-root', '--verbose'], { 'vault-root': '--verbose' }],
  [['--vault-root=a=b'], { 'vault-root': 'a=b' }],
  [['--vault-root='], { 'vault-root': '' }],
  [['--vault-root=/a', '--vault-root=/b'], { 'vault-root': '/b' }],
  [['--verbose'], { verbose: true }],
  [['-verbose'], { verbose: true }],
  [['--verbose=true'], { verbose: true }],
  [['--verbose=0'], { verbose: false }],
  [['--verbose', '--vault-root', '/v'], { 'vault-root': '/v', verbose: true }],
])('%j says %j', (argv, flags) => {
  expect(read(argv)).toEqual(flags);
});

it.each<[readonly string[], string]>([
  [['--frob'], 'There is no flag "--frob".'],
  [['-x=1'], 'There is no flag "-x".'],
  [['--toString'], 'There is no flag "--toString".'],
  [['--vault-root'], '"--vault-root" needs a value.'],
  [['--verbose=maybe'], '"--verbose" must be true or false.'],
  [['--verbose=toString'], '"--verbose" must be true or false.'],
  [['--verbose', 'true'], '"true" is not a flag.'],
  [['---verbose'], '"---verbose" is not a flag.'],
  [['--'], '"--" is not a flag.'],
  [['-'], '"-" is not a flag.'],
  [[''], '"" is not a flag.'],
  [['--=v'], '"--=v" is not a flag.'],
])('%j is refused: %s', (argv, message) => {
  expect(() => read(argv)).toThrow(message);
});
