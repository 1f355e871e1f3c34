import { assert } from '../../base/assert.ts';
import { limits } from '../../base/limits.ts';
import { isSameBytes } from '../../base/same-bytes.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Hash, WritableDisk } from '../ports/ports.ts';
import type { TailStep } from '../ports/state-store.ts';
import { RawPlan } from './raw-plan.ts';

/** The end of a file as it is planned: bytes that are cut off, or that are added. */
interface PlannedEnd extends Pick<TailStep, 'do' | 'path' | 'inode' | 'length'> {
  readonly end: Uint8Array;
}

/**
 * Takes back steps that have changed the end of one large file (`TailStep`), in place. The draft then
 * does nothing else. Not used for previews, proposals and callers from whom marks hide notes: they
 * need the whole content, so for them the file is read and written as a whole.
 */
export class TailDraft {
  readonly #disk: WritableDisk;
  readonly #hash: Hash;
  #planned: PlannedEnd | undefined;
  #whole = false;

  constructor({ disk, hash }: { readonly disk: WritableDisk; readonly hash: Hash }) {
    this.#disk = disk;
    this.#hash = hash;
  }

  /** Counts the file as one whose text is destroyed; see `Draft.overwrites`. */
  overwrites(): void {
    this.#whole = true;
  }

  /**
   * Takes back one step at the path where its file is now; `end` is what it has added or cut off.
   * Answers false when the file does not end there any more. Fails with `invalid_input` for what
   * needs a change of its own: another file, or adding where something is cut off.
   */
  async takeBack(path: VaultPath, step: TailStep, end: Uint8Array): Promise<boolean> {
    const known = this.#planned;
    if (known !== undefined && (known.path !== path || known.do !== 'cut' || step.do !== 'append'))
      throw needsOwnChange(path);
    const { length } = step;
    const found = await this.#disk.readEnd(path, { from: length, bytesMax: end.length + 1 });
    const size = known?.length ?? found?.size;
    if (found === undefined || size === undefined) return false;
    if (step.do === 'cut') {
      if (size !== length) return false;
      this.#planned = { do: 'append', path, inode: found.inode, length, end };
      return true;
    }
    const isLast = size === length + end.length;
    if (!isLast || !isSameBytes(found.bytes.subarray(0, end.length), end)) return false;
    const cut = joined(end, known?.end);
    if (cut.length > limits.historyContentBytesMax) throw needsOwnChange(path);
    this.#planned = { do: 'cut', path, inode: found.inode, length, end: cut };
    return true;
  }

  /** The plan; undefined when no step was taken back here. */
  plan(): RawPlan | undefined {
    if (this.#planned === undefined) return undefined;
    const { end, ...file } = this.#planned;
    assert(end.length > 0, 'a step adds or cuts something');
    const plan = new RawPlan();
    const tail = this.#hash.version(end);
    const whole = this.#whole && file.do === 'cut' ? ({ whole: true } as const) : {};
    plan.tail({ ...file, bytes: end.length, tail, ...whole }, end);
    return plan;
  }
}

function joined(first: Uint8Array, second: Uint8Array = new Uint8Array()): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function needsOwnChange(path: VaultPath): VaultError {
  return new VaultError('invalid_input', `The end of "${path}" needs a change of its own.`, {
    details: { path },
  });
}
