import type { TextRange } from '../../base/text-range.ts';

/** Replaces a range with a text. An empty range inserts; an empty text deletes. */
export interface TextEdit {
  readonly range: TextRange;
  readonly text: string;
}
