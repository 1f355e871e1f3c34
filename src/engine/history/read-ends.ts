import type { Version } from '../../base/version.ts';
import type { StateStore, TailStep } from '../ports/state-store.ts';

/** What a change has cut off the end of a file, and what it has added there. */
interface FileEnds {
  /** How many bytes of the file come before. */
  readonly from: number;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** Joins the ends that the steps of one change have cut off or added; undefined when one is not kept. */
export async function readEnds(
  state: Pick<StateStore, 'content'>,
  tails: readonly TailStep[],
): Promise<FileEnds | undefined> {
  const contents = new Map<Version, Uint8Array>();
  for (const { tail } of tails) {
    const bytes = contents.get(tail) ?? (await state.content(tail));
    if (bytes === undefined) return undefined;
    contents.set(tail, bytes);
  }
  const joined = (what: TailStep['do']): Uint8Array => {
    const parts = tails.flatMap((step) => (step.do === what && contents.get(step.tail)) || []);
    const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  };
  return {
    from: Math.min(...tails.map(({ length }) => length)),
    before: joined('cut'),
    after: joined('append'),
  };
}
