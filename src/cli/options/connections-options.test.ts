import { expect, it } from 'vitest';
import { readConnectionsOptions } from './connections-options.ts';

it.each<[string[], object]>([
  [['list'], { action: 'list', json: false }],
  [['list', '--json', '--vault', 'x'], { action: 'list', json: true }],
  [['revoke', 'g1'], { action: 'revoke', id: 'g1', json: false }],
  [['revoke', '--all'], { action: 'revoke-all', json: false }],
])('%j', (argv, options) => {
  expect(readConnectionsOptions(argv)).toEqual(options);
});

it.each<[string[], string]>([
  [[], '"connections" must be followed by list or revoke.'],
  [['show'], '"connections" must be followed by list or revoke.'],
  [['list', 'g1'], '"connections list" takes "--json" only.'],
  [['list', '--all'], '"connections list" takes "--json" only.'],
  [['revoke'], '"connections revoke" needs the id of a connection, or "--all".'],
  [['revoke', 'g1', '--all'], '"connections revoke" needs the id of a connection, or "--all".'],
  [['revoke', 'g1', 'g2'], 'There is one argument too many.'],
])('%j is refused with what to write instead', (argv, message) => {
  expect(() => readConnectionsOptions(argv)).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      message: `${message} "vaultdoor connections --help" lists the options.`,
    }),
  );
});
