import { expect, it } from 'vitest';
import { allScopes } from '../../src/base/caller.ts';
import { VaultError, type VaultErrorCode } from '../../src/base/vault-error.ts';
import { refuseBridge } from '../../src/doors/bridge/bridge-refusal.ts';
import { callTool } from '../../src/doors/bridge/call-tool.ts';
import type { Service } from '../../src/tools/service/service.ts';

const statuses: Readonly<Record<VaultErrorCode, number>> = {
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
  busy: 429,
  timeout: 200,
  cancelled: 200,
  io_failed: 200,
  internal: 200,
};

/** The answer to a call that fails with this code. */
async function answerTo(code: VaultErrorCode, details = {}): Promise<Response> {
  const error = new VaultError(code, 'Why.', { details });
  const outcome = { ok: false, error, content: [] } as const;
  const service: Pick<Service, 'call'> = { call: async () => outcome };
  const parts = {
    service: service as Service,
    logger: { log: () => undefined },
    scopes: allScopes,
    deadlineMs: () => 1_000,
    nowMs: () => 0,
  };
  const { signal } = new AbortController();
  const call = { name: 'fail', args: {}, headers: new Headers(), signal };
  return callTool(parts, call);
}

it('answers every failure of a tool in Bridge v1 with the same status, for ever', async () => {
  const codes = Object.keys(statuses) as VaultErrorCode[];
  const answered = await Promise.all(
    codes.map(async (code) => [code, (await answerTo(code)).status]),
  );
  expect(Object.fromEntries(answered)).toEqual(statuses);
});

it('refuses a call for now with its sentence, and says when to try again', async () => {
  const response = await answerTo('busy', { retryAfterMs: 1_500 });
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '2']);
  expect(await response.json()).toEqual({ error: 'Why.', message: 'Why.' });
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
