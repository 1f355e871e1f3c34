import { limits } from '../../base/limits.ts';
import type { ContentsToMerge, MergedContent } from '../ports/note-work.ts';
import { mergeTexts } from '../text/merge-texts.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Merges two changes of one file as `mergeTexts` does. Undefined also when a content is larger than
 * a note or not UTF-8.
 */
export function mergeContents(contents: ContentsToMerge): MergedContent | undefined {
  const base = textOf(contents.base);
  const ours = textOf(contents.ours);
  const theirs = textOf(contents.theirs);
  if (base === undefined || ours === undefined || theirs === undefined) return undefined;
  const merged = mergeTexts({ base, ours, theirs });
  if (merged === undefined) return undefined;
  return merged === ours ? {} : { bytes: encoder.encode(merged) };
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
