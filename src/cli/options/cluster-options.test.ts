import { describe, expect, it } from 'vitest';
import { readClusterOptions } from './cluster-actions.ts';
import { clusterVariables } from './cluster-options.ts';
import { withEnvironment } from './environment-options.ts';

const url = 'postgres://u:p@h/d';
const read = (line: string, env: Record<string, string> = {}) =>
  readClusterOptions(withEnvironment(line.split(' '), env, clusterVariables));

describe('the options of "vaultdoor cluster"', () => {
  it.each([
    [`migrate --cluster ${url}`, {}, { do: 'migrate', address: { url } }],
    ['migrate', { VAULTDOOR_CLUSTER: url }, { do: 'migrate', address: { url } }],
    [
      'init --cluster-url-file u --cluster-secret-file s',
      { VAULTDOOR_CLUSTER: url },
      { do: 'init', secretFile: 's', address: { file: 'u' } },
    ],
    [
      `add a b/c --pinned n --cluster ${url}`,
      {},
      { do: 'add', name: 'a', path: 'b/c', pinned: 'n' },
    ],
    [`move a n --json --cluster ${url}`, {}, { do: 'move', vault: 'a', node: 'n', json: true }],
    [
      `check --vaults-root /a --also-at /b --cluster ${url}`,
      {},
      { do: 'check', root: '/a', alsoAt: '/b' },
    ],
    [`import --vault /a --cluster ${url}`, {}, { do: 'import', vault: '/a' }],
  ] as const)('%s', (line, env, expected) => {
    expect(read(line, env)).toMatchObject(expected);
  });

  it.each([
    ['', 'must be followed by'],
    ['migrate', 'Give the address'],
    ['migrate --cluster mysql://x', 'takes an address'],
    ['migrate --cluster-url-file=', 'name of a file'],
    [`migrate now --cluster ${url}`, 'options only'],
    [`add a --cluster ${url}`, 'a name and the path'],
    [`status --pinned n --cluster ${url}`, 'is for "cluster add"'],
    [`check --cluster ${url}`, 'needs --vaults-root'],
  ])('refuses "%s"', (line, says) => {
    expect(() => read(line)).toThrow(says);
  });
});
