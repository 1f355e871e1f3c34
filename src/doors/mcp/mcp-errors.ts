import { type JSONRPCResponse, ProtocolError } from '@modelcontextprotocol/server';
import type { VaultError, VaultErrorCode } from '../../base/vault-error.ts';

const invalidParams = -32602;
const internalError = -32603;
const notFound = -32002;

/** How failures outside of `tools/call` are answered; those of tools are results with `isError`. */
export const mcpErrorCodes: Readonly<Record<VaultErrorCode, number>> = {
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
  timeout: internalError,
  cancelled: internalError,
  io_failed: internalError,
  internal: internalError,
};

/** What the 2025 era calls -32002. The SDK sends -32602 in its place, which only 2026 asks for. */
export const restoredErrorCodes: ReadonlyMap<unknown, number> = new Map([
  ['RESOURCE_NOT_FOUND', notFound],
  ['VAULT_NOT_FOUND', notFound],
]);

/** A failure as a JSON-RPC error; `uri` is that of the resource that was asked for. */
export function protocolError(error: VaultError, uri?: string): ProtocolError {
  const isMissing = uri !== undefined && error.code === 'not_found';
  return new ProtocolError(mcpErrorCodes[error.code], error.message, {
    errorCode: isMissing ? 'RESOURCE_NOT_FOUND' : error.code.toUpperCase(),
    ...(uri === undefined ? {} : { uri }),
  });
}

/** The answer as the 2025 era knows it. */
export function restoreErrorCode(answer: JSONRPCResponse): JSONRPCResponse {
  if (!('error' in answer) || answer.error.code !== invalidParams) return answer;
  const data = answer.error.data as { readonly errorCode?: unknown } | null | undefined;
  const code = restoredErrorCodes.get(data?.errorCode);
  return code === undefined ? answer : { ...answer, error: { ...answer.error, code } };
}
