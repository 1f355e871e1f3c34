import { existsSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../../base/limits.ts';
import { oneLine } from '../../base/one-line.ts';
import { VaultError } from '../../base/vault-error.ts';

/** At most this many vaults are named in the message, each cut to this many characters. */
const namesMax = 5;
const nameCharsMax = 60;

/**
 * Fails with `vault_not_found` for a folder that Obsidian has not opened, but one or two levels below
 * which there are vaults: the user most likely meant one of them. In such a folder, the links of each
 * vault would be resolved among the notes of all, and the changes would be in a history of their own.
 * Other folders without `.obsidian` are vaults. Costs one look where there is a `.obsidian`; otherwise
 * it looks at a limited number of entries for a limited time.
 */
export function refuseVaultsInside(
  path: string,
  {
    name,
    isTyped,
  }: {
    /** What the message calls the folder. */
    readonly name: string;
    /** Whether the user can type another path; otherwise the folder is in the settings of a client. */
    readonly isTyped: boolean;
  },
): void {
  if (existsSync(join(path, '.obsidian'))) return;
  const vaults = vaultsInside(path);
  if (vaults.length === 0) return;
  const names = vaults.slice(0, namesMax).map((vault) => `"${oneLine(vault, nameCharsMax)}"`);
  const [are, choose] =
    vaults.length === 1
      ? ['there is a vault in it', 'Choose that folder']
      : ['there are vaults in it', 'Choose one of these folders'];
  const more = vaults.length > namesMax ? ' and others' : '';
  const instead = isTyped ? 'instead' : 'in the settings instead';
  const anyway = isTyped
    ? ' If you mean all of it as one vault, make a folder ".obsidian" in it.'
    : '';
  throw new VaultError(
    'vault_not_found',
    `The folder "${name}" is not a vault, but ${are}: ${names.join(', ')}${more}. ${choose} ${instead}.${anyway}`,
    { details: { vault: name } },
  );
}

/** The vaults in a folder, as paths from there; those in its folders only when it has none itself. */
function vaultsInside(path: string): readonly string[] {
  const endMs = performance.now() + limits.vaultsInsideMs;
  let left: number = limits.vaultsInsideEntriesMax;
  const foldersIn = (folder: string): readonly string[] => {
    const found: string[] = [];
    try {
      const entries = opendirSync(join(path, folder));
      try {
        for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
          if (left-- <= 0 || performance.now() > endMs) break;
          // Symlinks count, since one may lead to a vault.
          const isFolder = entry.isDirectory() || entry.isSymbolicLink();
          if (isFolder && !entry.name.startsWith('.')) {
            found.push(folder === '' ? entry.name : `${folder}/${entry.name}`);
          }
        }
      } finally {
        entries.closeSync();
      }
    } catch {
      // A folder that cannot be listed has no vault that could be meant.
    }
    return found;
  };
  const isVault = (folder: string): boolean =>
    performance.now() <= endMs && existsSync(join(path, folder, '.obsidian'));
  const first = foldersIn('');
  const direct = first.filter(isVault);
  return direct.length > 0 ? direct : first.flatMap(foldersIn).filter(isVault);
}
