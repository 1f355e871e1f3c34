import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { clusterLimits } from '../src/base/door-limits.ts';
import { vaultPath } from '../src/base/vault-path.ts';
import type { Version } from '../src/base/version.ts';
import type { StateStore } from '../src/engine/ports/state-store.ts';
import { openPostgres } from '../src/postgres/connection/postgres.ts';
import { sql } from '../src/postgres/connection/sql.ts';
import { claimVault, releaseVault } from '../src/postgres/nodes/claim-vault.ts';
import { joinNodes } from '../src/postgres/nodes/node-lease.ts';
import { checkSchema, migrateCluster } from '../src/postgres/schema/migrate.ts';
import { openPostgresReadLog } from '../src/postgres/state/postgres-read-log.ts';
import { openPostgresState } from '../src/postgres/state/postgres-state-store.ts';
import { openSqliteState } from '../src/sqlite/state/sqlite-state-store.ts';
import { startPostgres } from '../test/support/postgres-server.ts';
import { measureCalls, measureKills, measureVaults } from './measure-nodes.ts';
import { printTable } from './print-table.ts';

// `npm run bench:cluster` measures what a change costs in the journal (written down with its content,
// durably, and finished) in PostgreSQL on this machine and in SQLite, in turns, and what a node says
// to PostgreSQL itself. Then it starts real nodes: calls beside those of one machine, the time after
// `kill -9` of an owner, and many vaults on two nodes (`-- --vaults 1000 --notes 5`, minutes). With
// `--only kills` or `--only vaults` it does only that. Only the ratios mean something.

const { values: given } = parseArgs({
  options: {
    vaults: { type: 'string', default: '50' },
    notes: { type: 'string', default: '20' },
    kills: { type: 'string', default: '30' },
    only: { type: 'string' },
  },
});
const rounds = 40;
/** The lease in most tests. */
const testLeaseMs = 1_500;
const sizes = [4_000, 64_000, 1_000_000];

const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-bench-'));
const server = await startPostgres({ flushes: true });
const first = await openPostgres(server.url);
await migrateCluster(first);
await first.close();
const postgres = await openPostgres(server.url);
try {
  await checkSchema(postgres);
  if (given.only === undefined) await measureJournal();
  const place = { folder, url: server.url, postgres };
  if (given.only === undefined) await measureCalls(place);
  if (given.only !== 'vaults') {
    const count = Number(given.kills);
    for (const leaseMs of [clusterLimits.leaseMs, testLeaseMs]) {
      await measureKills(place, { count, leaseMs, how: 'SIGKILL' });
      await measureKills(place, { count: Math.ceil(count / 6), leaseMs, how: 'SIGSTOP' });
    }
  }
  if (given.only !== 'kills') {
    await measureVaults(place, { count: Number(given.vaults), notes: Number(given.notes) });
  }
  const load = loadavg().map((each) => each.toFixed(1));
  console.log(`The load of this machine in the last 1, 5 and 15 minutes: ${load.join(', ')}`);
} finally {
  await postgres.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Prints what a change costs in both journals, and what a node itself says to PostgreSQL. */
async function measureJournal(): Promise<void> {
  await postgres.all(sql`INSERT INTO vault (name, path, epoch) VALUES ('bench', 'bench', 1)`);
  const inPostgres = openPostgresState(postgres, { vault: 1, epoch: 1 });
  const inFile = await openSqliteState({ file: join(folder, 'state.db') });
  const rows: Record<string, Record<string, string>> = {};
  for (const bytes of sizes) {
    const times: { postgres: ChangeTimes[]; sqlite: ChangeTimes[] } = { postgres: [], sqlite: [] };
    for (let round = 0; round < rounds; round++) {
      times.sqlite.push(await changeMs(inFile, bytes));
      times.postgres.push(await changeMs(inPostgres, bytes));
    }
    rows[`${bytes} bytes`] = {
      ...figures('written down, durably', times, ({ beginMs }) => beginMs),
      ...figures('finished', times, ({ finishMs }) => finishMs),
    };
  }
  printTable(rows);
  const { renewMs, claimMs } = await nodeMs();
  console.log(`A renewal: ${renewMs.toFixed(1)} ms; a claim: ${claimMs.toFixed(1)} ms`);
  console.log(`An entry of the log of reads: ${(await readMs()).toFixed(1)} ms`);
  await inFile.close();
}

interface ChangeTimes {
  readonly beginMs: number;
  readonly finishMs: number;
}

function figures(
  what: string,
  times: { readonly postgres: readonly ChangeTimes[]; readonly sqlite: readonly ChangeTimes[] },
  of: (times: ChangeTimes) => number,
): Record<string, string> {
  const [a, b] = [median(times.postgres.map(of)), median(times.sqlite.map(of))];
  return {
    [`${what}: SQLite ms`]: b.toFixed(1),
    [`${what}: PostgreSQL ms`]: a.toFixed(1),
    [`${what}: ratio`]: `${(a / b).toFixed(1)}x`,
  };
}

async function changeMs(state: StateStore, size: number): Promise<ChangeTimes> {
  const bytes = randomBytes(size);
  const after = createHash('sha256').update(bytes).digest('hex') as Version;
  const step = { do: 'write', path: vaultPath('a.md'), after, token: 'abc' } as const;
  const change = {
    timeMs: Date.now(),
    door: 'cli',
    tool: 'bench',
    args: {},
    steps: [step],
  } as const;
  const start = performance.now();
  const id = await state.begin(change, 'single', [{ version: after, bytes }]);
  const begunMs = performance.now();
  await state.finish(id, []);
  return { beginMs: begunMs - start, finishMs: performance.now() - begunMs };
}

/** Both of a node's own calls: that it is alive, and that it takes a vault over. */
async function nodeMs(): Promise<{ readonly renewMs: number; readonly claimMs: number }> {
  const steady = { nowMs: () => performance.now() };
  const own = { node: 'bench', address: 'http://127.0.0.1', version: 'bench' };
  const lease = await joinNodes({ postgres, ...own, steady });
  const renewed: number[] = [];
  const claimed: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await lease.renew();
    renewed.push(performance.now() - start);
    const claiming = performance.now();
    const claim = await claimVault(postgres, { ...lease, vault: 1 });
    claimed.push(performance.now() - claiming);
    await releaseVault(postgres, { vault: 1, epoch: claim?.epoch ?? 0 });
  }
  await lease.leave();
  return { renewMs: median(renewed), claimMs: median(claimed) };
}

async function readMs(): Promise<number> {
  const timers = { after: () => () => undefined };
  const log = openPostgresReadLog({ postgres, vault: 1, clock: { nowMs: Date.now }, timers });
  const start = performance.now();
  log.add({ timeMs: Date.now(), tool: 'bench', paths: ['a.md'], bytes: 1, door: 'cli' });
  await log.close();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
