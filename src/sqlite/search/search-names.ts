import { foldLetters } from '../../engine/text/fold-text.ts';
import type { Connection } from '../connection/connection.ts';
import type { IdSet } from './id-set.ts';

/**
 * The files whose name, or whole path, holds a text, without regard to case and accents. All paths
 * come as one text and are folded and looked through as one: a row for each would take many times
 * as long.
 */
export function filesNamed(connection: Connection, place: 'file' | 'path', text: string): IdSet {
  const wanted = foldLetters(text);
  // Folding leaves ASCII as it is but for its case: what has nothing else is compared by SQLite.
  const row = connection.get<{ files: string | null }>(
    `SELECT group_concat(id || char(9) || path, char(10)) AS files FROM file
     WHERE instr(lower(path), ?) > 0 OR length(path) < length(CAST(path AS BLOB))`,
    wanted,
  );
  const files = foldLetters(row?.files ?? '');
  const found: string[] = [];
  for (let at = files.indexOf(wanted); at !== -1; at = files.indexOf(wanted, at)) {
    const lineStart = files.lastIndexOf('\n', at) + 1;
    const pathStart = files.indexOf('\t', lineStart) + 1;
    const nextLine = files.indexOf('\n', at);
    const end = nextLine === -1 ? files.length : nextLine;
    const start =
      place === 'path' ? pathStart : Math.max(files.lastIndexOf('/', end) + 1, pathStart);
    if (files.slice(start, end).includes(wanted)) {
      found.push(files.slice(lineStart, pathStart - 1));
      at = end + 1;
    } else at = Math.max(at + 1, Math.min(start, end));
  }
  return Uint32Array.from(found, Number).sort();
}
