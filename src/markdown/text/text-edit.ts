import { assert } from '../../base/assert.ts';
import type { TextRange } from '../../base/text-range.ts';

/** Replaces a range of a text. An empty range inserts; an empty text deletes. */
export interface TextEdit {
  readonly range: TextRange;
  readonly text: string;
}

/**
 * Applies edits to a text. Every character outside their ranges stays. Edits may come in any order
 * but must not overlap; insertions at the same place keep their order.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = edits.toSorted(
    (a, b) => a.range.start - b.range.start || a.range.end - b.range.end,
  );
  const pieces: string[] = [];
  let done = 0;
  for (const { range, text: put } of sorted) {
    assert(range.start >= done && range.end >= range.start, 'edits must not overlap');
    assert(range.end <= text.length, 'edits must lie inside the text');
    pieces.push(text.slice(done, range.start), put);
    done = range.end;
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}
