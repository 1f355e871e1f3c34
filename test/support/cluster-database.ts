import { afterAll, beforeAll } from 'vitest';
import { openPostgres, type Postgres } from '../../src/postgres/connection/postgres.ts';
import { sql } from '../../src/postgres/connection/sql.ts';
import { migrateCluster } from '../../src/postgres/schema/migrate.ts';
import { openPostgresState } from '../../src/postgres/state/postgres-state-store.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** What is kept of a vault. */
export type ClusterState = ReturnType<typeof openPostgresState>;

/** A database with our tables, for the tests of one file; each has vaults of its own in it. */
export interface ClusterDatabase {
  postgres(): Postgres;
  server(): PostgresServer;
  /** The number of a new vault, with the fence number 1. */
  newVault(): Promise<number>;
  /** The empty state of a new vault. */
  opened(): Promise<ClusterState>;
}

/** With `bouncer`, all but the making of the tables goes through PgBouncer. */
export function clusterDatabase(options: { readonly bouncer?: boolean } = {}): ClusterDatabase {
  let server: PostgresServer | undefined;
  let bouncer: { readonly url: string; stop(): void } | undefined;
  let postgres: Postgres | undefined;
  let vaults = 0;

  beforeAll(async () => {
    server = await startPostgres();
    const first = await openPostgres(server.url);
    await migrateCluster(first);
    await first.close();
    if (options.bouncer === true) bouncer = await startPgBouncer(server.url);
    // The settings of the role hold for connections that are made from now on.
    postgres = await openPostgres(bouncer?.url ?? server.url);
  });

  afterAll(async () => {
    await postgres?.close();
    bouncer?.stop();
    await server?.stop();
  });

  const there = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the database is not open');
    return value;
  };
  const database: ClusterDatabase = {
    postgres: () => there(postgres),
    server: () => there(server),
    async newVault() {
      const name = `vault ${++vaults}`;
      const row = await there(postgres).get<{ id: number }>(
        sql`INSERT INTO vault (name, path, epoch) VALUES (${name}, ${name}, 1) RETURNING id`,
      );
      return there(row).id;
    },
    async opened() {
      return openPostgresState(there(postgres), { vault: await database.newVault(), epoch: 1 });
    },
  };
  return database;
}
