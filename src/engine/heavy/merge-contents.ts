import { limits } from '../../base/limits.ts';
import type { ContentsToMerge, MergedContent } from '../ports/note-work.ts';
import { undoText } from '../text/undo-text.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Takes one change of a file back as `undoText` does. Undefined also when a content is larger than
 * a note or not UTF-8.
 */
export function mergeContents(contents: ContentsToMerge): MergedContent | undefined {
  const after = textOf(contents.after);
  const now = textOf(contents.now);
  const before = textOf(contents.before);
  if (after === undefined || now === undefined || before === undefined) return undefined;
  const merged = undoText({ after, now, before });
  if (merged === undefined) return undefined;
  return merged === now ? {} : { bytes: encoder.encode(merged) };
}

/** Decodes a content; undefined when it is larger than a note, or not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > limits.noteBytesMax) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
