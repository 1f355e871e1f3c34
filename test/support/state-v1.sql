-- A history as version 1 of the schema had it, made with Vaultdoor at commit afe6d1c: append, create,
-- rename, delete, undo. Made with sqlite3's .dump; the first two lines are what .dump leaves out.
PRAGMA user_version = 1;
PRAGMA application_id = 22084;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE change (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- See `ChangeState`.
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
INSERT INTO change VALUES(1,'done',1794904220882.0,1794904220882.0,0,0,NULL,'cli',NULL,NULL,'append','{"name":"a"}','[]','[]','[{"do":"write","path":"a.md","before":"c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8","after":"b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2","token":"7aba32e42fbe856b"}]');
INSERT INTO change VALUES(2,'done',1794904221167.0,1794904221167.0,0,0,NULL,'cli',NULL,NULL,'create','{"path":"b"}','[]','[]','[{"do":"write","path":"b.md","after":"1dd66dbbb722c81878f57f2fb3c0c7548f7683b90cf69fbfff7e93ad8473b06e","token":"e08d8b15f8111b13"}]');
INSERT INTO change VALUES(3,'done',1794904221468.0,1794904221468.0,0,0,NULL,'cli',NULL,NULL,'rename','{"name":"a","newName":"c"}','[]','[]','[{"do":"write","path":"b.md","before":"1dd66dbbb722c81878f57f2fb3c0c7548f7683b90cf69fbfff7e93ad8473b06e","after":"9fbe559b632f5b72bb04fa589065d5ad73d370038f2827dc9c3a20503ad37fd1","token":"fef010c89ab67ded"},{"do":"move","path":"a.md","to":"c.md","version":"b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2"}]');
INSERT INTO change VALUES(4,'done',1794904221791.0,1794904221791.0,0,0,5,'cli',NULL,NULL,'delete','{"name":"b"}','[]','[]','[{"do":"makeFolder","path":".trash"},{"do":"move","path":"b.md","to":".trash/b.md","version":"9fbe559b632f5b72bb04fa589065d5ad73d370038f2827dc9c3a20503ad37fd1"}]');
INSERT INTO change VALUES(5,'done',1794904222178.0,1794904222178.0,0,0,NULL,'cli',NULL,NULL,'undo','{}','[4]','[]','[{"do":"move","path":".trash/b.md","to":"b.md","version":"9fbe559b632f5b72bb04fa589065d5ad73d370038f2827dc9c3a20503ad37fd1"},{"do":"dropFolder","path":".trash"}]');
CREATE TABLE touch (
    key TEXT NOT NULL,
    change INTEGER NOT NULL,
    folder INTEGER NOT NULL,
    PRIMARY KEY (key, change)
  ) WITHOUT ROWID;
INSERT INTO touch VALUES('.trash',4,0);
INSERT INTO touch VALUES('.trash',5,0);
INSERT INTO touch VALUES('.trash/b.md',4,0);
INSERT INTO touch VALUES('.trash/b.md',5,0);
INSERT INTO touch VALUES('a.md',1,0);
INSERT INTO touch VALUES('a.md',3,0);
INSERT INTO touch VALUES('b.md',2,0);
INSERT INTO touch VALUES('b.md',3,0);
INSERT INTO touch VALUES('b.md',4,0);
INSERT INTO touch VALUES('b.md',5,0);
INSERT INTO touch VALUES('c.md',3,0);
CREATE TABLE need (
    change INTEGER NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (change, version)
  ) WITHOUT ROWID;
INSERT INTO need VALUES(2,'1dd66dbbb722c81878f57f2fb3c0c7548f7683b90cf69fbfff7e93ad8473b06e');
INSERT INTO need VALUES(3,'1dd66dbbb722c81878f57f2fb3c0c7548f7683b90cf69fbfff7e93ad8473b06e');
INSERT INTO need VALUES(3,'9fbe559b632f5b72bb04fa589065d5ad73d370038f2827dc9c3a20503ad37fd1');
INSERT INTO need VALUES(4,'9fbe559b632f5b72bb04fa589065d5ad73d370038f2827dc9c3a20503ad37fd1');
INSERT INTO need VALUES(5,'9fbe559b632f5b72bb04fa589065d5ad73d370038f2827dc9c3a20503ad37fd1');
INSERT INTO need VALUES(1,'b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2');
INSERT INTO need VALUES(3,'b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2');
INSERT INTO need VALUES(1,'c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8');
CREATE TABLE content (
    version TEXT PRIMARY KEY,
    base TEXT,
    -- The length of the chain of bases below this content; 0 without a base. May be too high after
    -- one of them was deleted.
    depth INTEGER NOT NULL,
    prefix INTEGER NOT NULL,
    suffix INTEGER NOT NULL,
    -- 1 if `bytes` is deflated.
    packed INTEGER NOT NULL,
    bytes BLOB NOT NULL
  );
INSERT INTO content VALUES('c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8',NULL,0,0,0,0,X'6f6e650a74776f0a');
INSERT INTO content VALUES('b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2','c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8',1,8,0,0,X'74687265650a');
INSERT INTO content VALUES('1dd66dbbb722c81878f57f2fb3c0c7548f7683b90cf69fbfff7e93ad8473b06e',NULL,0,0,0,0,X'74657874206f662062205b5b615d5d');
INSERT INTO content VALUES('9fbe559b632f5b72bb04fa589065d5ad73d370038f2827dc9c3a20503ad37fd1','1dd66dbbb722c81878f57f2fb3c0c7548f7683b90cf69fbfff7e93ad8473b06e',1,12,2,0,X'63');
CREATE TABLE total (bytes INTEGER NOT NULL);
INSERT INTO total VALUES(30);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('change',5);
CREATE INDEX change_unfinished ON change (id) WHERE state <> 'done';
CREATE INDEX change_time ON change (time);
CREATE INDEX change_client ON change (client) WHERE client IS NOT NULL;
CREATE INDEX change_connection ON change (connection) WHERE connection IS NOT NULL;
CREATE INDEX touch_change ON touch (change);
CREATE INDEX need_version ON need (version);
CREATE INDEX content_base ON content (base) WHERE base IS NOT NULL;
CREATE TRIGGER content_put AFTER INSERT ON content BEGIN
    UPDATE total SET bytes = bytes + length(new.bytes);
  END;
CREATE TRIGGER content_rebased AFTER UPDATE OF bytes ON content BEGIN
    UPDATE total SET bytes = bytes + length(new.bytes) - length(old.bytes);
  END;
CREATE TRIGGER content_gone AFTER DELETE ON content BEGIN
    UPDATE total SET bytes = bytes - length(old.bytes);
  END;
COMMIT;
