import { dirname } from 'node:path';
import { liesIn } from '../disk/vault-roots.ts';
import { errnoOf } from '../system/disk-error.ts';
import type { RawCalls } from './raw-calls.ts';

/** As many symlinks as Linux follows. */
const linksMax = 40;

/**
 * Whether a path that could not be followed to its end leads out of the vault by what its symlinks
 * say. Nothing is asked about what is out there, so the answer cannot tell whether it exists. `real`
 * is a folder of the vault, without symlinks, and `rest` the path from there on.
 */
export async function leadsOut(
  calls: RawCalls,
  root: string,
  { real, rest }: { readonly real: string; readonly rest: string },
): Promise<boolean> {
  let at = real;
  let links = 0;
  const names = rest.split('/');
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (name === '' || name === '.') continue;
    const next = name === '..' ? dirname(at) : at === '/' ? `/${name}` : `${at}/${name}`;
    const target = liesIn(next, root) && name !== '..' ? await linkAt(calls, next) : next;
    if (target === undefined) return false;
    if (target === next) {
      at = next;
      continue;
    }
    links += 1;
    if (links > linksMax) return false;
    if (target.startsWith('/')) at = '/';
    names.unshift(...target.split('/'));
  }
  return !liesIn(at, root);
}

/** What a symlink says; the path itself where there is something else, undefined for nothing. */
async function linkAt(calls: RawCalls, path: string): Promise<string | undefined> {
  try {
    const found = await calls.lstat(path);
    if (found === undefined) return undefined;
    return found.isSymbolicLink() ? await calls.readlink(path) : path;
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
}
