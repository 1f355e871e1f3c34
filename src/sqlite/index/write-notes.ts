import { packedBytes } from '../../engine/ports/packed-texts.ts';
import { type NoteBatch, type NoteHead, noteHead } from '../../engine/ports/record-batches.ts';
import type { SqlValue } from '../connection/open-database.ts';
import { storableText } from '../rows/storable-text.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { freshness, tagKey } from '../tables/index-schema.ts';
import {
  insertFiles,
  isRead,
  nameKey,
  removeContents,
  removeRows,
  type StoredFile,
  storedFiles,
  updateFile,
} from './file-rows.ts';
import type { LinkTargets, NamedFile, Ref } from './link-targets.ts';
import { ReplacedRows } from './replaced-rows.ts';
import { resolveAgain } from './resolve-again.ts';
import type { Writer } from './write-files.ts';

/** How many notes are processed at a time; more would outlive a garbage collection and slow it down. */
const chunkNotes = 64;

/** See `IndexStore.putNotes`. */
export function putNotes(writer: Writer, batch: NoteBatch): void {
  const count = batch.details.ends.length;
  writer.write(() => {
    const shapes = new Map<string, number>(); // The ids of the shapes of this batch; see `shapeId`.
    for (let start = 0; start < count; start += chunkNotes) {
      const notes: BatchNote[] = [];
      for (let at = start; at < Math.min(start + chunkNotes, count); at++) {
        notes.push({ head: noteHead(batch, at), detail: packedBytes(batch.details, at) });
      }
      putSome(writer, notes, shapes);
    }
  });
}

function putSome(
  { connection, targets }: Writer,
  batch: readonly BatchNote[],
  shapes: Map<string, number>,
): void {
  // By path, so that a note that is put twice is stored once.
  const given = Array.from(new Map(batch.map((note) => [note.head.path, note])).values());
  const stored = storedFiles(
    connection,
    given.map(({ head }) => head.path),
  );
  const fresh: BatchNote[] = [];
  const known: KnownNote[] = [];
  given.forEach(({ head, detail }, at) => {
    const file = stored[at];
    if (file === undefined) fresh.push({ head, detail });
    else if (isWanted(connection, head, file)) known.push({ head, detail, file });
  });
  const notes = [...storeFresh(connection, fresh), ...known];
  const outdated = storeKnown(connection, known);
  if (fresh.length > 0) targets.namesChanged();
  const read = notes.filter(({ head }) => isRead(head.path, head.stat));
  storeEdges(connection, targets, read, outdated);
  storeFacts(connection, read, outdated);
  markStored(connection, shapes, read);
  resolveAgain(connection, targets, new Set(fresh.map(({ head }) => nameKey(head.path))));
}

/** A note of a batch: what has rows of its own (`NoteHead`), and the rest as JSON. */
interface BatchNote {
  readonly head: NoteHead;
  readonly detail: Uint8Array;
}

/** A note whose file has a row. */
interface Note extends BatchNote {
  readonly file: NamedFile;
}

/** A note whose file was stored before this batch. */
interface KnownNote extends BatchNote {
  readonly file: StoredFile;
}

/**
 * Whether a record is newer than what the index has. Stamps have no order, so mtime decides. If that
 * is wrong because a clock was set back, the next walk corrects it.
 */
function isWanted(connection: IndexConnection, { stat }: NoteHead, file: StoredFile): boolean {
  if (file.stamp === stat.stamp) return file.facts < freshness.current;
  const row = connection.get<{ mtime: number }>('SELECT mtime FROM file WHERE id = ?', file.id);
  return row === undefined || stat.mtimeMs >= row.mtime;
}

/** Stores files that no walk has seen yet. */
function storeFresh(connection: IndexConnection, notes: readonly BatchNote[]): Note[] {
  const entries = notes.map(({ head }) => ({ path: head.path, ...head.stat }));
  const ids = insertFiles(connection, entries);
  return notes.map(({ head, detail }, at) => ({
    head,
    detail,
    file: { id: ids[at] ?? 0, path: head.path },
  }));
}

/** Updates the rows of known files; answers which of them have facts that are outdated now. */
function storeKnown(connection: IndexConnection, notes: readonly KnownNote[]): readonly number[] {
  const unread: number[] = [];
  const outdated: number[] = [];
  for (const { head, file } of notes) {
    const { path, stat } = head;
    if (file.stamp !== stat.stamp) updateFile(connection, file.id, { path, ...stat });
    if (!isRead(path, stat)) unread.push(file.id);
    else if (file.facts > freshness.none) outdated.push(file.id);
  }
  removeContents(connection, unread);
  return outdated;
}

