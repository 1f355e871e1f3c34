import { expect, it } from 'vitest';
import { readClientOptions } from './client-options.ts';

const redirect = 'https://a.example/back';

it.each<[string[], object]>([
  [
    ['create', ' my app ', '--redirect', redirect, '--redirect=app:back', '--secret', '--json'],
    {
      action: 'create',
      name: 'my app',
      redirectUris: [redirect, 'app:back'],
      secret: true,
      json: true,
    },
  ],
  [
    ['create', 'x', '--redirect', redirect, '--vault', 'v'],
    { action: 'create', name: 'x', redirectUris: [redirect], secret: false, json: false },
  ],
  [['list'], { action: 'list', json: false }],
  [['revoke', 'x'], { action: 'revoke', client: 'x', json: false }],
])('%j', (argv, options) => {
  expect(readClientOptions(argv)).toEqual(options);
});

it.each<[string[], string]>([
  [[], '"client" must be followed by create, list or revoke.'],
  [
    ['create', 'x'],
    '"client create" needs "--redirect": the address to which the app wants its answer.',
  ],
  [['create', '--redirect', redirect], '"client create" needs a name, such as "claude.ai".'],
  [
    ['create', 'a\nb', '--redirect', redirect],
    'A name has at most 60 characters, all of them visible.',
  ],
  [
    ['create', 'my', 'app', '--redirect', redirect],
    'There is one argument too many; quote a name that has spaces.',
  ],
  [['list', 'x'], '"client list" takes options only.'],
  [['list', '--secret'], '"--secret" is for "client create".'],
  [['revoke'], '"client revoke" needs the id or name of an app.'],
])('%j is refused with what to write instead', (argv, message) => {
  expect(() => readClientOptions(argv)).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      message: `${message} "vaultdoor client --help" lists the options.`,
    }),
  );
});
