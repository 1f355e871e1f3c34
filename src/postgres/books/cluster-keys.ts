import { randomBytes } from 'node:crypto';
import type { Postgres } from '../connection/postgres.ts';
import { sql } from '../connection/sql.ts';

const keyBytes = 32;

/** Answers a key that all nodes share. The first that asks makes it. */
export function keyFor(
  postgres: Postgres,
  name: 'session' | 'oauth' | 'challenge',
): () => Promise<Uint8Array> {
  let key: Promise<Uint8Array> | undefined;
  const read = async (): Promise<Uint8Array> => {
    const [row] = await postgres.script<{ key: Uint8Array }>([
      sql`INSERT INTO session_key (name, key) VALUES (${name}, ${randomBytes(keyBytes)})
          ON CONFLICT (name) DO NOTHING`,
      sql`SELECT key FROM session_key WHERE name = ${name}`,
    ]);
    if (row === undefined) throw new Error('the key was not made');
    return new Uint8Array(row.key);
  };
  return () => {
    key ??= read().catch((error: unknown) => {
      key = undefined; // The next call tries again.
      throw error;
    });
    return key;
  };
}
