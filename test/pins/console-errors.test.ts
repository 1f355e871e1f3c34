import { expect, it } from 'vitest';
import { VaultError, type VaultErrorCode } from '../../src/base/vault-error.ts';
import { failureAnswer, signedOutAnswer } from '../../src/doors/console/console-answers.ts';

const statuses: Readonly<Record<VaultErrorCode, number>> = {
  invalid_input: 400,
  outside_vault: 400,
  not_found: 404,
  vault_not_found: 503,
  already_exists: 409,
  ambiguous: 409,
  conflict: 409,
  not_a_folder: 400,
  is_a_folder: 400,
  forbidden: 403,
  tag_not_allowed: 403,
  too_large: 413,
  app_not_running: 503,
  unavailable: 503,
  busy: 429,
  timeout: 504,
  cancelled: 409,
  io_failed: 500,
  internal: 500,
};

it('answers every failure in the console with the same status, for ever', () => {
  const codes = Object.keys(statuses) as VaultErrorCode[];
  const answered = codes.map((code) => [code, failureAnswer(new VaultError(code, 'Why.')).status]);
  expect(Object.fromEntries(answered)).toEqual(statuses);
});

it('says in one way that nobody is signed in, for ever', async () => {
  const response = signedOutAnswer();
  expect([response.status, await response.json()]).toMatchObject([
    401,
    { error: { code: 'signed_out', details: {} } },
  ]);
});
