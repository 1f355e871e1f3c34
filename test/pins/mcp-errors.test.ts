import { expect, it } from 'vitest';
import { mcpErrorCodes, restoredErrorCodes } from '../../src/doors/mcp/mcp-errors.ts';

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

it('answers clients of the 2025 era with its own code for what is not found', () => {
  expect([...restoredErrorCodes]).toEqual([
    ['RESOURCE_NOT_FOUND', -32002],
    ['VAULT_NOT_FOUND', -32002],
  ]);
});
