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
  const renamed = renamedLinks(contents.kind, before, after);
  return renamed && { renamed };
}

/** The links that got another path (see `MergedContent`); undefined where anything else was changed. */
function renamedLinks(
  kind: FileKind,
  before: string,
  after: string,
): (readonly [from: string, to: string])[] | undefined {
  const [old, made] = [apartFromLinks(kind, before), apartFromLinks(kind, after)];
  if (old.around !== made.around || old.links.length !== made.links.length) return undefined;
  const renamed: (readonly [from: string, to: string])[] = [];
  for (const [at, from] of old.links.entries()) {
    const to = made.links[at] ?? from;
    const isSame = to.path === from.path;
    // No rename changes these, nor the display text of a link that keeps its path.
    if (to.form !== from.form || to.embed !== from.embed || to.subpath !== from.subpath)
      return undefined;
    if (isSame && to.displayText !== from.displayText) return undefined;
    if (!isSame) renamed.push([linkName(from.path), linkName(to.path)]);
  }
  return renamed;
}

/** A text with a mark in the place of each link, to which its display text belongs; and its links. */
function apartFromLinks(
  kind: FileKind,
  text: string,
): { readonly around: string; readonly links: ReturnType<typeof linksOf> } {
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
  return { around, links };
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
