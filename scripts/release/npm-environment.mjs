import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../outside-programs.mjs';

/**
 * An environment in which npm installs packages without asking the registry again: the downloads of
 * `npm ci` are used. What npx installs lies beside them, so npm gets a cache of its own in `home` that
 * only links to the downloads.
 */
export async function npmEnvironment({ home, env }) {
  const setting = async (name) => (await run('npm', ['config', 'get', name])).stdout.trim();
  const cache = join(home, 'npm');
  const downloads = join(await setting('cache'), '_cacache');
  mkdirSync(downloads, { recursive: true });
  mkdirSync(cache);
  symlinkSync(downloads, join(cache, '_cacache'));
  return {
    ...env,
    npm_config_userconfig: await setting('userconfig'), // It may name a registry.
    npm_config_cache: cache,
    npm_config_prefer_offline: 'true',
  };
}
