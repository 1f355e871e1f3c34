import { assert } from '../../base/assert.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { FileKind } from '../../engine/ports/records.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { freshness } from '../tables/index-schema.ts';
import { properties, tags } from './fact-queries.ts';
import { status, totals } from './file-queries.ts';
import { fileColumn } from './file-rows.ts';
import { deadEnds, linksOf, orphans, unresolved } from './link-queries.ts';
import { tasks } from './task-queries.ts';

/** How many lines are handed on at a time. */
const linesMax = 1_000;
/** How many occurrences of words are read at a time, about. */
const instancesMax = 20_000;

/**
 * See `IndexStore.dump`: all lines of a file come together, files in path order. Two indexes of the
 * same vault give the same lines, so that a kept index can be compared with a rebuilt one.
 */
export function dumpIndex(
  connection: IndexConnection,
  onLines: (lines: readonly string[]) => void,
): void {
  connection.read(() => {
    const texts = textDigests(connection);
    let lines: string[] = [];
    const putLine = (...values: readonly unknown[]): void => {
      lines.push(JSON.stringify(values));
      if (lines.length < linesMax) return;
      onLines(lines);
      lines = [];
    };
    for (const file of connection.iterate<DumpedFile>(
      `SELECT id, path, name, kind, size, mtime, birth, stamp, present, parsed, conflict_of,
         leads_to, facts, text, shape FROM file ORDER BY path`,
    )) {
      dumpFile(connection, file, texts.get(file.id), putLine);
    }
    for (const row of connection.iterate<Readonly<Record<string, unknown>>>(
      `SELECT t.key, f.path, t.count, t.written FROM tag t LEFT JOIN file f ON f.id = t.file
       ORDER BY t.key, f.path`,
    )) {
      putLine('tag', row);
    }
    // The number of all rows, because rows that belong to no file do not appear above.
    for (const table of ['note', 'edge', 'tag', 'alias', 'base', 'problem', 'fulltext'] as const) {
      const own = table === 'fulltext' ? 'rowid' : fileColumn(table);
      putLine(
        'rows',
        table,
        connection.count(
          `SELECT count(*) AS n FROM ${table} WHERE ${own} NOT IN (SELECT file FROM document)`,
        ),
      );
    }
    onLines(lines);
  });
  onLines(answersToAll(connection).map((values) => JSON.stringify(values)));
}

/** The answers from the kept tables, which must be the same as if the rows had just been counted. */
function answersToAll(connection: IndexConnection): (readonly unknown[])[] {
  const all = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };
  const count = { limit: 0, offset: 0 };
  return [
    ...orphans(connection, wholeVault, all).items.map((path) => ['orphan', path]),
    ...deadEnds(connection, wholeVault, all).items.map((path) => ['dead end', path]),
    ...unresolved(connection, wholeVault, all).items.map((row) => ['unresolved', row]),
    ['unresolved in all', unresolved(connection, wholeVault, count).total],
    ...tags(connection, wholeVault).map((row) => ['tag in all', row]),
    ...properties(connection, wholeVault).map((row) => ['property', row]),
    ['tasks', tasks(connection, wholeVault, { ...count, statuses: { chars: [] } }).others],
    ['status', status(connection, wholeVault).files],
    ['totals', totals(connection, wholeVault, '')],
  ];
}

interface DumpedFile extends Readonly<Record<string, unknown>> {
  readonly id: number;
  readonly path: VaultPath;
  readonly kind: FileKind;
  readonly facts: number;
  readonly text: number;
  readonly shape: number | null;
}

function dumpFile(
  connection: IndexConnection,
  { id, path, facts, text, shape, ...stat }: DumpedFile,
  digest: TextDigest | undefined,
  put: (...values: readonly unknown[]) => void,
): void {
  put('file', path, stat);
  // An index built anew has read no PDF yet.
  if (stat.kind === 'attachment') return;
  // Racy counts as current: it depends on when the file was read, and not on the vault.
  if (facts !== freshness.none) {
    put('facts', path, facts === freshness.stale ? 'stale' : 'current');
    const note = connection.get<{ detail: string }>('SELECT detail FROM note WHERE file = ?', id);
    put('detail', path, note?.detail);
    for (const link of linksOf(connection, () => true, { id, path })) put('link', path, link);
  }
  const rows = (sql: string) => connection.all<Readonly<Record<string, unknown>>>(sql, id);
  for (const row of rows('SELECT seq, alias FROM alias WHERE file = ?')) put('alias', path, row);
  for (const row of rows('SELECT text FROM base WHERE file = ?')) put('base', path, row);
  for (const row of rows('SELECT seq, code, message FROM problem WHERE file = ?')) {
    put('problem', path, row);
  }
  if (shape !== null) {
    put('shape', path, connection.get('SELECT properties FROM shape WHERE id = ?', shape));
  }
  if (text !== freshness.none) {
    put(
      'text',
      path,
      text === freshness.stale ? 'stale' : 'current',
      digest?.words ?? 0,
      digest?.sum,
    );
  }
}

/** How many words a file's full text has, and a checksum over them. */
interface TextDigest {
  words: number;
  sum: number;
}

/**
 * A sum over all words of each file's full text with their columns and places, read from the
 * full-text table itself. Many words are read at a time and as arrays: looking up each word on its
 * own takes five times as long, and reading rows six times.
 */
function textDigests(connection: IndexConnection): Map<number, TextDigest> {
  connection.exec(`
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.word USING fts5vocab(main, fulltext, 'row');
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.instance USING fts5vocab(main, fulltext, 'instance');
  `);
  const digests = new Map<number, TextDigest>();
  const words = connection.all<Word>('SELECT term, cnt AS count FROM word');
  for (let start = 0, end = 0; start < words.length; start = end) {
    let instances = 0;
    while (end < words.length && instances < instancesMax) instances += words[end++]?.count ?? 0;
    addInstances(connection, digests, words.slice(start, end));
  }
  return digests;
}

interface Word {
  readonly term: string;
  /** How often the word occurs in the whole vault. */
  readonly count: number;
}

/** Adds all occurrences of words that are neighbours in the vocabulary; the table is sorted by word. */
function addInstances(
  connection: IndexConnection,
  digests: Map<number, TextDigest>,
  words: readonly Word[],
): void {
  const row = connection.get<{ files: string; places: string }>(
    `SELECT json_group_array(doc) AS files,
       json_group_array(8 * offset + CASE col WHEN 'title' THEN 0 WHEN 'aliases' THEN 1
         WHEN 'headings' THEN 2 WHEN 'tags' THEN 3 ELSE 4 END) AS places
     FROM instance WHERE term >= ? AND term <= ?`,
    words[0]?.term ?? '',
    words.at(-1)?.term ?? '',
  );
  const files = JSON.parse(row?.files ?? '[]') as number[];
  const places = JSON.parse(row?.places ?? '[]') as number[];
  let at = 0;
  for (const { term, count } of words) {
    const hash = hashOf(term);
    for (const end = at + count; at < end; at++) {
      const file = files[at] ?? 0;
      let digest = digests.get(file);
      if (digest === undefined) {
        digest = { words: 0, sum: 0 };
        digests.set(file, digest);
      }
      digest.words++;
      digest.sum = (digest.sum + mix(hash ^ mix(places[at] ?? 0))) >>> 0;
    }
  }
  assert(at === files.length, 'the full text counts its words as it lists them');
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

/** Spreads the bits of a 32-bit number, so that different sets have different sums. */
function mix(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
