import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { findOuterLocks } from './outer-locks.ts';
import { vaultFolders } from './vault-folders.ts';

test('the lock files of the vaults around one are those whose state is known', () => {
  const env = { XDG_STATE_HOME: tempFolder(), XDG_CACHE_HOME: tempFolder() };
  const stateOf = (path: string) => vaultFolders(path, env, 'linux').state;
  for (const known of ['/v', '/v/a', '/v/a/b', '/v/other'])
    mkdirSync(stateOf(known), { recursive: true });
  const around = (path: string) => findOuterLocks(path, env, 'linux')();
  const lock = (path: string) => join(stateOf(path), 'lock.db');
  expect(around('/v/a/b')).toEqual([lock('/v/a'), lock('/v')]);
  expect(around('/v/a/new/deep')).toEqual([lock('/v/a'), lock('/v')]);
  expect(around('/v')).toEqual([]);
  expect(around('/')).toEqual([]);
});
