import { expect, it } from 'vitest';
import { refuseBridge } from '../../src/doors/bridge/bridge-refusal.ts';
import { callStatus } from '../../src/doors/bridge/call-status.ts';

it('answers every failure of a tool in Bridge v1 with the same status, for ever', () => {
  expect(callStatus).toEqual({
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
  });
});

it.each([
  [400, 'Invalid request body'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not found'],
  [405, 'Method not allowed'],
  [413, 'Request body too large'],
  [500, 'Internal server error'],
  [503, 'Service Unavailable'],
])('refuses with %i and the same words, for ever: %s', async (status, error) => {
  const response = refuseBridge({ status });
  expect(response.status).toBe(status);
  expect(await response.text()).toBe(JSON.stringify({ error, message: error }));
});
