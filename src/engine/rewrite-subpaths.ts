import type { Link } from '../markdown/facts.ts';
import { subpathRange } from '../markdown/subpath-range.ts';
import type { TextEdit } from '../markdown/text-edit.ts';
import { fileKind } from './file-kind.ts';
import { escapeInFile, pathInLink } from './link-style.ts';
import type { LinkingFile } from './links-into.ts';

/**
 * Edits that give links of a file another subpath; `subpathOf` answers it, or undefined for a link
 * that stays. Nothing else of a link changes.
 */
export function rewriteSubpaths(
  file: Pick<LinkingFile, 'path' | 'text' | 'links'>,
  subpathOf: (link: Link) => string | undefined,
): TextEdit[] {
  const kind = fileKind(file.path);
  return file.links.flatMap((link): TextEdit[] => {
    const subpath = subpathOf(link);
    const range = subpathRange(file.text, link);
    if (subpath === undefined || subpath === link.subpath || range === undefined) return [];
    const text = escapeInFile({ kind, text: file.text }, link, pathInLink(link, subpath));
    return [{ range, text }];
  });
}
