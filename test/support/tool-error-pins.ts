import type { VaultErrorCode } from '../../src/base/vault-error.ts';

/** The JSON-RPC error of each failure of a tool whose contract asks for errors. Never changes. */
export const toolErrorPins: Readonly<
  Record<VaultErrorCode, { readonly code: number; readonly errorCode: string }>
> = {
  invalid_input: { code: -32602, errorCode: 'INVALID_PARAMS' },
  outside_vault: { code: -32005, errorCode: 'PERMISSION_DENIED' },
  not_found: { code: -32003, errorCode: 'FILE_NOT_FOUND' },
  vault_not_found: { code: -32002, errorCode: 'VAULT_NOT_FOUND' },
  already_exists: { code: -32000, errorCode: 'ALREADY_EXISTS' },
  ambiguous: { code: -32004, errorCode: 'AMBIGUOUS_NAME' },
  conflict: { code: -32000, errorCode: 'CONFLICT' },
  not_a_folder: { code: -32000, errorCode: 'NOT_A_FOLDER' },
  is_a_folder: { code: -32000, errorCode: 'IS_A_FOLDER' },
  forbidden: { code: -32005, errorCode: 'PERMISSION_DENIED' },
  tag_not_allowed: { code: -32000, errorCode: 'TAG_NOT_ALLOWED' },
  too_large: { code: -32000, errorCode: 'TOO_LARGE' },
  app_not_running: { code: -32001, errorCode: 'OBSIDIAN_NOT_RUNNING' },
  unavailable: { code: -32000, errorCode: 'UNAVAILABLE' },
  busy: { code: -32000, errorCode: 'BUSY' },
  timeout: { code: -32006, errorCode: 'TIMEOUT' },
  cancelled: { code: -32000, errorCode: 'CANCELLED' },
  io_failed: { code: -32603, errorCode: 'IO_FAILED' },
  internal: { code: -32603, errorCode: 'INTERNAL_ERROR' },
};
