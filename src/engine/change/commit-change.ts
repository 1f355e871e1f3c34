import type { VaultPath } from '../../base/vault-path.ts';
import type { ChangePlan } from '../draft/plan-change.ts';
import type { ChangeId, StoredChange } from '../ports/state-store.ts';
import { type Committed, commitSingles, type PlannedChange } from './commit-singles.ts';
import { isSingle } from './deciding-step.ts';
import { FencedChange, fencedOrNothing, isFenced } from './fenced-change.ts';
import { rollBack, rollForward } from './finish-change.ts';
import {
  checkSeen,
  checkSignal,
  giveUp,
  isLeftOpen,
  leftOpen,
  stageChange,
} from './stage-change.ts';
import type { ChangePorts } from './take-back-step.ts';

/**
 * Carries out a plan as one change, all of it or nothing. The caller must hold the commit lock and
 * have called `recoverChanges`. Throws `StalePlan` when a file is not as the plan saw it. Any other
 * failure leaves every file as it was, or has `details.open`: then the change is neither finished
 * nor taken back, and the next recovery does one of the two. `onCarriedOut` is called when a change of
 * one visible step was carried out; see `commitSingles`.
 */
export async function commitChange(
  ports: ChangePorts,
  planned: PlannedChange,
  onCarriedOut?: () => void,
): Promise<Committed> {
  if (isSingle(planned.plan.steps)) {
    const [outcome] = await commitSingles(ports, [planned], onCarriedOut);
    if (outcome?.status === 'fulfilled') return outcome.value;
    throw outcome?.reason;
  }
  const { options } = planned;
  let isDecided = false;
  const onCommit = (id: ChangeId): void => {
    isDecided = true;
    options.onCommit(id);
  };
  try {
    return await commitSeveral(ports, { ...planned, options: { ...options, onCommit } });
  } catch (error) {
    // A change that failed and is not left open has been taken back.
    if (isDecided && !isLeftOpen(error)) options.onTakenBack();
    throw error;
  }
}

/**
 * Commits a change of several steps. Everything is prepared in temporary files first (the state
 * `staging`); the mark in the state store is the commit. From then on the steps are carried out, by
 * recovery if need be.
 */
async function commitSeveral(
  ports: ChangePorts,
  { plan, change, options }: PlannedChange,
): Promise<Committed> {
  const { state } = ports;
  const id = await state.begin(change, 'staging', []);
  const stored: StoredChange = { ...change, id, state: 'staging', kept: [] };
  try {
    await stageChange(ports, plan, options);
    await checkSeen(ports, plan);
    checkSignal(options.signal);
    options.onCommit(id);
    await mark(ports, plan, id);
  } catch (error) {
    if (error instanceof MarkUnknown) throw leftOpen(error.cause);
    await giveUp(ports, stored);
    throw error;
  }
  const kept = await finishMarked(ports, { ...stored, state: 'marked' }, plan);
  // If this fails, the next recovery finds the change carried out and finishes it.
  const finished = state.finish(id, kept).catch(fencedOrNothing);
  return { id, kept, isRecorded: true, finished };
}

/**
 * Carries out a marked change and answers the files that someone else had changed, which are left
 * as they are. When the disk refuses twice, takes the change back and fails; when that fails as
 * well, the change is left open (see `commitChange`).
 */
export async function finishMarked(
  ports: ChangePorts,
  change: StoredChange,
  plan?: ChangePlan,
): Promise<readonly VaultPath[]> {
  const { disk, state } = ports;
  try {
    return await rollForward(disk, change.steps, plan?.seen).catch(() =>
      rollForward(disk, change.steps),
    );
  } catch (error) {
    if (isFenced(error)) throw new FencedChange(change.id, { cause: error });
    try {
      await state.unmark(change.id);
      await rollBack(ports, { ...change, state: 'undoing' });
    } catch (cause) {
      throw isFenced(cause) ? new FencedChange(change.id, { cause }) : leftOpen(error);
    }
    const dropped = await state.drop(change.id).catch(fencedOrNothing);
    throw dropped === 'fenced' ? new FencedChange(change.id) : error;
  }
}

/** Thrown when it could not be found out whether the mark is on disk. */
class MarkUnknown extends Error {}

/** Marks a change: the commit of a change of several steps. */
async function mark({ state }: ChangePorts, plan: ChangePlan, id: ChangeId): Promise<void> {
  try {
    await state.mark(id, plan.contents);
  } catch (error) {
    const open = await state.unfinished().catch((cause: unknown) => {
      throw new MarkUnknown('', { cause });
    });
    // The state may have failed after it wrote the mark, so it is asked.
    if (open.find((change) => change.id === id)?.state !== 'marked') throw error;
  }
}
