import { limits } from '../../base/limits.ts';
import { isInside, trashFolder, type VaultPath } from '../../base/vault-path.ts';
import { countedTogether } from '../decide/asker.ts';
import type { Asker } from '../ports/questions.ts';
import type { ChangeStep, StateStore, StoredChange } from '../ports/state-store.ts';

/** With more changes than this in the window, the brake has been reached by those that are counted. */
const changesMax = 2_000;

/** The files that steps delete, put into the trash or overwrite whole; also whole folders. */
export function destroyedIn(steps: readonly ChangeStep[]): readonly VaultPath[] {
  return steps.flatMap((step) => destroyedBy(step) ?? []);
}

/** How many files those are, each counted once. */
export function countDestroyed(steps: readonly ChangeStep[]): number {
  const files = new Map<VaultPath, number>();
  for (const step of steps) {
    const path = destroyedBy(step);
    if (path !== undefined) files.set(path, step.do === 'moveFolder' ? (step.files ?? 1) : 1);
  }
  return Array.from(files.values()).reduce((sum, count) => sum + count, 0);
}

function destroyedBy(step: ChangeStep): VaultPath | undefined {
  switch (step.do) {
    case 'delete':
      return step.path;
    case 'write':
      return step.whole === true ? step.path : undefined;
    case 'move':
      if (step.over !== undefined) return step.to;
      return isInside(step.to, trashFolder) ? step.path : undefined;
    case 'moveFolder':
      return isInside(step.to, trashFolder) ? step.path : undefined;
    default:
      return undefined;
  }
}

/**
 * The changes within the brake's window, newest first, in which this asker has deleted files or
 * overwritten them whole, without those that were taken back. Undos that delete files are among them.
 */
export async function destructiveChanges(
  state: StateStore,
  asker: Asker,
  nowMs: number,
): Promise<readonly StoredChange[]> {
  const filter = { ...countedTogether(asker), sinceMs: nowMs - limits.brakeMs };
  const { items } = await state.changes(filter, { limit: changesMax, offset: 0 });
  return items.filter(({ undoneBy, steps }) => undoneBy === undefined && countDestroyed(steps) > 0);
}
