import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { readDaemonOptions } from './daemon-options.ts';

const place = { home: '/home/me', currentFolder: '/here' };

it('has the default paths in the home folder', () => {
  expect(readDaemonOptions(['--vault-root=notes'], place)).toEqual({
    vaultRoot: resolve('/here/notes'),
    socket: resolve('/home/me/.obsidian-remote/server.sock'),
    tokenFile: resolve('/home/me/.obsidian-remote/token'),
    ownFolder: resolve('/home/me/.obsidian-remote'),
    logReads: false,
    verbose: false,
  });
});

it('takes what the deployer of the public plugin says', () => {
  const argv = [
    '--vault-root=/v/',
    '--socket=/s/a.sock',
    '--token-file=/t/b',
    '--verbose',
    '-log-reads',
  ];
  expect(readDaemonOptions(argv, { ...place, home: undefined })).toEqual({
    vaultRoot: resolve('/v'),
    socket: resolve('/s/a.sock'),
    tokenFile: resolve('/t/b'),
    logReads: true,
    verbose: true,
  });
});

it.each<[argv: readonly string[], brakeFiles: number | undefined]>([
  [[], undefined],
  [['--brake=off'], undefined],
  [['--brake=25'], 25],
  [['-brake', '0'], 0],
])('%j is the brake %j', (argv, brakeFiles) => {
  const options = readDaemonOptions(['--vault-root=/v', ...argv], place);
  expect(options).toHaveProperty('vaultRoot', resolve('/v'));
  expect(Object(options).brakeFiles).toBe(brakeFiles);
});

it('needs nothing else when only the version is asked for', () => {
  expect(readDaemonOptions(['--version'], place)).toBe('version');
});

it.each<[readonly string[], string | undefined, string, string]>([
  [[], '/home/me', 'invalid_input', '"--vault-root" is missing'],
  [['--vault-root='], '/home/me', 'invalid_input', '"--vault-root" is missing'],
  [['--vault-root=/v', '--frob'], '/home/me', 'invalid_input', 'There is no flag "--frob".'],
  [['--vault-root=/v', '--brake='], '/home/me', 'invalid_input', '"--brake" takes a number'],
  [['--vault-root=/v', '--brake=-1'], '/home/me', 'invalid_input', '"--brake" takes a number'],
  [['--vault-root=/v', '--brake=2.5'], '/home/me', 'invalid_input', '"--brake" takes a number'],
  [['--vault-root=/v'], undefined, 'unavailable', 'HOME is not set'],
  [['--vault-root=/v', '--socket=/s'], '', 'unavailable', 'HOME is not set'],
])('%j with the home %j fails with %s', (argv, home, code, message) => {
  const read = () => readDaemonOptions(argv, { ...place, home });
  expect(read).toThrow(message);
  expect(read).toThrow(expect.objectContaining({ code }));
});
