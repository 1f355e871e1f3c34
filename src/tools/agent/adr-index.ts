/** What a row of `_index.md`, the table of decision records, says about a decision. */
export interface IndexedDecision {
  /** The name of the decision's note, for a link. */
  readonly note: string;
  readonly title: string;
  readonly status: string;
  readonly date: string;
  readonly project: string;
}

/** What an index begins with. */
export const indexTitle = '# Decisions';

const standardHeader = ['ADR', 'Title', 'Status', 'Date', 'Project'];

/** What goes into a column, by the names that it may have. */
const columns: readonly (readonly [RegExp, (decision: IndexedDecision) => string])[] = [
  [/^(adr|#|no\.?|nr\.?|number|id|note|file|link)$/i, ({ note }) => `[[${note}]]`],
  [/^(title|decision|name|subject)$/i, ({ title }) => title],
  [/^(status|state)$/i, ({ status }) => status],
  [/^(date|created|decided)$/i, ({ date }) => date],
  [/^project$/i, ({ project }) => project],
];

/**
 * The text to append to the index so that a decision becomes a row of its table. `note_upsert` puts
 * a line break before it. Where the text does not end with the table, the header is repeated,
 * because a row without a table above it would be plain text.
 */
export function indexAddition(index: string, decision: IndexedDecision): string {
  const table = lastTable(index);
  const header = table?.header ?? standardHeader;
  const row = rowOf(header.map((column) => cellOf(column, decision)));
  if (table?.isOpen === true) return row;
  const start = index === '' || index.endsWith('\n') ? '' : '\n';
  return `${start}${rowOf(header)}\n${rowOf(header.map(() => '---'))}\n${row}`;
}

/**
 * The text of the index with the row of a decision. It ends with a line end only if it did before:
 * an append with `note_upsert` would otherwise leave a blank line, which ends the table.
 */
export function withDecision(index: string, decision: IndexedDecision): string {
  const [end = ''] = /\r?\n$/.exec(index) ?? [];
  const before = index.slice(0, index.length - end.length) || indexTitle;
  const added = `\n${indexAddition(before, decision)}`;
  return before + (index.includes('\r\n') ? added.replaceAll('\n', '\r\n') : added) + end;
}

/** The header of the last table, and whether a line after the text would continue that table. */
function lastTable(text: string): { header: readonly string[]; isOpen: boolean } | undefined {
  const lines = text.split(/\r?\n/);
  const at = lines.findLastIndex(
    (line, index) => isDelimiter(line) && (lines[index - 1] ?? '').includes('|'),
  );
  if (at < 1) return undefined;
  const header = cellsOf(lines[at - 1] ?? '');
  return { header, isOpen: lines.slice(at).every((line) => line.includes('|')) };
}

function isDelimiter(line: string): boolean {
  return line.includes('|') && /^[\s|:-]+$/.test(line) && line.includes('-');
}

function cellsOf(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function cellOf(column: string, decision: IndexedDecision): string {
  const written = columns.find(([name]) => name.test(column))?.[1](decision) ?? '';
  return written.replace(/(?<!\\)\|/g, '\\|');
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
