import { expect, it } from 'vitest';
import { isQuick } from '../support/counts.ts';
import { canMountForItself, runReadOnly } from '../support/own-mounts.ts';
import { runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

// A vault on a disk that is mounted read-only, through the program as it ships.

const changes: readonly (readonly string[])[] = [
  ['rename', 'A', 'B'],
  ['create', 'new/folder/Note'],
];

it.runIf(canMountForItself && !isQuick)(
  'refused changes leave nothing open, and everything can be read',
  async () => {
    const vault = tempFolder({ 'A.md': 'text', 'N.md': '[[A]]', 'sub/M.md': '[[A]]' });
    const cache = tempFolder();
    const env = { OBSIDIAN_VAULT_PATH: vault, XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache };
    const readOnly = (...args: readonly string[]) => runReadOnly(vault, args, env);
    for (const change of changes) {
      const { code, stderr } = readOnly(...change);
      expect([change[0], code, stderr]).toEqual([
        change[0],
        5,
        expect.stringMatching(/^vaultdoor: "[^"]+" may not be written: the disk is read-only\.\n$/),
      ]);
    }
    const check = readOnly('check', '--json');
    expect(JSON.parse(check.stdout)).toMatchObject({ index: [], unrecovered: [], recovered: [] });
    expect(readOnly('read', 'A').stdout).toBe('text');
    // Writable again: nothing is recovered, since nothing was left.
    expect((await runCli(['append', 'A', 'more'], env)).stderr).toBe('');
  },
);
