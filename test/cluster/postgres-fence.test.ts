import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../../src/postgres/connection/postgres.ts';
import { sql, sqlText } from '../../src/postgres/connection/sql.ts';
import { migrations } from '../../src/postgres/schema/cluster-schema.ts';
import { checkSchema, migrateCluster } from '../../src/postgres/schema/migrate.ts';
import { openPostgresState } from '../../src/postgres/state/postgres-state-store.ts';
import { change, make, put, save, startMs, textOf, write } from '../support/change-records.ts';
import { type ClusterState, clusterDatabase } from '../support/cluster-database.ts';
import { newProposal } from '../support/owner-stores-contract.ts';
import { newQuestion } from '../support/questions-contract.ts';

const database = clusterDatabase();

const fenced = { code: 'unavailable', details: { fenced: true } };

/** A connection that can hold a transaction open, as none of ours does. */
async function rawClient(): Promise<pg.Client> {
  const client = new pg.Client(database.server().url);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Everything that is kept of a vault, but for its fence number. */
async function dump(vault: number): Promise<unknown> {
  const tables = ['change', 'touch', 'need', 'content', 'destroyed', 'question', 'proposal'];
  const rows = [...tables, 'day_total', 'word_reader'].map((table) =>
    database
      .postgres()
      .all(sql`SELECT * FROM ${sqlText(table)} AS row WHERE vault = ${vault} ORDER BY row::text`),
  );
  const own = sql`SELECT last_change, last_question, last_proposal, history_bytes, word_key
    FROM vault WHERE id = ${vault}`;
  return [await database.postgres().all(own), ...(await Promise.all(rows))];
}

describe('the fence', () => {
  const nowMs = startMs + 1;
  const writes: readonly [
    what: string,
    call: (state: ClusterState, open: number) => Promise<unknown>,
  ][] = [
    ['begin', (state) => state.begin(change([write('b.md', 'a', 'b')]), 'single', [put('b')])],
    ['beginSingles', (state) => state.beginSingles([{ change: change([]), contents: [] }])],
    ['mark', (state, open) => state.mark(open, [put('x')])],
    ['unmark', (state, open) => state.unmark(open)],
    ['finish', (state, open) => state.finish(open, [])],
    ['drop', (state, open) => state.drop(open)],
    ['prune', (state) => state.prune({ nowMs: startMs * 2, ageMaxMs: 1, bytesMax: 0, keepMs: 0 })],
    ['wordKey', (state) => state.wordKey('new')],
    ['ask', (state) => state.questions.ask(newQuestion({ tool: 'other' }))],
    ['answer', (state) => state.questions.answer('q1', { says: 'once', timeMs: nowMs })],
    ['use', (state) => state.questions.use('q1')],
    ['close', (state) => state.questions.close('q1')],
    ['giveBack', (state) => state.questions.giveBack('q1')],
    ['add', (state) => state.proposals.add(newProposal())],
    ['replan', (state) => state.proposals.replan('p1', { plannedMs: 1, diff: '', basis: [] })],
    ['refuse', (state) => state.proposals.refuse('p1', { timeMs: nowMs })],
    ['put', (state) => state.dayTotals.put({ day: '2026-01-01', notes: 1, bytes: 1 })],
  ];

  it.each(writes)('refuses %s of an earlier owner, which changes nothing', async (_, call) => {
    const vault = await database.newVault();
    const first = openPostgresState(database.postgres(), { vault, epoch: 1 });
    await save(first, { before: 'one', after: 'two' });
    await first.questions.ask(newQuestion());
    await first.proposals.add(newProposal());
    const open = await first.begin(change([write('a.md', 'a', 'b')]), 'staging', []);
    await database.postgres().all(sql`UPDATE vault SET epoch = 2 WHERE id = ${vault}`);
    const before = await dump(vault);
    await expect(call(first, open)).rejects.toMatchObject(fenced);
    expect(await dump(vault)).toEqual(before);
    // The new owner may do the same.
    const second = openPostgresState(database.postgres(), { vault, epoch: 2 });
    await call(second, open);
  });

  it('lets a mark that waited for a claim find that it is too late', async () => {
    const vault = await database.newVault();
    const state = openPostgresState(database.postgres(), { vault, epoch: 1 });
    const id = await state.begin(change([write('a.md', 'a', 'b')]), 'staging', []);
    const claim = await rawClient();
    await claim.query('BEGIN');
    await claim.query('UPDATE vault SET epoch = epoch + 1 WHERE id = $1', [vault]);
    const marked = expect(state.mark(id, [put('a')])).rejects.toMatchObject(fenced);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await claim.query('COMMIT');
    await marked;
    expect(await state.unfinished()).toMatchObject([{ id, state: 'staging' }]);
  });

  it('lets a claim wait for what an owner has begun to write', async () => {
    const vault = await database.newVault();
    const owner = await rawClient();
    await owner.query('BEGIN');
    await owner.query('SELECT fence($1, 1)', [vault]);
    const claim = await rawClient();
    await claim.query("SET lock_timeout = '200ms'");
    const raise = () => claim.query('UPDATE vault SET epoch = epoch + 1 WHERE id = $1', [vault]);
    await expect(raise()).rejects.toMatchObject({ code: '55P03' });
    await owner.query('COMMIT');
    await raise();
  });
});

it('keeps what was answered when PostgreSQL is killed under four writers', async () => {
  const answered: [state: ClusterState, text: string][] = [];
  let isOver = false;
  /** The state for the next fence number, as soon as PostgreSQL answers. */
  const claimed = async (vault: number): Promise<ClusterState> => {
    const raise = sql`UPDATE vault SET epoch = epoch + 1 WHERE id = ${vault} RETURNING epoch`;
    for (;;) {
      const row = await database
        .postgres()
        .get<{ epoch: number }>(raise)
        .catch(() => undefined);
      if (row !== undefined) return openPostgresState(database.postgres(), { vault, ...row });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const writers = [0, 1, 2, 3].map(async (at) => {
    const vault = await database.newVault();
    let state = await claimed(vault);
    for (let n = 0; !isOver; n++) {
      const text = `writer ${at}, line ${n}`;
      const made = change([write(`${n}.md`, undefined, text)]);
      try {
        await state.begin(made, 'single', [put(text)]);
        answered.push([state, text]);
      } catch (error) {
        expect(error).toMatchObject({ code: 'unavailable' });
        // Its answer was lost: nothing more is written with this number.
        state = await claimed(vault);
      }
    }
  });
  const untilMore = async () => {
    const count = answered.length + 20;
    await expect.poll(() => answered.length).toBeGreaterThan(count);
  };
  for (let kills = 0; kills < 2; kills++) {
    await untilMore();
    await database.server().restart();
  }
  await untilMore();
  isOver = true;
  await Promise.all(writers);
  for (const [state, text] of answered) expect(await textOf(state, text)).toBe(text);
});

it('stores contents of many sizes by one statement, and gives back each byte', async () => {
  const state = await database.opened();
  const texts = [0, 1, 63, 64, 100_000, 1_000_000].map((size) => randomBytes(size).toString('hex'));
  await make(state, change([]), { contents: texts.map((text) => put(text)) });
  for (const text of texts) expect(await textOf(state, text)).toBe(text);
});

describe('the schema', () => {
  /** An empty database of its own. */
  async function emptyDatabase(): Promise<string> {
    const admin = await rawClient();
    const name = `d${randomBytes(4).toString('hex')}`;
    await admin.query(`CREATE DATABASE ${name}`);
    return database.server().url.replace(/postgres$/, name);
  }

  async function openAt(url: string) {
    const postgres = await openPostgres(url);
    onTestFinished(() => postgres.close());
    return postgres;
  }

  const newest = migrations.length;

  it('is made once, however many programs migrate at the same time', async () => {
    const url = await emptyDatabase();
    const postgres = await openAt(url);
    await expect(checkSchema(postgres)).rejects.toThrow('are not there');
    const made = await Promise.all([1, 2, 3].map(() => migrateCluster(postgres)));
    expect(made.filter(({ from, to }) => from === 0 && to === newest)).toHaveLength(1);
    expect(await migrateCluster(postgres)).toEqual({ from: newest, to: newest });
    await checkSchema(await openAt(url));
  });

  it('may get more while a program of the version before goes on', async () => {
    const url = await emptyDatabase();
    await migrateCluster(await openAt(url));
    const old = await openAt(url);
    await old.all(sql`INSERT INTO vault (name, path, epoch) VALUES ('v', 'v', 1)`);
    const state = openPostgresState(old, { vault: 1, epoch: 1 });
    await save(state, { before: 'one', after: 'two' });
    const added = { sql: 'ALTER TABLE change ADD COLUMN later text', oldest: 1 };
    expect(await migrateCluster(await openAt(url), [...migrations, added])).toEqual({
      from: newest,
      to: newest + 1,
    });
    await checkSchema(old);
    await save(state, { before: 'two', after: 'three' });
    expect(await textOf(state, 'three')).toBe('three');
  });

  it('that a newer program has made unusable for this one is refused', async () => {
    const url = await emptyDatabase();
    const postgres = await openAt(url);
    const removing = { sql: 'DROP TABLE read_log', oldest: newest + 1 };
    await migrateCluster(postgres, [...migrations, removing]);
    for (const call of [checkSchema, migrateCluster]) {
      await expect(call(postgres)).rejects.toThrow('a newer Vaultdoor');
    }
  });

  it('stays as it was when a migration fails in the middle', async () => {
    const url = await emptyDatabase();
    const postgres = await openAt(url);
    const broken = { sql: 'CREATE TABLE half (id int); SELECT 1 / 0', oldest: 1 };
    await expect(migrateCluster(postgres, [...migrations, broken])).rejects.toThrow('zero');
    await expect(checkSchema(postgres)).rejects.toThrow('are not there');
    expect(await migrateCluster(postgres)).toEqual({ from: 0, to: newest });
  });
});
