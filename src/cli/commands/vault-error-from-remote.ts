import { VaultError, type VaultErrorCode } from '../../base/vault-error.ts';
import { RemoteError } from '../../doors/remote/remote-errors.ts';

/** The code for each error number of the protocol; all other numbers are failures of the daemon. */
const codes: ReadonlyMap<number, VaultErrorCode> = new Map([
  [-32602, 'invalid_input'],
  [-32015, 'outside_vault'],
  [-32010, 'not_found'],
  [-32013, 'already_exists'],
  [-32020, 'conflict'],
  [-32011, 'not_a_folder'],
  [-32012, 'is_a_folder'],
  [-32014, 'forbidden'],
  [-32000, 'forbidden'],
  [-32001, 'forbidden'],
  [-32601, 'unavailable'],
  [-32021, 'unavailable'],
]);

/** A `RemoteError` as a `VaultError`; any other error is answered as it is. */
export function vaultErrorFromRemote(error: unknown): unknown {
  if (!(error instanceof RemoteError)) return error;
  const { code, message } = error;
  return new VaultError(codes.get(code) ?? 'io_failed', message, { details: { remote: code } });
}
