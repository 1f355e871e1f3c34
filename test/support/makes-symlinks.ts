import { lstatSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Whether this process can make symlinks. Windows allows them to administrators and in its developer
 * mode, and Wine 8 says that it has made one and makes none.
 */
export const makesSymlinks = tryLink();

function tryLink(): boolean {
  if (process.platform !== 'win32') return true;
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-link-'));
  try {
    symlinkSync('nowhere', join(folder, 'link'));
    return lstatSync(join(folder, 'link')).isSymbolicLink();
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
