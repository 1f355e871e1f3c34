import type { VaultErrorCode } from '../../base/vault-error.ts';

/** The exit code of the command line for each failure. */
export const exitCodes: Readonly<Record<VaultErrorCode, number>> = {
  invalid_input: 2,
  outside_vault: 5,
  not_found: 3,
  vault_not_found: 3,
  already_exists: 4,
  ambiguous: 4,
  conflict: 4,
  not_a_folder: 2,
  is_a_folder: 2,
  forbidden: 5,
  tag_not_allowed: 5,
  too_large: 2,
  app_not_running: 6,
  unavailable: 6,
  busy: 6,
  timeout: 124,
  cancelled: 130,
  io_failed: 7,
  internal: 70,
};
