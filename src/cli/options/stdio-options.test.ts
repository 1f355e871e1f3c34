import { expect, it } from 'vitest';
import { readStdioOptions } from './stdio-options.ts';

it.each<[string[], boolean]>([
  [[], false],
  [['--attach'], true],
  [['--read-only', '--attach', '--vault', 'notes'], true],
])('the options %j share a server: %s', (argv, attach) => {
  expect(readStdioOptions(argv)).toMatchObject({ attach, toolsets: ['notes'] });
});

it('shares one or does not', () => {
  expect(() => readStdioOptions(['--attach=yes'])).toThrow('"--attach" takes no value.');
});
