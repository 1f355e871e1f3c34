import { limits } from '../../base/limits.ts';
import { linksOf } from '../links/link-style.ts';
import { linkName } from '../links/resolve-link.ts';
import type { ContentsToMerge, MergedContent } from '../ports/note-work.ts';
import type { FileKind } from '../ports/records.ts';
import { factsOf } from '../text/scan-file.ts';
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
  if (merged !== undefined) return merged === now ? {} : { bytes: encoder.encode(merged) };
  const [old, made] = [before, after].map((text) => apartFromLinks(contents.kind, text));
  if (old?.around !== made?.around || old?.names.length !== made?.names.length) return undefined;
  return {
    renamed: (old?.names ?? []).flatMap((from, at) => {
      const to = made?.names[at] ?? from;
      return from === to ? [] : [[from, to] as const];
    }),
  };
}

/**
 * A text with a mark in the place of each link, to which its display text belongs; and the last name in
 * the path of each link, folded and without `.md`.
 */
function apartFromLinks(
  kind: FileKind,
  text: string,
): { readonly around: string; readonly names: readonly string[] } {
  const links = Array.from(linksOf(factsOf(kind, text)));
  links.sort(({ range: a }, { range: b }) => a.start - b.start || b.end - a.end);
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of links.map(({ range }) => range)) {
    if (start < done) continue; // A link inside the display text of another.
    parts.push(text.slice(done, start));
    done = end;
  }
  const around = [...parts, text.slice(done)].join('\0');
  return { around, names: links.map(({ path }) => linkName(path)) };
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
