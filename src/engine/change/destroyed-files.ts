import { limits } from '../../base/limits.ts';
import { isInside, trashFolder, type VaultPath } from '../../base/vault-path.ts';
import { countedTogether } from '../decide/asker.ts';
import type { Asker } from '../ports/questions.ts';
import type { ChangeStep, StateStore, StoredChange } from '../ports/state-store.ts';

/** With more changes than this in the window, the brake has been reached by those that are counted. */
const changesMax = 2_000;

/** The files that steps delete, put into the trash or overwrite whole. */
export function destroyedIn(steps: readonly ChangeStep[]): readonly VaultPath[] {
  return steps.flatMap((step) => (isDestructive(step) ? [step.path] : []));
}

function isDestructive(step: ChangeStep): boolean {
  switch (step.do) {
    case 'delete':
      return true;
    case 'write':
      return step.whole === true;
    case 'move':
      return isInside(step.to, trashFolder) || step.over !== undefined;
    case 'moveFolder':
      return isInside(step.to, trashFolder);
    default:
      return false;
  }
}

/**
 * The changes within the brake's window, newest first, in which this asker has deleted files or
 * overwritten them whole, without those that were taken back.
 */
export async function destructiveChanges(
  state: StateStore,
  asker: Asker,
  nowMs: number,
): Promise<readonly StoredChange[]> {
  const filter = { ...countedTogether(asker), sinceMs: nowMs - limits.brakeMs };
  const { items } = await state.changes(filter, { limit: changesMax, offset: 0 });
  return items.filter(
    ({ undoneBy, undoes, steps }) =>
      undoneBy === undefined && undoes === undefined && destroyedIn(steps).length > 0,
  );
}
