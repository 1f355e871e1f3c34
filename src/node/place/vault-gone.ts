import { VaultError } from '../../base/vault-error.ts';

const reasons = {
  gone: "The vault's folder cannot be reached any more. Connect its drive, or put the folder back where it was, then try again.",
  unmounted:
    'The drive that holds the vault is not mounted. Mount it again, then try again. If the vault has moved into this folder for good, restart the server.',
  silent: 'The drive that holds the vault does not answer. Check its connection, then try again.',
} as const;

/** The error for a vault whose folder is gone, not mounted, or on a drive that does not answer. */
export function vaultGone(reason: keyof typeof reasons, cause?: unknown): VaultError {
  return new VaultError('vault_not_found', reasons[reason], { cause });
}

/** Whether an error is `vaultGone`: then missing files do not mean that they were deleted. */
export function isVaultGone(error: unknown): boolean {
  return error instanceof VaultError && error.code === 'vault_not_found';
}
