import { openForReading } from '../connection/open-database.ts';
import { indexSchemaVersion } from '../tables/index-schema.ts';

/**
 * The tags in an index, without `#`, as far as it was built; at most `max`. Builds nothing and waits
 * for nobody: answers none where there is no index, or not one of this version, or it cannot be read.
 */
export async function indexedTags(file: string, max: number): Promise<readonly string[]> {
  try {
    const database = await openForReading(file);
    try {
      database.exec('PRAGMA busy_timeout = 0');
      const [version] = database.prepare('PRAGMA user_version').all() as { user_version: number }[];
      if (version?.user_version !== indexSchemaVersion) return [];
      const rows = database
        .prepare('SELECT DISTINCT coalesce(written, key) AS tag FROM tag LIMIT ?')
        .all(max) as { tag: string }[];
      return rows.map(({ tag }) => tag.replace(/^#/, ''));
    } finally {
      database.close();
    }
  } catch {
    return []; // There is none, another process builds it, or it is damaged.
  }
}
