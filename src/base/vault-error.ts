/** Every way in which a call can fail. Each door translates all of these to its own codes. */
export type VaultErrorCode =
  | 'invalid_input'
  /** The path leads out of the vault, by its spelling or through a symlink. */
  | 'outside_vault'
  | 'not_found'
  /** The vault's folder is away, e.g. because its drive is not mounted. */
  | 'vault_not_found'
  | 'already_exists'
  /** Several notes, sections or places fit what the caller asked for. */
  | 'ambiguous'
  /** A file is no longer as the caller, or the plan of a change, has seen it. */
  | 'conflict'
  | 'not_a_folder'
  | 'is_a_folder'
  /** The caller's scopes, the settings or the permissions on disk do not allow it. */
  | 'forbidden'
  | 'tag_not_allowed'
  | 'too_large'
  /** The call needs the Obsidian app, which does not run. */
  | 'app_not_running'
  /** Another program, the network or a part of ours cannot do its work now. */
  | 'unavailable'
  /** Too much is asked for at once; `details.retryAfterMs` says when to try again. */
  | 'busy'
  | 'timeout'
  | 'cancelled'
  /** The disk failed, is full, or cannot do what was asked. */
  | 'io_failed'
  /** A bug of ours. */
  | 'internal';

/** Data that a caller can act on, e.g. the path that failed or the names it could have meant. */
type VaultErrorDetails = Readonly<Record<string, unknown>>;

/**
 * The error of every call that fails. `message` is a sentence that says what happened and what to
 * do; `details` is data for programs. Neither contains text of notes. `excerpt` does, where the
 * caller needs to see it (a diff, the nearest lines): it is part of the answer and is never logged.
 */
export class VaultError extends Error {
  override readonly name = 'VaultError';
  readonly code: VaultErrorCode;
  readonly details: VaultErrorDetails;
  readonly excerpt: string | undefined;

  constructor(
    code: VaultErrorCode,
    message: string,
    options: { cause?: unknown; details?: VaultErrorDetails; excerpt?: string } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
    this.excerpt = options.excerpt;
  }
}

/**
 * Turns anything thrown into a `VaultError`. What is not one already is a bug of ours: `internal`.
 */
export function toVaultError(error: unknown): VaultError {
  if (error instanceof VaultError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new VaultError('internal', `Vaultdoor has a bug: ${message}`, { cause: error });
}

/** Why a call was aborted: the `VaultError` that its signal carries, or else `cancelled`. */
export function abortReason(signal: AbortSignal): VaultError {
  return signal.reason instanceof VaultError
    ? signal.reason
    : new VaultError('cancelled', 'The call was cancelled.');
}

/**
 * For `.catch`: treats a failed look at a file as "there is no such file", unless the whole vault
 * is away: then the error is thrown again, because it is not known whether the file exists.
 */
export function rethrowIfAway(error: unknown): undefined {
  if (error instanceof VaultError && error.code === 'vault_not_found') throw error;
}

/** Whether an error says that the thread in which something was done has died. */
export function isThreadDeath(error: unknown): error is VaultError {
  return error instanceof VaultError && error.details['threadDied'] === true;
}
