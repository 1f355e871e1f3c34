import type { Logger } from '../../base/logger.ts';

/**
 * The options with which `openVault` keeps what clients read; none where `--log-reads` was not given.
 * The log of the server says once when that fails.
 */
export function readLogOf(
  { logReads }: { readonly logReads: boolean },
  logger: Logger,
): { readonly logReads?: { readonly onFailure: (reason: string) => void } } {
  if (!logReads) return {};
  const onFailure = (reason: string): void => logger.log('warn', 'reads not logged', { reason });
  return { logReads: { onFailure } };
}
