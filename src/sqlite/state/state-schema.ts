/**
 * The tables of the journal and the history. The steps of a change are JSON in its row, since they
 * are always read together; whatever changes are searched by has columns or rows of its own.
 */
const firstSchema = `
  -- Ids are never used again, so a dropped change cannot be mistaken for a later one.
  CREATE TABLE change (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- See \`ChangeState\`.
    state TEXT NOT NULL,
    time REAL NOT NULL,
    -- The time of the first of the saves that were joined into this change.
    first_time REAL NOT NULL,
    -- 1 if it may be joined with the save before or after it.
    fold INTEGER NOT NULL,
    -- 1 if the change deletes a file.
    deletes INTEGER NOT NULL,
    undone_by INTEGER,
    door TEXT NOT NULL,
    client TEXT,
    connection TEXT,
    tool TEXT NOT NULL,
    args TEXT NOT NULL,
    -- JSON: the ids of the changes that it takes back, with a minus where it took back only a part.
    undoes TEXT NOT NULL,
    -- JSON: the files left alone because an outside editor had changed them.
    kept TEXT NOT NULL,
    steps TEXT NOT NULL
  );
  CREATE INDEX change_unfinished ON change (id) WHERE state <> 'done';
  CREATE INDEX change_time ON change (time);
  CREATE INDEX change_client ON change (client) WHERE client IS NOT NULL;
  CREATE INDEX change_connection ON change (connection) WHERE connection IS NOT NULL;

  -- The paths that a change touches, \`key\` in folded spelling. \`folder\` is 1 for a folder that moved
  -- with everything in it.
  CREATE TABLE touch (
    key TEXT NOT NULL,
    change INTEGER NOT NULL,
    folder INTEGER NOT NULL,
    PRIMARY KEY (key, change)
  ) WITHOUT ROWID;
  CREATE INDEX touch_change ON touch (change);

  -- The versions that a change mentions. A content is deleted with the last change that needs it.
  CREATE TABLE need (
    change INTEGER NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (change, version)
  ) WITHOUT ROWID;
  CREATE INDEX need_version ON need (version);

  -- With a base, the content is the first \`prefix\` bytes of the base, then \`bytes\`, then the last
  -- \`suffix\` bytes of the base.
  CREATE TABLE content (
    version TEXT PRIMARY KEY,
    base TEXT,
    -- The length of the chain of bases below this content; 0 without a base. May be too high after
    -- one of them was deleted.
    depth INTEGER NOT NULL,
    prefix INTEGER NOT NULL,
    suffix INTEGER NOT NULL,
    -- 1 if \`bytes\` is deflated.
    packed INTEGER NOT NULL,
    bytes BLOB NOT NULL
  );
  CREATE INDEX content_base ON content (base) WHERE base IS NOT NULL;

  -- How many bytes all contents take. Counting them each time would read the whole file.
  CREATE TABLE total (bytes INTEGER NOT NULL);
  INSERT INTO total (bytes) VALUES (0);
  CREATE TRIGGER content_put AFTER INSERT ON content BEGIN
    UPDATE total SET bytes = bytes + length(new.bytes);
  END;
  CREATE TRIGGER content_rebased AFTER UPDATE OF bytes ON content BEGIN
    UPDATE total SET bytes = bytes + length(new.bytes) - length(old.bytes);
  END;
  CREATE TRIGGER content_gone AFTER DELETE ON content BEGIN
    UPDATE total SET bytes = bytes - length(old.bytes);
  END;
`;

/** Who came with which token, and what waits for the owner. */
const ownerSchema = `
  ALTER TABLE change ADD COLUMN token TEXT;
  -- The number of the proposal that the owner accepted with this change.
  ALTER TABLE change ADD COLUMN proposal INTEGER;
  CREATE INDEX change_token ON change (token) WHERE token IS NOT NULL;

  -- The files that changes have destroyed, for the brake: see \`DestroyedFile\`.
  CREATE TABLE destroyed (
    id INTEGER PRIMARY KEY,
    change INTEGER NOT NULL,
    asker TEXT NOT NULL,
    time REAL NOT NULL,
    files INTEGER NOT NULL,
    before TEXT,
    after TEXT,
    -- 1 if the change is finished and not undone.
    live INTEGER NOT NULL,
    -- The row whose \`after\` this one replaces: then this one does not count.
    excuse INTEGER
  );
  CREATE INDEX destroyed_counted ON destroyed (asker, time, files) WHERE live = 1 AND excuse IS NULL;
  CREATE INDEX destroyed_after ON destroyed (asker, after) WHERE live = 1;
  CREATE INDEX destroyed_change ON destroyed (change);
  CREATE INDEX destroyed_excuse ON destroyed (excuse) WHERE excuse IS NOT NULL;

  CREATE TABLE question (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time REAL NOT NULL,
    -- JSON: who asks, the tool and the hash of its arguments.
    call TEXT NOT NULL,
    asker_key TEXT NOT NULL,
    -- JSON: the token, or the door and the client. A denial is for these.
    asker TEXT NOT NULL,
    -- The answer; see \`QuestionAnswer\`.
    says TEXT,
    reason TEXT,
    answered REAL,
    -- 1 if a call has used the permission.
    used INTEGER NOT NULL,
    -- JSON: a \`NewQuestion\`.
    question TEXT NOT NULL
  );
  CREATE INDEX question_time ON question (time);
  CREATE INDEX question_call ON question (call);
  CREATE INDEX question_session ON question (asker_key, answered) WHERE says = 'session';
  CREATE INDEX question_denied ON question (asker, answered) WHERE says = 'deny';

  CREATE TABLE proposal (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time REAL NOT NULL,
    state TEXT NOT NULL,
    -- JSON: the token, or the door and the client.
    asker TEXT NOT NULL,
    connection TEXT,
    -- The length of the three texts at the end.
    bytes INTEGER NOT NULL,
    change INTEGER,
    reason TEXT,
    decided REAL,
    -- JSON: what lists show. The next two come last, so that lists are read without them.
    listed TEXT NOT NULL,
    -- JSON: what is needed to call the tool again.
    call TEXT NOT NULL,
    -- JSON: the rest of a \`ProposedPlan\`.
    plan TEXT NOT NULL
  );
  CREATE INDEX proposal_time ON proposal (time);
  CREATE INDEX proposal_asker ON proposal (asker);
`;

/**
 * What brings a file to each version of the schema, from the version before it; the first from an
 * empty file. Files of all these versions exist: never change one, add another at the end.
 */
export const stateSchemas = [firstSchema, ownerSchema] as const;
