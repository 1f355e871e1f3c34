import type { VaultErrorCode } from '../../base/vault-error.ts';

/** The codes of failures of the protocol itself. */
export const protocolErrorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  authRequired: -32000,
  authInvalid: -32001,
  /** Made only by clients: the server speaks another version of the protocol. */
  protocolVersion: -32021,
} as const;

/** The codes of failures of calls. */
export const remoteErrorCodes: Readonly<Record<VaultErrorCode, number>> = {
  invalid_input: -32602,
  outside_vault: -32015,
  not_found: -32010,
  vault_not_found: -32603,
  already_exists: -32013,
  ambiguous: -32602,
  conflict: -32020,
  not_a_folder: -32011,
  is_a_folder: -32012,
  forbidden: -32014,
  tag_not_allowed: -32602,
  too_large: -32602,
  app_not_running: -32603,
  unavailable: -32603,
  busy: -32603,
  timeout: -32603,
  cancelled: -32603,
  io_failed: -32603,
  internal: -32603,
};

/** A failure as clients see it: the server's error answer, or that the server did not answer. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
