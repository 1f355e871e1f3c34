import { VaultError } from '../../base/vault-error.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';

/** The bytes that a client has sent. Fails with `invalid_input` for what is no base64. */
export function decodeBase64(vault: BoundVault, text: string): Uint8Array {
  const bytes = vault.vault.parts.base64.decode(text);
  if (bytes !== undefined) return bytes;
  throw new VaultError(
    'invalid_input',
    'The content is not base64 of the standard alphabet with padding.',
  );
}
