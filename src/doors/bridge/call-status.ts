import type { VaultErrorCode } from '../../base/vault-error.ts';

/**
 * The status of a call whose tool has failed, whatever it failed with: HTTP's errors are for what
 * never reached a tool.
 */
export const callStatus: Readonly<Record<VaultErrorCode, number>> = {
  invalid_input: 200,
  outside_vault: 200,
  not_found: 200,
  vault_not_found: 200,
  already_exists: 200,
  ambiguous: 200,
  conflict: 200,
  not_a_folder: 200,
  is_a_folder: 200,
  forbidden: 200,
  tag_not_allowed: 200,
  too_large: 200,
  app_not_running: 200,
  unavailable: 200,
  timeout: 200,
  cancelled: 200,
  io_failed: 200,
  internal: 200,
};
