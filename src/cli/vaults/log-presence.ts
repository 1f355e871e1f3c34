import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { toVaultError } from '../../base/vault-error.ts';
import type { Timers } from '../../engine/ports/ports.ts';

/**
 * Looks every few seconds whether the folder of an open vault is there, and logs when it has gone and
 * when it is back: calls that fail meanwhile are explained by these lines. Returns a function that
 * ends this.
 */
export function logPresence(
  vault: { check(): Promise<void> },
  {
    name,
    logger,
    timers,
  }: { readonly name: string; readonly logger: Logger; readonly timers: Timers },
): () => void {
  let isThere = true;
  let isOver = false;
  let cancel = (): void => undefined;
  const look = async (): Promise<void> => {
    const failure = await vault.check().then(
      () => undefined,
      (error: unknown) => toVaultError(error),
    );
    if (isOver) return;
    if (isThere && failure !== undefined) {
      logger.log('warn', 'vault gone', { vault: name, message: failure.message });
    } else if (!isThere && failure === undefined) {
      logger.log('warn', 'vault back', { vault: name });
    }
    isThere = failure === undefined;
    lookLater();
  };
  const lookLater = (): void => {
    cancel = timers.after(limits.presenceEveryMs, () => void look());
  };
  lookLater();
  return () => {
    isOver = true;
    cancel();
  };
}
