import { clusterLimits } from '../../base/door-limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Postgres } from '../connection/postgres.ts';
import { sqlState } from '../connection/postgres-failure.ts';
import { type Sql, sql, sqlText } from '../connection/sql.ts';
import { type Migration, migrations, oldestSchema } from './cluster-schema.ts';

/** The number of the lock that lets one program migrate at a time; any number of ours. */
const migrateLock = 1_066_026;

/**
 * What holds for every session of the role, in this database. PgBouncer drops what a client sets itself.
 */
const settings = {
  search_path: 'vaultdoor',
  lock_timeout: '5s',
  statement_timeout: '30s',
  idle_in_transaction_session_timeout: '2s',
};

/**
 * Brings the tables to the newest version that this program knows, all or nothing, and answers which
 * versions there were before and are now. Makes them in an empty database. Nodes of the version before
 * go on meanwhile. Run again it does nothing.
 */
export async function migrateCluster(
  postgres: Postgres,
  steps: readonly Migration[] = migrations,
): Promise<{ readonly from: number; readonly to: number }> {
  const before = await schemaVersion(postgres);
  checkNotTooNew(before, steps.length);
  const missing = steps.slice(before.version);
  if (missing.length === 0) return { from: before.version, to: before.version };
  try {
    await postgres.script(migration(before.version, missing));
  } catch (error) {
    // Another program has migrated since `before` was read, so one of the versions is there already.
    if (sqlState(error) !== uniqueViolation) throw error;
    return migrateCluster(postgres, steps);
  }
  return { from: before.version, to: before.version + missing.length };
}

/** What PostgreSQL says when a row is there already. */
const uniqueViolation = '23505';

function migration(from: number, missing: readonly Migration[]): readonly Sql[] {
  const oldest = Math.max(...missing.map((step) => step.oldest));
  return [
    sql`SELECT set_config('lock_timeout', ${`${clusterLimits.migrateLockMs}ms`}, true)`,
    sql`SELECT pg_advisory_xact_lock(${migrateLock})`,
    sql`CREATE SCHEMA IF NOT EXISTS vaultdoor`,
    sql`SELECT set_config('search_path', 'vaultdoor', true)`,
    sql`CREATE TABLE IF NOT EXISTS schema_version (version int PRIMARY KEY, oldest int NOT NULL)`,
    ...missing.flatMap((step, at): Sql[] => [
      sql`INSERT INTO schema_version VALUES (${from + at + 1}, ${oldest})`,
      sqlText(step.sql),
    ]),
    roleSettings,
  ];
}

/** Fails with `unavailable` when the tables are too old or too new for this program. */
export async function checkSchema(postgres: Postgres): Promise<void> {
  const found = await schemaVersion(postgres);
  checkNotTooNew(found, migrations.length);
  if (found.version >= oldestSchema) return;
  const state = found.version === 0 ? 'are not there' : 'are too old for this Vaultdoor';
  throw new VaultError(
    'unavailable',
    `The tables in PostgreSQL ${state} (version ${found.version}, needed is ${oldestSchema} or later). Bring them up to date first.`,
    { details: { schema: found.version } },
  );
}

interface SchemaVersion {
  readonly version: number;
  /** See `Migration`. */
  readonly oldest: number;
}

function checkNotTooNew({ version, oldest }: SchemaVersion, known: number): void {
  if (oldest <= known) return;
  throw new VaultError(
    'unavailable',
    `The tables in PostgreSQL are those of a newer Vaultdoor (version ${version}; programs need to know version ${oldest}, and this one knows ${known}). Update this one.`,
    { details: { schema: version } },
  );
}

async function schemaVersion(postgres: Postgres): Promise<SchemaVersion> {
  const table = sql`SELECT to_regclass('vaultdoor.schema_version') IS NOT NULL AS there`;
  if ((await postgres.get<{ there: boolean }>(table))?.there !== true) {
    return { version: 0, oldest: 0 };
  }
  const found = await postgres.get<SchemaVersion>(
    sql`SELECT coalesce(max(version), 0) AS version, coalesce(max(oldest), 0) AS oldest
        FROM vaultdoor.schema_version`,
  );
  return found ?? { version: 0, oldest: 0 };
}

/** `ALTER ROLE` takes no values, so the names of role and database are quoted by PostgreSQL. */
const roleSettings = sqlText(
  `DO $set$ BEGIN ${Object.entries(settings)
    .map(
      ([name, value]) =>
        `EXECUTE format('ALTER ROLE %I IN DATABASE %I SET ${name} = ''${value}''', current_user, current_database());`,
    )
    .join(' ')} END $set$`,
);