const tagTable = {
  table: 'tag' as const,
  columns: { file: '?', key: '?', count: '?', written: '?' },
  read: { key: 't.key' }, // `json_each` has a column of this name.
};
const aliasTable = {
  table: 'alias' as const,
  columns: { file: '?', seq: '?', alias: '?' },
};
const baseTable = { table: 'base' as const, columns: { file: '?', text: '?' } };
const problemTable = {
  table: 'problem' as const,
  columns: { file: '?', seq: '?', code: '?', message: '?' },
};

function storeFacts(
  connection: IndexConnection,
  notes: readonly Note[],
  outdated: readonly number[],
): void {
  const details: SqlValue[] = [];
  const tags = new ReplacedRows(connection, tagTable, outdated);
  const aliases = new ReplacedRows(connection, aliasTable, outdated);
  const bases = new ReplacedRows(connection, baseTable, outdated);
  const problems = new ReplacedRows(connection, problemTable, outdated);
  for (const { file, head, detail } of notes) {
    details.push(file.id, detail);
    const keys = Array.from(tagsOf(head.tags)).sort(([a], [b]) => (a < b ? -1 : 1));
    tags.set(
      file.id,
      keys.flatMap(([key, { count, written }]) => [
        file.id,
        key,
        count,
        written === key ? null : written,
      ]),
    );
    aliases.set(
      file.id,
      head.aliases.flatMap((alias, seq) => [file.id, seq, storableText(alias)]),
    );
    bases.set(file.id, head.bases === undefined ? [] : [file.id, storableText(head.bases)]);
    problems.set(
      file.id,
      head.problems.flatMap(({ code, message }, seq) => [
        file.id,
        seq,
        code,
        storableText(message),
      ]),
    );
  }
  removeRows(connection, 'note', outdated);
  connection.insert('note', { file: '?', detail: 'CAST(? AS TEXT)' }, details);
  for (const replaced of [tags, aliases, bases, problems]) replaced.store();
}

/** 0 is passed for "no target" and stored as NULL: V8 handles arrays of small numbers fastest. */
const edgeTable = {
  table: 'edge' as const,
  columns: { source: '?', at: '?', ref: '?', target: 'nullif(?, 0)', count: '?' },
  read: { target: 'ifnull(target, 0)' },
};

function storeEdges(
  connection: IndexConnection,
  targets: LinkTargets,
  notes: readonly Note[],
  outdated: readonly number[],
): void {
  const refs = targets.refsOf(notes.flatMap(({ head }) => head.linked));
  const replaced = new ReplacedRows(connection, edgeTable, outdated);
  let next = 0;
  for (const { file, head } of notes) {
    const edges: number[] = [];
    for (let at = 0; at < head.linked.length; at++) {
      const ref = refs[next++] as Ref;
      const target = targets.targetOf(ref, file) ?? 0;
      edges.push(file.id, at, ref.id, target, head.linkedCounts[at] ?? 0);
    }
    replaced.set(file.id, edges);
  }
  replaced.store();
}

/**
 * Marks the facts as stored. If the facts before were racy, the full text may be outdated as well, so
 * it becomes stale and is read again.
 */
function markStored(
  connection: IndexConnection,
  shapes: Map<string, number>,
  notes: readonly Note[],
): void {
  for (const { file, head } of notes) {
    connection.run(
      `UPDATE file SET facts = ?, shape = ?,
         text = CASE facts WHEN ${freshness.racy} THEN min(text, ${freshness.stale}) ELSE text END
       WHERE id = ?`,
      head.racy ? freshness.racy : freshness.current,
      shapeId(connection, shapes, head),
      file.id,
    );
  }
}

/** The tags of a file by their keys, each with the first spelling and how often it occurs. */
function tagsOf(tags: NoteHead['tags']): Map<string, { count: number; written: string }> {
  const found = new Map<string, { count: number; written: string }>();
  for (const [tag, count] of tags) {
    const key = tagKey(tag);
    const known = found.get(key);
    if (known === undefined) found.set(key, { count, written: storableText(tag) });
    else known.count += count;
  }
  return found;
}

/**
 * The id of a note's shape: the names and types of its properties. Notes from one template share a
 * shape, so listing the properties of the vault reads a few shapes instead of all notes.
 */
function shapeId(
  connection: IndexConnection,
  known: Map<string, number>,
  { properties }: NoteHead,
): number | null {
  if (properties.length === 0) return null;
  const shape = storableText(JSON.stringify(properties));
  let id = known.get(shape);
  if (id === undefined) {
    id =
      connection.get<{ id: number }>('SELECT id FROM shape WHERE properties = ?', shape)?.id ??
      connection.run('INSERT INTO shape (properties) VALUES (?)', shape);
    known.set(shape, id);
  }
  return id;
}
