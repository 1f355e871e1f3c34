import { VaultError } from './vault-error.ts';

/** Why a call ends early, as its caller said it. */
export function endingOf(signal: AbortSignal): VaultError {
  return signal.reason instanceof VaultError
    ? signal.reason
    : new VaultError('cancelled', 'The call was cancelled.');
}
