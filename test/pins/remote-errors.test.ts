import { expect, it } from 'vitest';
import { protocolErrorCodes, remoteErrorCodes } from '../../src/doors/remote/remote-errors.ts';

it('answers every failure of a call in the remote protocol with the same code, for ever', () => {
  expect(remoteErrorCodes).toEqual({
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
  });
});

it('has the same codes for what is wrong with a message or its sender, for ever', () => {
  expect(protocolErrorCodes).toEqual({
    parseError: -32700,
    invalidRequest: -32600,
    methodNotFound: -32601,
    invalidParams: -32602,
    internalError: -32603,
    authRequired: -32000,
    authInvalid: -32001,
    protocolVersion: -32021,
  });
});
