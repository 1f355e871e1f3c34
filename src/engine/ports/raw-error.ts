import { VaultError, type VaultErrorCode } from '../../base/vault-error.ts';
import type { VaultFolder } from '../../base/vault-path.ts';

/** A failure of a raw file tool about one path; `says` goes on from it. The root is shown as `/`. */
export function rawError(code: VaultErrorCode, path: VaultFolder, says: string): VaultError {
  return new VaultError(code, `"${path === '' ? '/' : path}" ${says}.`, { details: { path } });
}
