import type { Scopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { onlyReads } from '../../engine/decide/only-reads.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import { keepTotal } from '../../engine/operations/vault/list-totals.ts';
import type { Timers } from '../../engine/ports/ports.ts';

/**
 * Keeps the size of each vault once a day, until the returned function is called. Begins a minute
 * after the call, so that a start is not slower. A vault that is away, or whose state cannot be
 * written, is tried again an hour later. A server that only reads keeps nothing.
 */
export function keepTotals(
  { vaults, scopes }: { readonly vaults: () => readonly VaultSource[]; readonly scopes: Scopes },
  timers: Timers,
): () => void {
  if (onlyReads(scopes)) return () => undefined;
  let isOver = false;
  const keep = async (): Promise<void> => {
    for (const source of vaults()) {
      if (isOver) return;
      await source
        .open()
        .then(({ parts }) => keepTotal(parts))
        .catch(() => undefined);
    }
    if (!isOver) cancel = timers.after(limits.dayTotalsEveryMs, () => void keep());
  };
  let cancel = timers.after(limits.dayTotalsFirstMs, () => void keep());
  return () => {
    isOver = true;
    cancel();
  };
}
