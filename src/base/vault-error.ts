/** Every way a call can fail. Each door has one total table from these to its own numbers. */
export type VaultErrorCode =
  | 'invalid_input'
  | 'outside_vault'
  | 'not_found'
  | 'vault_not_found'
  | 'already_exists'
  | 'ambiguous'
  | 'conflict'
  | 'not_a_folder'
  | 'is_a_folder'
  | 'forbidden'
  | 'tag_not_allowed'
  | 'too_large'
  | 'app_not_running'
  | 'unavailable'
  | 'timeout'
  | 'cancelled'
  | 'io_failed'
  | 'internal';

/** Data a caller can act on, e.g. the path that failed or the names it could have meant. */
export type VaultErrorDetails = Readonly<Record<string, unknown>>;

/**
 * The one error class. `message` is a sentence that tells the caller what to do; `details` is
 * data for programs. Neither ever holds note text; `excerpt` does, where the caller needs to see it
 * (a diff, the nearest lines): it belongs to the answer and never to a log.
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

/** What went wrong as a `VaultError`: one passes through, anything else is a bug of ours. */
export function toVaultError(error: unknown): VaultError {
  if (error instanceof VaultError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new VaultError('internal', `Vaultdoor has a bug: ${message}`, { cause: error });
}
