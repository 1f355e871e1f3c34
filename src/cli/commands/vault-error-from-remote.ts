import { VaultError, type VaultErrorCode } from '../../base/vault-error.ts';
import { RemoteError } from '../../doors/remote/remote-error.ts';

/** What each number of the protocol means here; the rest are the other side's own failures. */
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

/** A failure that a daemon answered as one of ours; anything else passes through. */
export function vaultErrorFromRemote(error: unknown): unknown {
  if (!(error instanceof RemoteError)) return error;
  const { code, message } = error;
  return new VaultError(codes.get(code) ?? 'io_failed', message, { details: { remote: code } });
}
