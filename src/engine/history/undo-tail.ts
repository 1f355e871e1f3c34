import { limits } from '../../base/limits.ts';
import { isSameBytes } from '../../base/same-bytes.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { isHidden, isInside, trashFolder } from '../../base/vault-path.ts';
import { isTailStep } from '../change/tail-step.ts';
import type { StoredChange, TailStep } from '../ports/state-store.ts';
import type { Draft } from '../vault/draft.ts';
import type { StepUndone, UndoContext } from './undo-step.ts';

/**
 * Whether an undo may change the end of a file in place: it is about that and nothing else. With
 * other files it is one change of them all, so the file is then written as a whole, as it is where
 * the whole content is needed: see `TailDraft`.
 */
export function isUndoneInPlace(
  { dryRun, vault }: Draft,
  changes: readonly Pick<StoredChange, 'steps'>[],
): boolean {
  const steps = changes.flatMap((change) => change.steps);
  const paths = new Set(steps.map(({ path }) => path));
  const needsContent =
    dryRun || vault.call.accepts !== undefined || vault.view().marks !== undefined;
  if (vault.vault.parts.disk.gate !== undefined) return false;
  return !needsContent && paths.size === 1 && steps.every(isTailStep);
}

/**
 * Cuts off what a step has added to the end of a file, or adds what it has cut off. Where the file
 * does not end there any more, it is left as it is: no other content of it is known.
 */
export async function undoTail(context: UndoContext, step: TailStep): Promise<StepUndone> {
  const { draft, state, trail, overwrites, inPlace } = context;
  const followed = trail.now(step.path);
  // When the trail ends in the trash, the file may have been restored from history as a new one.
  const path = isInside(followed, trashFolder) ? trail.place(step.path) : followed;
  if ((await draft.kind(path)) !== 'file') return left(path, 'it is not there any more');
  const end = await state.content(step.tail);
  if (end === undefined) return left(path, 'its former content is not kept any more');
  const isUndone = inPlace
    ? await draft.takeBackTail(path, { step, end, overwrites })
    : await takeBackWhole(draft, path, { step, end, overwrites });
  if (isUndone) return { did: 'restored', path };
  return left(
    path,
    step.do === 'append'
      ? 'it was written to since, so it does not end with what was added'
      : 'it was written to since, so what was cut off cannot be added again',
  );
}

async function takeBackWhole(
  draft: Draft,
  path: VaultPath,
  { step, end, overwrites }: { step: TailStep; end: Uint8Array; overwrites: boolean },
): Promise<boolean> {
  const { bytes } = await draft.readBytes(path, limits.historyContentBytesMax);
  const { length } = step;
  const rest = bytes.subarray(length);
  const added = step.do === 'append' ? end : new Uint8Array();
  if (bytes.length < length || !isSameBytes(rest, added)) return false;
  const after = new Uint8Array(length + end.length - added.length);
  after.set(bytes.subarray(0, length));
  if (step.do === 'cut') after.set(end, length);
  await draft.put(path, after, { dotNames: isHidden(path) });
  if (overwrites) draft.overwrites(path);
  return true;
}

function left(path: VaultPath, reason: string): StepUndone {
  return { did: 'left', path, reason };
}
