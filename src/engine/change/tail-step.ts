import { assert } from '../../base/assert.ts';
import { isSameBytes } from '../../base/same-bytes.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { WritableDisk } from '../ports/ports.ts';
import type { ChangeStep, ContentPut, StateStore, TailStep } from '../ports/state-store.ts';

/**
 * What an interrupted step has left: it was carried out; nothing of it is left; or someone else has
 * written to the file since, so that it stays as it is.
 */
type Settled = 'done' | 'not done' | 'kept';

/** Whether a step changes the end of a large file in place. */
export function isTailStep(step: ChangeStep): step is TailStep {
  return step.do === 'append' || step.do === 'cut';
}

/** For code that only sees the steps of marked changes: an end is changed in a `single` one. */
export function neverMarked(step: TailStep): never {
  throw new Error(`assertion failed: a marked change has no step "${step.do}"`);
}

/**
 * Adds the end of a file, or cuts it off (see `TailStep`), and makes that durable. Fails with
 * `conflict` when the file has changed since the plan; then nothing was done.
 */
export async function carryOutTail(
  disk: WritableDisk,
  step: TailStep,
  contents: readonly ContentPut[],
): Promise<void> {
  const { path, inode, length } = step;
  const end = contents.find(({ version }) => version === step.tail)?.bytes;
  assert(end !== undefined, 'a plan has the end that it adds or cuts');
  if (step.do === 'append') return disk.append(path, end, { inode, size: length });
  const found = await disk.readEnd(path, { from: length, bytesMax: end.length + 1 });
  // The size alone would not show that another program has written over the end.
  if (found === undefined || !isSameBytes(found.bytes, end)) throw changed(step);
  return disk.cut(path, length, { inode, size: length + end.length });
}

/**
 * Finds out whether a step was carried out that may have been begun, and makes that durable. Where
 * only a part of an addition is there and nobody has written after it, cuts that part off. May be
 * called again after any failure or crash.
 */
export async function settleTail(
  { disk, state }: { readonly disk: WritableDisk; readonly state: StateStore },
  step: TailStep,
): Promise<Settled> {
  const end = await state.content(step.tail);
  assert(end !== undefined, 'history has the end that an unfinished change adds or cuts');
  const { path, inode, length } = step;
  const found = await disk.readEnd(path, { from: length, bytesMax: end.length + 1 });
  if (found === undefined) return 'kept';
  const hasEnd = isSameBytes(found.bytes.subarray(0, end.length), end);
  // Another file has taken the place of the one that was changed. It may be made from that one.
  if (found.inode !== inode) return hasEnd && step.do === 'append' ? 'done' : 'kept';
  const settle = async (size: number, settled: Settled): Promise<Settled> => {
    try {
      await disk.cut(path, size, { inode, size: found.size });
      return settled;
    } catch (error) {
      if (!(error instanceof VaultError) || error.code !== 'conflict') throw error;
      return 'kept'; // Someone is writing to it at this moment.
    }
  };
  if (step.do === 'cut') {
    if (found.size === length) return settle(length, 'done');
    return hasEnd && found.size === length + end.length ? 'not done' : 'kept';
  }
  if (found.size === length) return 'not done';
  if (hasEnd) return settle(found.size, 'done');
  const isTorn = found.size > length && found.size <= length + end.length;
  return isTorn && isPartOf(found.bytes, end) ? settle(length, 'not done') : 'kept';
}

/**
 * Whether an interrupted write of `end` can have left these bytes: each is the one that was written,
 * or zero, because a disk may make a file longer before it has its bytes.
 */
function isPartOf(bytes: Uint8Array, end: Uint8Array): boolean {
  return bytes.every((byte, at) => byte === 0 || byte === end[at]);
}

function changed({ path }: TailStep): VaultError {
  return new VaultError('conflict', `"${path}" was changed by another program.`, {
    details: { path },
  });
}
