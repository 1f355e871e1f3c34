import { describe, expect, it } from 'vitest';
import type { DayTotal } from '../../src/engine/ports/vault-state.ts';
import { sql } from '../../src/postgres/connection/sql.ts';
import { OwnedVault } from '../../src/postgres/state/owned-vault.ts';
import { openPostgresReadLog } from '../../src/postgres/state/postgres-read-log.ts';
import { openPostgresState } from '../../src/postgres/state/postgres-state-store.ts';
import { change, make } from '../support/change-records.ts';
import { clusterDatabase } from '../support/cluster-database.ts';
import { isQuick } from '../support/counts.ts';
import { describeDayTotals } from '../support/day-totals-contract.ts';
import { describeDestroyed } from '../support/destroyed-contract.ts';
import { failureOf } from '../support/failure-of.ts';
import { describeFolding } from '../support/folding-contract.ts';
import { manualTimers } from '../support/manual-timers.ts';
import { describeOwnerStores } from '../support/owner-stores-contract.ts';
import { describePruning } from '../support/pruning-contract.ts';
import { describeReadLog, noonMs } from '../support/read-log-contract.ts';
import { describeStateStore } from '../support/state-store-contract.ts';

// The same tests that the state in a file has.

describe.each([
  ['PostgreSQL', false],
  ['PostgreSQL behind PgBouncer', true],
] as const)('%s', (name, bouncer) => {
  const database = clusterDatabase({ bouncer });
  const { opened } = database;

  describeStateStore(name, opened);
  describeFolding(name, opened);
  describeDestroyed(name, opened);
  if (!bouncer) {
    describePruning(name, opened);
    describeDayTotals(name, async () => {
      const vault = await database.newVault();
      const { dayTotals } = openPostgresState(database.postgres(), { vault, epoch: 1 });
      const row = ({ day, notes, bytes }: DayTotal) =>
        sql`INSERT INTO day_total (vault, day, notes, bytes) VALUES (${vault}, ${day}, ${notes}, ${bytes})`;
      const fill = async (days: readonly DayTotal[]) =>
        void (await database.postgres().script(days.map(row)));
      return { ...dayTotals, fill };
    });
  }
  describeOwnerStores(
    name,
    async () => {
      const state = await opened();
      const { questions, proposals } = state;
      return {
        questions,
        proposals,
        accept: (proposal, timeMs) => make(state, change([], { proposal, timeMs })),
      };
    },
    { fillsUp: !isQuick && !bouncer },
  );
  describeReadLog(name, () => {
    const vault = database.newVault();
    return async () => {
      const timers = manualTimers();
      const clock = { nowMs: () => noonMs };
      const parts = { postgres: database.postgres(), vault: await vault, clock, timers };
      return { log: openPostgresReadLog(parts), timers };
    };
  });

  // The last one: it kills PostgreSQL.
  it(`${name}: nothing is written after an answer that was lost with PostgreSQL`, async () => {
    const vault = new OwnedVault(database.postgres(), {
      vault: await database.newVault(),
      epoch: 1,
    });
    const writing = failureOf(vault.write(async () => [sql`SELECT pg_sleep(60)`], 'durable'));
    const asked = sql`SELECT 1 FROM pg_stat_activity WHERE strpos(query, 'pg_sleep(60)') > 0
      AND pid <> pg_backend_pid()`;
    await expect.poll(() => database.postgres().get(asked)).toBeDefined();
    await database.server().restart();
    expect(await writing).toMatchObject({ code: 'unavailable' });
    const next = failureOf(vault.write(async () => [sql`SELECT 1`], 'durable'));
    expect(await next).toMatchObject({ code: 'unavailable', details: { moved: true } });
  });
});
