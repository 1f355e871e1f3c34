import type { LineIndex } from '../../base/text-range.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { documentKind, pageBreak } from '../ports/documents.ts';
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
      lines: withMarks(placed(file, lines, table), query, { alternatives, show }),
      ...(total > lines.length || !isAll ? { matches: total } : {}),
      ...(isAll ? {} : { orMore: true }),
    };
  }
  const matched = matchedName(searched, query, alternatives);
  return matched === undefined ? { lines: [] } : { lines: [], matched };
}

/** Adds to each line where it stands: the heading above it in a note, its page in a PDF. */
function placed(
  file: { readonly path: VaultPath; readonly text: string },
  found: readonly MatchingLine[],
  table: LineIndex,
): readonly HitLine[] {
  return documentKind(file.path) === 'pdf'
    ? withPages(file.text, found, table)
    : withHeadings(file, found, table);
}

/** Adds to each line of a PDF its page, and counts lines from the beginning of the page. */
function withPages(
  text: string,
  found: readonly MatchingLine[],
  table: LineIndex,
): readonly HitLine[] {
  const begins = [0]; // The lines on which pages begin.
  for (let at = text.indexOf(pageBreak); at !== -1; at = text.indexOf(pageBreak, at + 1)) {
    begins.push(table.lineAt(at + 1));
  }
  return found.map(({ line, text: shown }) => {
    const page = begins.findLastIndex((begin) => begin <= line);
    return { line: line - (begins[page] ?? 0) + 1, page: page + 1, text: shown };
  });
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
