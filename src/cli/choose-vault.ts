import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { VaultError } from '../base/vault-error.ts';

/** Which vault is meant, and what it is called. */
export interface VaultChoice {
  readonly name: string;
  readonly path: string;
}

/**
 * The vault from `--vault`, `OBSIDIAN_VAULT_PATH` or `VAULT_PATH`, in this order, or the current
 * folder if Obsidian has opened it. `--vault name=path` gives it a name; otherwise the folder's.
 * `~/` is the home folder: shells leave it in `--vault=~/Notes`, and configurations have it too.
 */
export function chooseVault(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  currentFolder: string,
): VaultChoice {
  if (flag === '') throw new VaultError('invalid_input', '--vault needs a folder.');
  const given = flag || env['OBSIDIAN_VAULT_PATH'] || env['VAULT_PATH'];
  if (given) {
    const named = /^([\p{L}\p{N} ._-]+)=(.+)$/u.exec(given);
    if (named?.[1] !== undefined && named[2] !== undefined && !existsSync(given)) {
      return { name: named[1], path: resolve(currentFolder, atHome(named[2])) };
    }
    const path = resolve(currentFolder, atHome(given));
    return { name: basename(path) || path, path };
  }
  if (existsSync(join(currentFolder, '.obsidian'))) {
    return { name: basename(currentFolder), path: currentFolder };
  }
  throw new VaultError(
    'invalid_input',
    'No vault: give --vault <folder>, or set OBSIDIAN_VAULT_PATH to the folder of your notes.',
  );
}

function atHome(path: string): string {
  return path === '~' || /^~[\\/]/.test(path) ? join(homedir(), path.slice(1)) : path;
}
