import { isDamaged } from '../connection/database-error.ts';
import { openForReading } from '../connection/open-database.ts';
import { indexSchemaVersion } from '../tables/index-schema.ts';

/** What an index is found to be, without changing it. */
type ExaminedIndex =
  | { readonly is: 'usable'; readonly schema: number; readonly notes: number }
  /** It is rebuilt by the next process that opens it. */
  | { readonly is: 'of another version'; readonly schema: number }
  | { readonly is: 'damaged' };

/** Looks at the index at `file`, which must exist. Fails when it may not be read. */
export async function examineIndex(file: string): Promise<ExaminedIndex> {
  try {
    const database = await openForReading(file);
    try {
      const { user_version: schema } = database.prepare('PRAGMA user_version').get() as {
        readonly user_version: number;
      };
      if (schema !== indexSchemaVersion) return { is: 'of another version', schema };
      const { n: notes } = database
        .prepare("SELECT count(*) AS n FROM file WHERE kind = 'note'")
        .get() as { readonly n: number };
      return { is: 'usable', schema, notes };
    } finally {
      database.close();
    }
  } catch (error) {
    if (isDamaged(error)) return { is: 'damaged' };
    throw error;
  }
}
