import { opendir, stat } from 'node:fs/promises';
import { VaultError } from '../../base/vault-error.ts';
import { errnoOf } from '../system/disk-error.ts';
import { refuseVaultsInside } from './vaults-inside.ts';

/** A vault as the user has chosen it: in the settings of a client, or by typing its path. */
interface ChosenVault {
  readonly name: string;
  /** Empty when the user has not chosen a folder yet. */
  readonly path: string;
  readonly isTyped?: true;
  readonly platform: NodeJS.Platform;
}

/**
 * Checks that a chosen vault can be opened. Fails with `vault_not_found`, `forbidden` or `io_failed`
 * and says what the user has to do. Refuses a folder that is not a vault but contains vaults
 * (`refuseVaultsInside`). Does not block the thread until the folder can be opened: a network drive may
 * be slow, and macOS may ask the user for permission first.
 */
export async function checkChosenVault(chosen: ChosenVault): Promise<void> {
  const { path, name } = chosen;
  if (path === '') {
    throw new VaultError(
      'vault_not_found',
      'No vault is chosen yet. Choose the folder of your notes in the settings, then try again.',
    );
  }
  try {
    await (await opendir(path)).close();
  } catch (error) {
    throw await explained(chosen, error);
  }
  refuseVaultsInside(path, { name, isTyped: chosen.isTyped === true });
}

/** The error that says why the vault's folder cannot be listed, and what to do. */
async function explained(chosen: ChosenVault, error: unknown): Promise<VaultError> {
  const { name, platform } = chosen;
  const failure = (code: 'vault_not_found' | 'forbidden' | 'io_failed', text: string): VaultError =>
    new VaultError(code, `The vault "${name}" cannot be opened: ${text}`, {
      cause: error,
      details: { vault: name },
    });
  const errno = errnoOf(error) ?? 'unknown';
  switch (errno) {
    case 'ENOTDIR':
      return failure('vault_not_found', 'it is not a folder. Choose its folder in the settings.');
    case 'ENOENT':
      return failure(
        'vault_not_found',
        (await isDriveAway(chosen))
          ? 'its drive is not there. Connect or mount the drive, then try again.'
          : 'its folder does not exist. If it was moved or renamed, choose it again in the settings.',
      );
    case 'EACCES':
    case 'EPERM':
      return failure(
        'forbidden',
        platform === 'darwin'
          ? 'macOS does not let this app read its folder. Allow it in System Settings, Privacy & Security, Files and Folders (or Full Disk Access), then start the app again.'
          : 'its folder may not be read. Give yourself the permission to read it, then try again.',
      );
    default:
      return failure('io_failed', `its disk does not answer (${errno}). Check it, then try again.`);
  }
}

/** Where each platform mounts removable and network drives. */
const drives: Readonly<Partial<Record<NodeJS.Platform, RegExp>>> = {
  darwin: /^\/Volumes\/[^/]+/,
  linux: /^(\/mnt|\/media(\/[^/]+)?|\/run\/media\/[^/]+)\/[^/]+/,
  win32: /^([a-z]:|\\\\[^\\]+\\[^\\]+)\\/i,
};

/** Whether a missing folder is on a drive that is not mounted. */
async function isDriveAway({ path, platform }: ChosenVault): Promise<boolean> {
  const drive = drives[platform]?.exec(path)?.[0];
  return drive !== undefined && !(await isFolder(drive));
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
