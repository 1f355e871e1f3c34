import { type JSONRPCResponse, ProtocolError } from '@modelcontextprotocol/server';
import type { VaultError, VaultErrorCode } from '../../../base/vault-error.ts';

const invalidParams = -32602;
const internalError = -32603;
const notFound = -32002;

/** The JSON-RPC codes of failures outside of `tools/call`; a tool's failure is a result. */
const mcpErrorCodes: Readonly<Record<VaultErrorCode, number>> = {
  invalid_input: invalidParams,
  outside_vault: invalidParams,
  not_found: invalidParams,
  vault_not_found: invalidParams,
  already_exists: invalidParams,
  ambiguous: invalidParams,
  conflict: internalError,
  not_a_folder: invalidParams,
  is_a_folder: invalidParams,
  forbidden: invalidParams,
  tag_not_allowed: invalidParams,
  too_large: invalidParams,
  app_not_running: internalError,
  unavailable: internalError,
  busy: internalError,
  timeout: internalError,
  cancelled: internalError,
  io_failed: internalError,
  internal: internalError,
};

/**
 * The JSON-RPC errors of failing tools, for toolsets whose contract asks for errors instead of
 * results. The SDK sends -32602 in place of -32002; `restoreErrorCode` undoes that for 2025
 * clients.
 */
const toolErrors: Readonly<
  Record<VaultErrorCode, { readonly code: number; readonly errorCode: string }>
> = {
  invalid_input: { code: invalidParams, errorCode: 'INVALID_PARAMS' },
  outside_vault: { code: -32005, errorCode: 'PERMISSION_DENIED' },
  not_found: { code: -32003, errorCode: 'FILE_NOT_FOUND' },
  vault_not_found: { code: notFound, errorCode: 'VAULT_NOT_FOUND' },
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
  io_failed: { code: internalError, errorCode: 'IO_FAILED' },
  internal: { code: internalError, errorCode: 'INTERNAL_ERROR' },
};

/** A tool's failure as a JSON-RPC error. `message` is the only part of it that models see. */
export function toolError({ code, details }: VaultError, message: string): ProtocolError {
  const { code: number, errorCode } = toolErrors[code];
  return new ProtocolError(number, message, { ...details, errorCode });
}

/** The errors that have the code -32002 in the 2025 protocol; the SDK sends the -32602 of 2026. */
const restoredErrorCodes: ReadonlyMap<unknown, number> = new Map([
  ['RESOURCE_NOT_FOUND', notFound],
  ['VAULT_NOT_FOUND', notFound],
]);

/**
 * A failure outside of `tools/call` as a JSON-RPC error. `uri` is the resource that was asked for.
 */
export function protocolError(error: VaultError, uri?: string): ProtocolError {
  const isMissing = uri !== undefined && error.code === 'not_found';
  return new ProtocolError(mcpErrorCodes[error.code], error.message, {
    errorCode: isMissing ? 'RESOURCE_NOT_FOUND' : error.code.toUpperCase(),
    ...(uri === undefined ? {} : { uri }),
  });
}

/** The answer with the error codes of the 2025 protocol, in place of those that the SDK sends. */
export function restoreErrorCode(answer: JSONRPCResponse): JSONRPCResponse {
  if (!('error' in answer) || answer.error.code !== invalidParams) return answer;
  const data = answer.error.data as { readonly errorCode?: unknown } | null | undefined;
  const code = restoredErrorCodes.get(data?.errorCode);
  return code === undefined ? answer : { ...answer, error: { ...answer.error, code } };
}
