import { foldName } from '../../base/vault-path.ts';
import { storableText } from '../connection/sql-values.ts';

/** Raise it with every change of the schema, or of what the stored texts mean. */
export const indexSchemaVersion = 7;

/** So many segments of full text of one size are left as they are; it may not be more than 16. */
const textSegmentsMax = 16;

/** How much a file's facts or full text can be relied on; the order is by how much. */
export const held = {
  none: 0,
  /** Of an older stamp: still answers queries until the new ones are put. */
  stale: 1,
  /** Read so soon after its own mtime that a later write may have kept the stamp. */
  racy: 2,
  current: 3,
} as const;

/** Files of a parsed kind of which nothing is stored: not here, too large, or not readable. */
export const lacksContents = `kind <> 'attachment' AND (parsed = 0 OR facts = ${held.none})`;

/**
 * The tables. What is asked for one file at a time lies in `note` as JSON; what is searched
 * across files has rows of its own. An edge is one written path in one file, however often.
 *
 * The folded texts keep their punctuation: the tokenizer parts words exactly where `foldPhrase`
 * does, at everything that is no letter, digit or mark (so `snake_case` is two words).
 */
export const indexSchema = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  -- Ids are never used again: what is newer than a walk has a higher one.
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
    facts INTEGER NOT NULL DEFAULT 0,
    text INTEGER NOT NULL DEFAULT 0,
    shape INTEGER
  );
  CREATE INDEX file_name ON file (name);
  CREATE INDEX file_conflict ON file (conflict_of) WHERE conflict_of IS NOT NULL;
  CREATE INDEX file_lacking_text ON file (id) WHERE facts >= ${held.racy} AND text < ${held.current};

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
  -- Merges come after the build (text-tidier.ts): on the way they would be a quarter of its work.
  -- Until then a search has more segments to go through, and takes about as long.
  INSERT INTO fulltext (fulltext, rank) VALUES ('automerge', 0);
  INSERT INTO fulltext (fulltext, rank) VALUES ('crisismerge', 1000);
  INSERT INTO fulltext (fulltext, rank) VALUES ('usermerge', ${textSegmentsMax});
  INSERT INTO fulltext (fulltext, rank) VALUES ('hashsize', 16777216);
`;

/**
 * The indexes that lead from a written path, a target or a tag to its files. Made when first
 * needed, not at the start: while the index is built, files come in order and rows are only
 * appended, but each batch would touch every page of these. Sorting them in once at the end costs
 * a fifth.
 */
export const lateIndexes = `
  CREATE INDEX IF NOT EXISTS ref_text ON ref (segment, path);
  CREATE INDEX IF NOT EXISTS edge_ref ON edge (ref);
  CREATE INDEX IF NOT EXISTS edge_target ON edge (target, source, count) WHERE target IS NOT NULL;
  CREATE INDEX IF NOT EXISTS edge_unresolved ON edge (ref, count) WHERE target IS NULL;
  CREATE INDEX IF NOT EXISTS tag_key ON tag (key, file, count, written);
  CREATE INDEX IF NOT EXISTS file_unparsed ON file (path) WHERE ${lacksContents};
`;

/** What the spellings of one tag share: Obsidian tells tags apart without regard to case. */
export function tagKey(tag: string): string {
  return storableText(foldName(tag));
}
