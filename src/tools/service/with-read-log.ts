import type { Caller } from '../../base/caller.ts';
import { isOwner } from '../../engine/decide/owner-door.ts';
import { CallReads } from '../../engine/open/call-reads.ts';
import type { Vault } from '../../engine/open/vault.ts';

/**
 * Does the work of a call, and logs what it has read, if the vault keeps that and the caller is not
 * its owner. An answer that comes after the deadline is logged too, although the caller may not get it:
 * rather that than the other way round. `asked` is the name of the tool, or what else was asked for.
 */
export async function withReadLog<T>(
  { parts: { reads: log, clock } }: Vault,
  caller: Caller,
  asked: string,
  work: (reads: CallReads | undefined) => Promise<T>,
): Promise<T> {
  if (log === undefined || isOwner(caller)) return work(undefined);
  const reads = new CallReads();
  try {
    return await work(reads);
  } catch (error) {
    reads.failed(error);
    throw error;
  } finally {
    const entry = reads.entry(asked, caller, clock.nowMs());
    if (entry !== undefined) log.add(entry);
  }
}
