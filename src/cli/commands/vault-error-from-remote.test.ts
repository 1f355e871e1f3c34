import { expect, it } from 'vitest';
import type { VaultErrorCode } from '../../base/vault-error.ts';
import { RemoteError, remoteErrorCodes } from '../../doors/remote/remote-errors.ts';
import { vaultErrorFromRemote } from './vault-error-from-remote.ts';

it.each<[number, VaultErrorCode]>([
  [-32602, 'invalid_input'],
  [-32015, 'outside_vault'],
  [-32010, 'not_found'],
  [-32013, 'already_exists'],
  [-32020, 'conflict'],
  [-32011, 'not_a_folder'],
  [-32012, 'is_a_folder'],
  [-32014, 'forbidden'],
])('%d is %s again', (code, expected) => {
  expect(remoteErrorCodes[expected]).toBe(code);
  expect(vaultErrorFromRemote(new RemoteError(code, 'Why.'))).toMatchObject({
    code: expected,
    message: 'Why.',
  });
});

it.each<[number, VaultErrorCode]>([
  [-32001, 'forbidden'],
  [-32601, 'unavailable'],
  [-32021, 'unavailable'],
  [-32603, 'io_failed'],
  [-1, 'io_failed'],
])('%d of any server is %s', (code, expected) => {
  expect(vaultErrorFromRemote(new RemoteError(code, 'Why.'))).toMatchObject({ code: expected });
});

it('lets other failures pass', () => {
  const error = new Error('a bug');
  expect(vaultErrorFromRemote(error)).toBe(error);
});
