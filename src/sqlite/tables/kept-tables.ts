import { freshness, lacksContents } from './index-schema.ts';
import { blanks, keptValues } from './kept-values.ts';

/** A group of tables with answers about the whole vault; see `keptTables`. */
export type KeptPart = keyof typeof keptTables;

/**
 * Conditions on an edge (see `indexSchema`). A link of a file to itself counts neither as a way out
 * nor as a way in; a link without a target counts as a way out.
 */
const leadsOut = (edge: string): string =>
  `(${edge}.target IS NULL OR ${edge}.target <> ${edge}.source)`;
const leadsIn = (edge: string): string =>
  `(${edge}.target IS NOT NULL AND ${edge}.target <> ${edge}.source)`;

/** Conditions on a file's id that need only indexes, not the file's row. */
const isUnlinked = (id: string): string =>
  `NOT EXISTS (SELECT 1 FROM edge e WHERE e.target = ${id} AND e.source <> ${id})`;
const leadsNowhere = (id: string): string =>
  `NOT EXISTS (SELECT 1 FROM edge e WHERE e.source = ${id} AND ${leadsOut('e')})`;

/** Adds a note to `orphan`, or to `dead_end`. The triggers check that it has no links in, or out. */
const addOrphan = `INSERT OR IGNORE INTO orphan
  SELECT id, path FROM file WHERE id = OLD.target AND kind = 'note'`;
const addDeadEnd = (id: string): string => `INSERT OR IGNORE INTO dead_end
  SELECT id, path FROM file WHERE id = ${id} AND kind = 'note' AND NOT (${lacksContents})`;

const trimmed = `trim(path, char(${blanks.join(', ')}))`;

/** `unresolvedName` in SQL, since triggers cannot call functions of ours. */
const missingName = `CASE WHEN ${trimmed} LIKE '%.md'
  THEN substr(${trimmed}, 1, length(${trimmed}) - 3) ELSE ${trimmed} END`;

/** Adds the count of an edge that has no target to `missing`, and takes it away again. */
const nowMissing = `INSERT INTO missing
  SELECT id, ${missingName} AS name, NEW.count FROM ref WHERE id = NEW.ref AND name <> ''
  ON CONFLICT DO UPDATE SET count = count + excluded.count`;
const lessMissing = `UPDATE missing SET count = count - OLD.count WHERE ref = OLD.ref;
  DELETE FROM missing WHERE ref = OLD.ref AND count = 0`;

/** The beginning of an upsert that inserts a row or, if the keys exist, updates what follows it. */
const oneMore = (table: string, keys: string, columns: string, values: string): string =>
  `INSERT INTO ${table} (${columns}) VALUES (${values}) ON CONFLICT (${keys}) DO UPDATE SET`;

/** How many rows `name_change` keeps. A `NameList` that has missed more of them is read anew. */
export const changesMax = 10_000;

/** An SQL condition for files of a parsed kind whose facts or full text are missing or outdated. */
export const isLacking = `kind <> 'attachment'
  AND (parsed = 0 OR facts < ${freshness.racy} OR text < ${freshness.current})`;

/** Needed by two parts, so it creates only what is missing. */
const kindTotals = `
  CREATE TABLE IF NOT EXISTS kind_total (
    kind TEXT PRIMARY KEY,
    files INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) WITHOUT ROWID;
  INSERT OR REPLACE INTO kind_total SELECT kind, count(*), sum(size) FROM file GROUP BY kind;
  CREATE TRIGGER IF NOT EXISTS kind_new AFTER INSERT ON file BEGIN
    ${oneMore('kind_total', 'kind', 'kind, files, bytes', 'NEW.kind, 1, NEW.size')}
      files = files + 1, bytes = bytes + NEW.size;
  END;
  CREATE TRIGGER IF NOT EXISTS kind_gone AFTER DELETE ON file BEGIN
    UPDATE kind_total SET files = files - 1, bytes = bytes - OLD.size WHERE kind = OLD.kind;
  END;
  CREATE TRIGGER IF NOT EXISTS kind_size AFTER UPDATE OF size ON file WHEN NEW.size <> OLD.size
    BEGIN UPDATE kind_total SET bytes = bytes + NEW.size - OLD.size WHERE kind = OLD.kind; END;
`;

