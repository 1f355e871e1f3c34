import type { Link } from '../../markdown/facts/facts.ts';
import { subpathRange } from '../../markdown/scan/subpath-range.ts';
import type { TextEdit } from '../../markdown/text/text-edit.ts';
import { applyEdits } from '../../markdown/text/text-edit.ts';
import { escapeInFile, linksOf, pathInLink } from '../links/link-style.ts';
import { fileKind } from '../ports/file-kind.ts';
import { factsOf } from '../text/scan-file.ts';
import type { LinkingFile } from './links-into.ts';

/**
 * Returns edits that give the links of a file other subpaths. `subpathOf` returns the new subpath,
 * or undefined for a link that stays. Nothing else of a link changes. A subpath with characters
 * that would break the link is written without them, because headings are compared without them.
 * Undefined when even that is not read back correctly.
 */
export function rewriteSubpaths(
  file: LinkingFile,
  subpathOf: (link: Link) => string | undefined,
): TextEdit[] | undefined {
  const wanted = new Map<Link, string>();
  for (const link of file.links) {
    const subpath = subpathOf(link);
    if (subpath !== undefined && subpath !== link.subpath) wanted.set(link, subpath);
  }
  if (wanted.size === 0) return [];
  const plain = new Map(Array.from(wanted, ([link, subpath]) => [link, withoutSigns(subpath)]));
  for (const subpaths of [wanted, plain]) {
    const edits = editsFor(file, subpaths);
    if (holds(file, edits, subpaths)) return edits;
  }
  return undefined;
}

function editsFor(file: LinkingFile, subpaths: ReadonlyMap<Link, string>): TextEdit[] {
  const kind = fileKind(file.path);
  return Array.from(subpaths).flatMap(([link, subpath]): TextEdit[] => {
    const range = subpathRange(file.text, link);
    if (range === undefined) return [];
    const text = escapeInFile({ kind, text: file.text }, link, pathInLink(link, subpath));
    return [{ range, text }];
  });
}

/** Whether the edited text has the same links with these subpaths. */
function holds(
  file: LinkingFile,
  edits: readonly TextEdit[],
  subpaths: ReadonlyMap<Link, string>,
): boolean {
  const after = linksOf(factsOf(fileKind(file.path), applyEdits(file.text, edits)));
  const before = file.all;
  return (
    after.length === before.length &&
    before.every((link, index) => {
      const now = after[index];
      const subpath = subpaths.get(link) ?? link.subpath;
      return now?.path === link.path && comparable(now.subpath) === comparable(subpath);
    })
  );
}

/** A subpath without blanks at its end and without the backslash that escapes a pipe. */
function comparable(subpath: string): string {
  return subpath.replace(/[\s\\]+$/, '');
}

/** A subpath without punctuation, except the `#` between headings. */
function withoutSigns(subpath: string): string {
  return subpath
    .replace(/[!"$%&()*+,.:;<=>?@`{|}~/[\]\\\s]+/g, ' ')
    .replace(/ ?# ?/g, '#')
    .trim();
}
