import { foldName } from '../../base/vault-path.ts';
import { documentExtensions } from '../../engine/ports/documents.ts';
import { storableText } from '../rows/storable-text.ts';

/** Must be raised with every change of the schema, or of the meaning of the stored texts. */
export const indexSchemaVersion = 17;

/** FTS5 merges segments of one size only when there are this many; its maximum is 16. */
const textSegmentsMax = 16;

/** How up to date the stored facts or full text of a file are; a higher number is better. */
export const freshness = {
  none: 0,
  /** From an older version of the file. They answer queries until the new ones are stored. */
  stale: 1,
  /** Read so soon after the file's mtime that a later write may have left the stamp unchanged. */
  racy: 2,
  current: 3,
} as const;

/** Files of a parsed kind without facts: not on this machine, too large, or not readable. */
export const lacksContents = `kind <> 'attachment' AND (parsed = 0 OR facts = ${freshness.none})`;

/** Files that are read, and whose facts are missing. */
export const lacksFacts = `kind <> 'attachment' AND parsed = 1 AND facts = ${freshness.none}`;

/** Files whose names, which are folded, end like those of documents. */
const isDocument = documentExtensions
  .map((extension) => `substr(name, -${extension.length + 1}) = '.${extension}'`)
  .join(' OR ');

/** Documents that have not been read since they last changed. */
export const lacksDocument = `kind = 'attachment' AND (${isDocument}) AND present = 1
    AND text < ${freshness.current}`;

/**
 * The tables of the index. Facts that are only needed for one file at a time are in `note` as JSON
 * (`NoteDetail`); facts that are searched across files have rows of their own.
 *
 * - `file`: `name` is folded, `stamp` and `present` are those of `FileStat`, `parsed` is 1 if the file
 *   is read at all (`isRead`), `facts` and `text` are values of `freshness`, `conflict_of` is the path
 *   of the original if the name looks like a sync program's conflict copy, `leads_to` is the path to
 *   which a symlink leads (`FileStat.leadsTo`).
 * - `ref`: one link path as written, stored once for all files that contain it. `segment` is its last
 *   name, folded (`linkSegment`).
 * - `edge`: a `ref` that the file `source` contains `count` times; `target` is NULL if it leads
 *   nowhere.
 * - `tag`: `key` is folded (`tagKey`); `written` is the spelling, NULL if it is the same as the key.
 * - `base`: the text of the bases in a file (`baseText`), of `.base` files, and of notes
 *   and canvases with blocks.
 * - `spelling`: the words of the full text by length, see `KeptSpelling`. `meta` has the number of
 *   texts that were written (`texts`), and what it was when this list was made (`spelling`).
 * - `document`: the text of a PDF or a drawing (`DocumentStore`).
 * - `shape`: names and types of properties; `file.shape` leads to it. Notes of one template share one.
 *
 * The folded texts keep their punctuation. The tokenizer separates words exactly where `foldPhrase`
 * does: at everything that is not a letter, digit or mark (so `snake_case` is two words).
 */
export const indexSchema = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  INSERT INTO meta VALUES ('texts', '0');

  -- Ids are never used again, so a file that is newer than a walk has a higher id.
  CREATE TABLE file (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime REAL NOT NULL,
    birth REAL NOT NULL,
    stamp TEXT NOT NULL,
    present INTEGER NOT NULL,
    parsed INTEGER NOT NULL,
    conflict_of TEXT,
    leads_to TEXT,
    facts INTEGER NOT NULL DEFAULT 0,
    text INTEGER NOT NULL DEFAULT 0,
    shape INTEGER
  );
  CREATE INDEX file_name ON file (name);
  CREATE INDEX file_conflict ON file (conflict_of) WHERE conflict_of IS NOT NULL;
  CREATE INDEX file_link ON file (path, leads_to) WHERE leads_to IS NOT NULL;
  CREATE INDEX file_lacking_text ON file (id) WHERE facts >= ${freshness.racy} AND text < ${freshness.current};

  CREATE INDEX file_lacking_document ON file (id) WHERE ${lacksDocument};

  CREATE TABLE document (file INTEGER PRIMARY KEY, text TEXT NOT NULL);

  CREATE TABLE note (file INTEGER PRIMARY KEY, detail TEXT NOT NULL);

  CREATE TABLE ref (id INTEGER PRIMARY KEY, segment TEXT NOT NULL, path TEXT NOT NULL);
  CREATE TABLE edge (
    source INTEGER NOT NULL,
    -- The number of the path among those that the file writes.
    at INTEGER NOT NULL,
    ref INTEGER NOT NULL,
    target INTEGER,
    count INTEGER NOT NULL,
    PRIMARY KEY (source, at)
  ) WITHOUT ROWID;

  CREATE TABLE tag (
    file INTEGER NOT NULL,
    key TEXT NOT NULL,
    count INTEGER NOT NULL,
    written TEXT,
    PRIMARY KEY (file, key)
  ) WITHOUT ROWID;

  CREATE TABLE shape (id INTEGER PRIMARY KEY, properties TEXT NOT NULL UNIQUE);

  CREATE TABLE alias (
    file INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    alias TEXT NOT NULL,
    PRIMARY KEY (file, seq)
  ) WITHOUT ROWID;

  CREATE TABLE base (file INTEGER PRIMARY KEY, text TEXT NOT NULL);

  CREATE TABLE problem (
    file INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    code TEXT NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (file, seq)
  ) WITHOUT ROWID;

  CREATE VIRTUAL TABLE fulltext USING fts5 (
    title, aliases, headings, tags, body,
    content = '',
    contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
  );
  -- FTS5 must not merge segments during the build: that would be a quarter of the work. They are
  -- merged later (text-tidier.ts). Until then a search reads more segments, but is about as fast.
  INSERT INTO fulltext (fulltext, rank) VALUES ('automerge', 0);
  INSERT INTO fulltext (fulltext, rank) VALUES ('crisismerge', 1000);
  INSERT INTO fulltext (fulltext, rank) VALUES ('usermerge', ${textSegmentsMax});
  INSERT INTO fulltext (fulltext, rank) VALUES ('hashsize', 16777216);

  CREATE TABLE spelling (length INTEGER PRIMARY KEY, words TEXT NOT NULL);
`;

/**
 * SQL indexes that lead from a link path, a link target or a tag to its files. They are created when
 * they are first needed, and not with the tables: during the first build rows are only appended, but
 * each batch would change every page of these indexes. Creating them at the end costs a fifth.
 */
export const lateIndexes = `
  CREATE INDEX IF NOT EXISTS ref_text ON ref (segment, path);
  CREATE INDEX IF NOT EXISTS edge_ref ON edge (ref);
  CREATE INDEX IF NOT EXISTS edge_target ON edge (target, source, count) WHERE target IS NOT NULL;
  CREATE INDEX IF NOT EXISTS edge_unresolved ON edge (ref, count) WHERE target IS NULL;
  CREATE INDEX IF NOT EXISTS tag_key ON tag (key, file, count, written);
  CREATE INDEX IF NOT EXISTS file_unparsed ON file (path) WHERE ${lacksContents};
`;

/** The value of `tag.key`: the same for all spellings of a tag, since Obsidian ignores case. */
export function tagKey(tag: string): string {
  return storableText(foldName(tag));
}
