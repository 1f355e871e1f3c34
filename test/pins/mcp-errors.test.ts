import { expect, it } from 'vitest';
import { VaultError, type VaultErrorCode } from '../../src/base/vault-error.ts';
import {
  protocolError,
  restoreErrorCode,
  toolError,
} from '../../src/doors/mcp/server/mcp-errors.ts';
import { toolErrorPins } from '../support/tool-error-pins.ts';

const protocolErrorPins: Readonly<Record<VaultErrorCode, number>> = {
  invalid_input: -32602,
  outside_vault: -32602,
  not_found: -32602,
  vault_not_found: -32602,
  already_exists: -32602,
  ambiguous: -32602,
  conflict: -32603,
  not_a_folder: -32602,
  is_a_folder: -32602,
  forbidden: -32602,
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

const codes = Object.keys(toolErrorPins) as VaultErrorCode[];

/** What a function makes of each failure there is. */
function ofEach<T>(answer: (error: VaultError) => T): Record<string, T> {
  return Object.fromEntries(codes.map((code) => [code, answer(new VaultError(code, 'Why.'))]));
}

it('answers the same failure outside of tools with the same JSON-RPC error, for ever', () => {
  expect(ofEach((error) => protocolError(error).code)).toEqual(protocolErrorPins);
  expect(ofEach((error) => protocolError(error, 'vault:///A.md').code)).toEqual(protocolErrorPins);
});

it('answers the same failure of a tool whose contract has errors with the same one, for ever', () => {
  const answered = ofEach((error) => {
    const { code, data } = toolError(error, 'Why.');
    return { code, ...(data as object) };
  });
  expect(answered).toEqual(toolErrorPins);
});

it('answers clients of the 2025 era with its own code for what is not found', () => {
  const errors = codes.flatMap((code) => {
    const error = new VaultError(code, 'Why.');
    return [toolError(error, 'Why.'), protocolError(error), protocolError(error, 'vault:///A.md')];
  });
  const restored = errors.flatMap(({ data }) => {
    // The SDK sends this code in place of -32002.
    const sent = { code: -32602, message: 'Why.', data };
    const answer = restoreErrorCode({ jsonrpc: '2.0', id: 1, error: sent });
    if (!('error' in answer) || answer.error.code === -32602) return [];
    return [[(data as { readonly errorCode: string }).errorCode, answer.error.code]];
  });
  expect(new Map(restored as [string, number][])).toEqual(
    new Map([
      ['RESOURCE_NOT_FOUND', -32002],
      ['VAULT_NOT_FOUND', -32002],
    ]),
  );
});
