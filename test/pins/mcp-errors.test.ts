import { expect, it } from 'vitest';
import {
  mcpErrorCodes,
  restoredErrorCodes,
  toolErrors,
} from '../../src/doors/mcp/server/mcp-errors.ts';

it('answers the same failure outside of tools with the same JSON-RPC error, for ever', () => {
  expect(mcpErrorCodes).toEqual({
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
    timeout: -32603,
    cancelled: -32603,
    io_failed: -32603,
    internal: -32603,
  });
});

it('answers the same failure of a tool whose contract has errors with the same one, for ever', () => {
  expect(toolErrors).toEqual({
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
    timeout: { code: -32006, errorCode: 'TIMEOUT' },
    cancelled: { code: -32000, errorCode: 'CANCELLED' },
    io_failed: { code: -32603, errorCode: 'IO_FAILED' },
    internal: { code: -32603, errorCode: 'INTERNAL_ERROR' },
  });
});

it('answers clients of the 2025 era with its own code for what is not found', () => {
  expect([...restoredErrorCodes]).toEqual([
    ['RESOURCE_NOT_FOUND', -32002],
    ['VAULT_NOT_FOUND', -32002],
  ]);
});