/**
 * Tables with the answers to questions about the whole vault, which would otherwise have to be
 * counted over all files. `sql` creates and fills the tables of a part; from then on triggers keep
 * them up to date. So no writing code can forget them, they are rolled back together with the rows
 * they count, and other processes keep them up to date too. Like the late indexes, they are created
 * when they are first needed (`IndexConnection.ensureKept`), so they cost nothing during the first
 * build. Every change here must raise `indexSchemaVersion`.
 *
 * `table` is a table or SQL index that `sql` creates: if it exists, the whole part does. The parts:
 *
 * - `graph`: `orphan`, the notes that no other file links to; `dead_end`, the notes without a link to
 *   another file; `missing`, the link paths without a target, and `missing_total`, how many names.
 * - `totals`: the numbers of files by kind, by tag and by shape of properties.
 * - `progress`: indexes for the files that are not completely indexed yet.
 * - `tasks`: the numbers of tasks by note and status.
 * - `values`: the properties of notes for queries; see `keptValues`.
 * - `names`: which files were added, removed or got other aliases, for `NameList`.
 */
export const keptTables = {
  graph: {
    table: 'missing_total',
    sql: `
      CREATE TABLE orphan (file INTEGER PRIMARY KEY, path TEXT NOT NULL);
      INSERT INTO orphan SELECT id, path FROM file WHERE kind = 'note' AND ${isUnlinked('file.id')};
      CREATE INDEX orphan_path ON orphan (path);
      CREATE TABLE dead_end (file INTEGER PRIMARY KEY, path TEXT NOT NULL);
      INSERT INTO dead_end SELECT id, path FROM file
        WHERE kind = 'note' AND NOT (${lacksContents}) AND ${leadsNowhere('file.id')};
      CREATE INDEX dead_end_path ON dead_end (path);
      CREATE TRIGGER graph_file_new AFTER INSERT ON file WHEN NEW.kind = 'note'
        BEGIN INSERT INTO orphan VALUES (NEW.id, NEW.path); END;
      CREATE TRIGGER graph_file_gone AFTER DELETE ON file BEGIN
        DELETE FROM orphan WHERE file = OLD.id;
        DELETE FROM dead_end WHERE file = OLD.id;
      END;
      CREATE TRIGGER graph_file_unread AFTER UPDATE OF parsed, facts ON file
        WHEN NEW.parsed = 0 OR NEW.facts = ${freshness.none}
        BEGIN DELETE FROM dead_end WHERE file = NEW.id; END;
      CREATE TRIGGER graph_file_read AFTER UPDATE OF parsed, facts ON file
        WHEN (OLD.parsed = 0 OR OLD.facts = ${freshness.none}) AND ${leadsNowhere('NEW.id')}
        BEGIN ${addDeadEnd('NEW.id')}; END;
      CREATE TRIGGER graph_edge_new_in AFTER INSERT ON edge WHEN ${leadsIn('NEW')}
        BEGIN DELETE FROM orphan WHERE file = NEW.target; END;
      CREATE TRIGGER graph_edge_new_out AFTER INSERT ON edge WHEN ${leadsOut('NEW')}
        BEGIN DELETE FROM dead_end WHERE file = NEW.source; END;
      CREATE TRIGGER graph_edge_gone_in AFTER DELETE ON edge
        WHEN ${leadsIn('OLD')} AND ${isUnlinked('OLD.target')} BEGIN ${addOrphan}; END;
      CREATE TRIGGER graph_edge_gone_out AFTER DELETE ON edge
        WHEN ${leadsOut('OLD')} AND ${leadsNowhere('OLD.source')}
        BEGIN ${addDeadEnd('OLD.source')}; END;
      CREATE TRIGGER graph_edge_moved_in AFTER UPDATE OF target ON edge WHEN ${leadsIn('NEW')}
        BEGIN DELETE FROM orphan WHERE file = NEW.target; END;
      CREATE TRIGGER graph_edge_moved_out AFTER UPDATE OF target ON edge WHEN ${leadsOut('NEW')}
        BEGIN DELETE FROM dead_end WHERE file = NEW.source; END;
      CREATE TRIGGER graph_edge_left_in AFTER UPDATE OF target ON edge
        WHEN ${leadsIn('OLD')} AND ${isUnlinked('OLD.target')} BEGIN ${addOrphan}; END;
      CREATE TRIGGER graph_edge_left_out AFTER UPDATE OF target ON edge
        WHEN ${leadsOut('OLD')} AND ${leadsNowhere('OLD.source')}
        BEGIN ${addDeadEnd('OLD.source')}; END;

      CREATE TABLE missing (ref INTEGER PRIMARY KEY, name TEXT NOT NULL, count INTEGER NOT NULL);
      INSERT INTO missing SELECT r.id, ${missingName} AS name, e.count
        FROM (SELECT ref, sum(count) AS count FROM edge WHERE target IS NULL GROUP BY ref) e
        CROSS JOIN ref r ON r.id = e.ref WHERE name <> '';
      CREATE INDEX missing_name ON missing (name, ref, count);
      CREATE TABLE missing_total (id INTEGER PRIMARY KEY, names INTEGER NOT NULL);
      INSERT INTO missing_total SELECT 1, count(DISTINCT name) FROM missing;
      CREATE TRIGGER missing_new AFTER INSERT ON missing
        WHEN NOT EXISTS (SELECT 1 FROM missing WHERE name = NEW.name AND ref <> NEW.ref)
        BEGIN UPDATE missing_total SET names = names + 1; END;
      CREATE TRIGGER missing_gone AFTER DELETE ON missing
        WHEN NOT EXISTS (SELECT 1 FROM missing WHERE name = OLD.name)
        BEGIN UPDATE missing_total SET names = names - 1; END;
      CREATE TRIGGER missing_edge_new AFTER INSERT ON edge WHEN NEW.target IS NULL
        BEGIN ${nowMissing}; END;
      CREATE TRIGGER missing_edge_gone AFTER DELETE ON edge WHEN OLD.target IS NULL
        BEGIN ${lessMissing}; END;
      CREATE TRIGGER missing_edge_lost AFTER UPDATE OF target ON edge
        WHEN NEW.target IS NULL AND OLD.target IS NOT NULL BEGIN ${nowMissing}; END;
      CREATE TRIGGER missing_edge_found AFTER UPDATE OF target ON edge
        WHEN NEW.target IS NOT NULL AND OLD.target IS NULL BEGIN ${lessMissing}; END;
    `,
  },
  totals: {
    table: 'shape_total',
    sql: `
      ${kindTotals}
      CREATE INDEX file_kind ON file (kind, path);
      CREATE INDEX file_recent ON file (kind, mtime DESC, path);

      -- Each spelling of each tag.
      CREATE TABLE tag_total (
        key TEXT NOT NULL,
        written TEXT NOT NULL,
        files INTEGER NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (key, written)
      ) WITHOUT ROWID;
      INSERT INTO tag_total SELECT key, coalesce(written, key), count(*), sum(count)
        FROM tag GROUP BY 1, 2;
      CREATE TRIGGER tag_new AFTER INSERT ON tag BEGIN
        ${oneMore(
          'tag_total',
          'key, written',
          'key, written, files, count',
          'NEW.key, coalesce(NEW.written, NEW.key), 1, NEW.count',
        )} files = files + 1, count = count + excluded.count;
      END;
      CREATE TRIGGER tag_gone AFTER DELETE ON tag BEGIN
        UPDATE tag_total SET files = files - 1, count = count - OLD.count
          WHERE key = OLD.key AND written = coalesce(OLD.written, OLD.key);
        DELETE FROM tag_total
          WHERE key = OLD.key AND written = coalesce(OLD.written, OLD.key) AND files = 0;
      END;

      -- No trigger on DELETE is needed: a file's shape is set to NULL before the file is deleted.
      CREATE INDEX file_shape ON file (shape, path) WHERE shape IS NOT NULL;
      CREATE TABLE shape_total (shape INTEGER PRIMARY KEY, files INTEGER NOT NULL);
      INSERT INTO shape_total SELECT shape, count(*) FROM file WHERE shape IS NOT NULL GROUP BY shape;
      CREATE TRIGGER shape_new AFTER UPDATE OF shape ON file
        WHEN NEW.shape IS NOT NULL AND NEW.shape IS NOT OLD.shape
        BEGIN ${oneMore('shape_total', 'shape', 'shape, files', 'NEW.shape, 1')} files = files + 1; END;
      CREATE TRIGGER shape_left AFTER UPDATE OF shape ON file
        WHEN OLD.shape IS NOT NULL AND NEW.shape IS NOT OLD.shape
        BEGIN UPDATE shape_total SET files = files - 1 WHERE shape = OLD.shape; END;
    `,
  },
  progress: {
    table: 'file_behind',
    sql: `
      ${kindTotals}
      CREATE INDEX file_absent ON file (id) WHERE present = 0;
      CREATE INDEX file_behind ON file (parsed, facts, text) WHERE ${isLacking};
    `,
  },
  tasks: {
    table: 'task_total',
    sql: `
      CREATE TABLE task (
        path TEXT NOT NULL,
        status TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (path, status)
      ) WITHOUT ROWID;
      INSERT INTO task SELECT f.path, t.value ->> 0, count(*)
        FROM file f CROSS JOIN note n ON n.file = f.id CROSS JOIN json_each(n.detail, '$.tasks') t
        GROUP BY 1, 2;
      CREATE INDEX task_status ON task (status, path, count);
      CREATE TABLE task_total (status TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
      INSERT INTO task_total SELECT status, sum(count) FROM task GROUP BY status;
      CREATE TRIGGER task_new AFTER INSERT ON task BEGIN
        ${oneMore('task_total', 'status', 'status, count', 'NEW.status, NEW.count')}
          count = count + excluded.count;
      END;
      CREATE TRIGGER task_gone AFTER DELETE ON task
        BEGIN UPDATE task_total SET count = count - OLD.count WHERE status = OLD.status; END;
      CREATE TRIGGER task_note_new AFTER INSERT ON note BEGIN
        INSERT INTO task SELECT f.path, t.value ->> 0, count(*)
          FROM file f CROSS JOIN json_each(NEW.detail, '$.tasks') t
          WHERE f.id = NEW.file GROUP BY 2;
      END;
      CREATE TRIGGER task_note_gone AFTER DELETE ON note
        BEGIN DELETE FROM task WHERE path = (SELECT path FROM file WHERE id = OLD.file); END;
    `,
  },
  values: keptValues,
  names: {
    table: 'name_change',
    // Only the last `changesMax` rows are kept.
    sql: `
      CREATE TABLE name_change (seq INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL);
      CREATE TRIGGER name_change_new AFTER INSERT ON name_change
        BEGIN DELETE FROM name_change WHERE seq <= NEW.seq - ${changesMax}; END;
      CREATE TRIGGER name_new AFTER INSERT ON file
        BEGIN INSERT INTO name_change (path) VALUES (NEW.path); END;
      CREATE TRIGGER name_gone AFTER DELETE ON file
        BEGIN INSERT INTO name_change (path) VALUES (OLD.path); END;
      CREATE TRIGGER alias_new AFTER INSERT ON alias BEGIN
        INSERT INTO name_change (path) SELECT path FROM file WHERE id = NEW.file;
      END;
      CREATE TRIGGER alias_gone AFTER DELETE ON alias BEGIN
        INSERT INTO name_change (path) SELECT path FROM file WHERE id = OLD.file;
      END;
    `,
  },
} as const;
