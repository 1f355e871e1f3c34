import { randomBytes } from 'node:crypto';
import { assert } from '../../base/assert.ts';
import { limits } from '../../base/limits.ts';
import type { WordKey } from '../../engine/ports/state-store.ts';
import type { Connection } from '../connection/connection.ts';

/** Made when they are first needed: few vaults are served to callers who are limited to folders. */
export const wordTables = `
  CREATE TABLE IF NOT EXISTS word_key (key BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS word_reader (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    reader TEXT NOT NULL UNIQUE
  );
`;

/** See `StateStore.wordKey`. */
export function wordKey(connection: Connection, reader: string | undefined): WordKey {
  const known = connection.read(() => storedKey(connection));
  if (known !== undefined && (reader === undefined || known.readers.includes(reader))) return known;
  return connection.write(() => {
    connection.exec(wordTables);
    if (connection.count('SELECT count(*) AS n FROM word_key') === 0) {
      connection.run('INSERT INTO word_key (key) VALUES (?)', randomBytes(32));
    }
    if (reader !== undefined) {
      connection.run('INSERT OR IGNORE INTO word_reader (reader) VALUES (?)', reader);
      connection.run(
        'DELETE FROM word_reader WHERE seq <= (SELECT max(seq) FROM word_reader) - ?',
        limits.wordReadersMax,
      );
    }
    const stored = storedKey(connection);
    assert(stored !== undefined, 'the key was just made');
    return stored;
  });
}

function storedKey(connection: Connection): WordKey | undefined {
  const tables = "SELECT count(*) AS n FROM sqlite_schema WHERE name = 'word_reader'";
  if (connection.count(tables) === 0) return undefined;
  const row = connection.get<{ key: Uint8Array }>('SELECT key FROM word_key');
  if (row === undefined) return undefined;
  const readers = connection.all<{ reader: string }>(
    'SELECT reader FROM word_reader ORDER BY seq DESC',
  );
  return { key: row.key, readers: readers.map(({ reader }) => reader) };
}
