import type { LineIndex } from '../../base/text-range.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { WordAlternatives } from '../ports/index-store.ts';
import type { Query } from '../ports/search-query.ts';
import type { HitBounds, HitLine, HitReason } from '../ports/text-matcher.ts';
import { matchRanges } from './match-ranges.ts';
import { type MatchingLine, matchedName, matchingLines } from './matching-lines.ts';
import { SearchedFile } from './searched-file.ts';
import { headingsAbove } from './shown-line.ts';

const standard: HitBounds = { lines: 3, chars: 200 };

/**
 * Says why a file with this text matches a query: its best lines, or else that its name matches.
 */
export function hitReason(
  file: { readonly path: VaultPath; readonly text: string },
  query: Query,
  options: { readonly alternatives: readonly WordAlternatives[]; readonly show?: HitBounds },
): HitReason {
  const { alternatives, show = standard } = options;
  const searched = new SearchedFile(file.path, file.text);
  const { lines, total, isAll, table } = matchingLines(searched, query, {
    alternatives,
    show,
  });
  if (lines.length > 0) {
    return {
      lines: withMarks(withHeadings(file, lines, table), query, { alternatives, show }),
      ...(total > lines.length || !isAll ? { matches: total } : {}),
      ...(isAll ? {} : { orMore: true }),
    };
  }
  const matched = matchedName(searched, query, alternatives);
  return matched === undefined ? { lines: [] } : { lines: [], matched };
}

/** Adds to each line the heading above it; only notes have headings. */
function withHeadings(
  { path, text }: { readonly path: VaultPath; readonly text: string },
  found: readonly MatchingLine[],
  table: LineIndex,
): readonly HitLine[] {
  const isNote = fileKind(path) === 'note';
  const lines = found.map(({ line }) => line);
  const headings = isNote ? headingsAbove(text, lines, table) : [];
  return found.map(({ line, text: shown }, at) => {
    const heading = headings[at];
    return { line: line + 1, text: shown, ...(heading === undefined ? {} : { heading }) };
  });
}

/** Adds to each line which pieces of it match, if that is asked for. */
function withMarks(
  lines: readonly HitLine[],
  query: Query,
  { alternatives, show }: { alternatives: readonly WordAlternatives[]; show: HitBounds },
): readonly HitLine[] {
  if (show.marks === undefined) return lines;
  const find = matchRanges(query, alternatives);
  return lines.map((line) => ({ ...line, marks: find(line.text) }));
}
