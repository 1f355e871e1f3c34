import { consolePageLimits } from '../../base/console-page-limits.ts';
import { type DiffLine, type DiffPart, type FileDiff, pairedLines } from './file-diff.ts';

/** What a unified diff says about one file. */
export interface UnifiedFile extends FileDiff {
  /** Absent for a new file. */
  readonly from?: string;
  /** Absent for a deleted file. */
  readonly to?: string;
  /** Whether its content cannot be shown as lines. */
  readonly isBinary: boolean;
}

/** A unified diff by files; `more` lines of it were too many to be read. */
interface ReadUnified {
  readonly files: readonly UnifiedFile[];
  readonly more: number;
}

/**
 * Reads a unified diff as the server writes it. Every line of a hunk is counted, so no line of a note
 * can be taken for the beginning of another file.
 */
export function readUnified(text: string, { by }: { readonly by: 'words' | 'lines' }): ReadUnified {
  const all = text.split('\n');
  const lines = all.slice(0, consolePageLimits.unifiedLinesMax);
  const files: UnifiedFile[] = [];
  let at = 0;
  while (at < lines.length) {
    const named = /^diff --git (.*)$/.exec(lines[at] ?? '');
    at += 1;
    if (named === null) continue;
    const name = nameOf((named[1] ?? '').slice(0, ((named[1] ?? '').length - 1) / 2));
    let file: { from?: string; to?: string; isBinary: boolean } = {
      from: name,
      to: name,
      isBinary: false,
    };
    while (at < lines.length && !/^(diff --git |@@ )/.test(lines[at] ?? '')) {
      file = withHeader(file, lines[at] ?? '');
      at += 1;
    }
    const parts: DiffPart[] = [];
    let [added, removed] = [0, 0];
    for (let hunk = readHunk(lines, at, by); hunk !== undefined; hunk = readHunk(lines, at, by)) {
      parts.push({ lines: hunk.lines });
      added += hunk.lines.filter(({ is }) => is === 'added').length;
      removed += hunk.lines.filter(({ is }) => is === 'removed').length;
      at = hunk.end;
    }
    files.push({ ...file, parts, added, removed });
  }
  return { files, more: all.length - lines.length };
}

type Named = Pick<UnifiedFile, 'from' | 'to' | 'isBinary'>;

function withHeader(file: Named, line: string): Named {
  const { from: _, ...created } = file;
  const { to: __, ...deleted } = file;
  if (line.startsWith('new file mode')) return created;
  if (line.startsWith('deleted file mode')) return deleted;
  const [, end, name = ''] = /^rename (from|to) (.*)$/.exec(line) ?? [];
  if (end !== undefined) return { ...file, [end]: unquoted(name) };
  if (line.startsWith('Binary files ')) return { ...file, isBinary: true };
  return file;
}

/** The lines of the hunk that begins here; undefined when none does. */
function readHunk(
  lines: readonly string[],
  start: number,
  by: 'words' | 'lines',
): { readonly lines: readonly DiffLine[]; readonly end: number } | undefined {
  const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(lines[start] ?? '');
  if (head === null) return undefined;
  let [old, now] = [Number(head[1]), Number(head[3])];
  let [oldLeft, nowLeft] = [Number(head[2] ?? 1), Number(head[4] ?? 1)];
  const read: DiffLine[] = [];
  let [removed, added]: [DiffLine[], DiffLine[]] = [[], []];
  const flush = (): void => {
    const isPaired = by === 'words' && removed.length === added.length;
    read.push(...(isPaired ? pairedLines(removed, added) : [...removed, ...added]));
    [removed, added] = [[], []];
  };
  let end = start + 1;
  for (; end < lines.length && (oldLeft > 0 || nowLeft > 0); end++) {
    const line = lines[end] ?? '';
    const pieces = [{ text: line.slice(1), differs: false }];
    if (line.startsWith('-')) {
      removed.push({ is: 'removed', number: old++, pieces });
      oldLeft -= 1;
    } else if (line.startsWith('+')) {
      added.push({ is: 'added', number: now++, pieces });
      nowLeft -= 1;
    } else if (!line.startsWith('\\')) {
      flush();
      read.push({ is: 'same', number: now++, pieces });
      [old, oldLeft, nowLeft] = [old + 1, oldLeft - 1, nowLeft - 1];
    }
  }
  flush();
  if (lines[end]?.startsWith('\\')) end += 1;
  return { lines: read, end };
}

/** The name behind `a/`. */
function nameOf(text: string): string {
  return unquoted(text).slice(2);
}

function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('\\"', '"') : text;
}
