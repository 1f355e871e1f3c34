import type { VaultPath } from '../../base/vault-path.ts';
import type { Looks, PendingLooks } from './pending-looks.ts';

/**
 * Looks at all pending files, `batch` at a time, until `isOver`. Two batches are under way: one is
 * read while the other is stored. No file is in both, because what was read first could then be
 * stored last. Fails with the first failure.
 */
export async function lookInPairs(
  pending: PendingLooks,
  { batch, isOver }: { readonly batch: number; readonly isOver: () => boolean },
  look: (looks: Looks) => Promise<void>,
): Promise<void> {
  let before = { paths: new Set<VaultPath>(), looked: Promise.resolve() };
  while (!isOver() && pending.hasFiles) {
    const looks = pending.takeFiles(batch);
    if (looks.paths.some((path) => before.paths.has(path))) await before.looked;
    const looked = look(looks);
    looked.catch(() => {}); // It is awaited in the next turn.
    await before.looked;
    before = { paths: new Set(looks.paths), looked };
  }
  await before.looked;
}

/** Looks at the files that are pending now. Not at what is reported meanwhile: that could go on for ever. */
export async function lookAtPending(
  pending: PendingLooks,
  batch: number,
  look: () => Promise<void>,
): Promise<void> {
  let looks = Math.ceil(pending.files / batch);
  while (looks-- > 0 && pending.hasFiles) await look();
}
