import { describe, expect, it } from 'vitest';
import { clusterLimits } from '../../src/base/door-limits.ts';
import { nodeOAuthCrypto } from '../../src/node/oauth/node-oauth-crypto.ts';
import { OwnerSignIn } from '../../src/oauth/owner/owner-sign-in.ts';
import { type ClusterBooks, openClusterBooks } from '../../src/postgres/books/cluster-books.ts';
import { openPostgres, type Postgres } from '../../src/postgres/connection/postgres.ts';
import { sql, sqlText } from '../../src/postgres/connection/sql.ts';
import { describeBriefBooks } from '../support/brief-book-contract.ts';
import { clusterDatabase } from '../support/cluster-database.ts';
import { failureOf } from '../support/failure-of.ts';
import { GrantsServer, tokensOf } from '../support/grants-server.ts';
import { describeOAuthBook } from '../support/oauth-book-contract.ts';
import { describeOwnerBook } from '../support/owner-book-contract.ts';
import { cheapCost, ownerPassphrase, passkeySite, signedIn } from '../support/owner-sign-in.ts';
import { PasskeyDevice } from '../support/passkey-device.ts';
import { describeSessionBook } from '../support/session-book-contract.ts';
import { describeTokenBook, everything, hashOf } from '../support/token-book-contract.ts';

const tables = [
  'token_vault',
  'token',
  'oauth_client',
  'oauth_grant',
  'owner',
  'passkey',
  'owner_session',
  'session_ended',
  'session_memory',
  'brief',
];

describe.each([
  ['PostgreSQL', false],
  ['PostgreSQL behind PgBouncer', true],
] as const)('%s', (name, bouncer) => {
  const database = clusterDatabase({ bouncer });
  /** Books of one node, which asks PostgreSQL every time unless a test has a time for it. */
  const books = (
    how: {
      readonly clock?: { readonly nowMs: number };
      readonly steady?: { readonly atMs: number };
      readonly postgres?: Postgres;
    } = {},
  ): ClusterBooks => {
    const { clock, steady } = how;
    return openClusterBooks({
      postgres: how.postgres ?? database.postgres(),
      clock: { nowMs: () => clock?.nowMs ?? Date.now() },
      steady: { nowMs: () => steady?.atMs ?? performance.now() },
      ...(steady === undefined ? { freshMs: 0 } : {}),
    });
  };

  /** Empties the tables before the first use of what `pick` answers, and gives one after the other. */
  const emptied = <T extends object>(
    open: (books: ClusterBooks) => T,
    clock = { nowMs: 1_000 },
  ) => {
    let empty: Promise<unknown> | undefined;
    return (at: { readonly nowMs: number } = clock): T => {
      const opened = open(books({ clock: at }));
      return new Proxy(opened, {
        get: (target, key) => {
          const method = Reflect.get(target, key) as (...args: unknown[]) => Promise<unknown>;
          return async (...args: unknown[]) => {
            empty ??= database
              .postgres()
              .script([
                ...tables.map((table) => sql`DELETE FROM ${sqlText(table)}`),
                sql`UPDATE book SET version = version + 10000`,
              ]);
            await empty;
            return method.apply(target, args);
          };
        },
      });
    };
  };
  const now = { nowMs: Date.now() };

  describeTokenBook(name, () => emptied(({ tokens }) => tokens));
  describeSessionBook(name, () => emptied(({ sessions }) => sessions, now));
  describeOAuthBook(name, () => emptied(({ oauth }) => oauth));
  describeOwnerBook(name, () => emptied(({ owner }) => owner));
  describeBriefBooks(name, async () => {
    await database.postgres().all(sql`DELETE FROM brief`);
    return () => books().brief;
  });

  it('refuses a revoked token at another node half a second later', async () => {
    const steady = { atMs: 0 };
    const [here, there] = [books({ steady }), books({ steady })];
    const { token, kept } = await here.tokens.create({ name: 'revoked soon', ...everything });
    expect(await there.tokens.find(hashOf(token))).toMatchObject({ id: kept.id });
    await here.tokens.revoke(kept.id);
    expect(await here.tokens.isValid(kept.id)).toBe(false);
    steady.atMs = clusterLimits.bookFreshMs - 1;
    expect(await there.tokens.isValid(kept.id)).toBe(true);
    steady.atMs = clusterLimits.bookFreshMs;
    expect(await there.tokens.isValid(kept.id)).toBe(false);
  });

  it('knows a token or a sign-in at another node as soon as it is given out', async () => {
    const steady = { atMs: 0 };
    const [here, there] = [books({ steady }), books({ steady })];
    const unknown = hashOf('vd_unknown');
    expect(await there.tokens.find(unknown)).toBeUndefined();
    const { token, kept } = await here.tokens.create({ name: 'new', ...everything });
    const found = await Promise.all(
      [hashOf(token), unknown].map((hash) => there.tokens.find(hash)),
    );
    expect(found).toMatchObject([{ id: kept.id }, undefined]);
    const { access } = await new GrantsServer({ book: here.oauth }).signIn();
    expect(await new GrantsServer({ book: there.oauth }).state(access)).toBe('in');
  });

  it('exchanges a code at another node than the one that has made it, once, and keeps no secret', async () => {
    const nodes = [books(), books()].map(({ oauth: book, brief }) => {
      const server = new GrantsServer({ book, brief, isForNamedVaults: true });
      server.nowMs = Date.now();
      return server;
    });
    const [here, there] = nodes as [GrantsServer, GrantsServer];
    const code = await here.code({ vaults: ['7/garden'] });
    const rows = await database.postgres().all<object>(sql`SELECT * FROM brief`);
    expect(JSON.stringify(rows)).toContain('7/garden');
    expect(JSON.stringify(rows)).not.toContain(code.slice(4));
    const answers = await Promise.all([here, there, here, there].map((one) => one.exchange(code)));
    const given = answers.filter((answer) => 'access_token' in answer).map(tokensOf);
    expect(given).toHaveLength(1);
    expect(await here.find(given[0]?.access ?? '')).toMatchObject({ vaults: ['7/garden'] });
    await there.exchange(code, { client: 'evil' });
    expect(await here.state(given[0]?.access ?? '')).toBe('ended');
    const stolen = await there.code();
    const both = await Promise.all([
      here.exchange(stolen),
      there.exchange(stolen, { client: 'evil' }),
    ]);
    // Whoever was first: the thief has used the code up, or the grant has ended.
    for (const answer of both.filter((each) => 'access_token' in each)) {
      expect(await there.state(tokensOf(answer).access)).toBe('ended');
    }
  });

  it('knows a browser in which the owner has signed in at another node a moment ago', async () => {
    const steady = { atMs: 0 };
    const [here, there] = [books({ steady }), books({ steady })].map(
      ({ owner: book, brief }) =>
        new OwnerSignIn({
          ...{ book, brief, crypto: nodeOAuthCrypto, nowMs: Date.now },
          ...{ cost: cheapCost, names: [] },
        }),
    ) as [OwnerSignIn, OwnerSignIn];
    await there.hasOwner();
    await here.setPassphrase(ownerPassphrase);
    expect(await there.hasOwner()).toBe(true);
    const { cookie } = signedIn(await here.signIn({ passphrase: ownerPassphrase }));
    expect(await there.session(cookie)).toMatchObject({ isFresh: true });
    const key = new PasskeyDevice(passkeySite.origin);
    const made = key.create(await here.passkeyCreation(cookie, passkeySite));
    await there.addPasskey(cookie, passkeySite, { name: 'Phone', credential: made });
    const shown = key.get(await there.passkeyRequest(passkeySite, 'b'));
    expect(await here.signInWithPasskey(passkeySite, 'b', shown)).toHaveProperty('cookie');
    expect(await there.signInWithPasskey(passkeySite, 'b', shown)).toHaveProperty('refused');
    await here.reset();
  });

  it('keeps for which vaults a token is', async () => {
    const vault = await database.newVault();
    const row = await database
      .postgres()
      .get<{ name: string }>(sql`SELECT name FROM vault WHERE id = ${vault}`);
    const vaults = [row?.name ?? ''];
    const { token, kept } = await books().tokens.create({ name: 'one', ...everything, vaults });
    expect(kept.vaults).toEqual(vaults);
    const keys = [`${vault}/${vaults[0]}`];
    expect(await books().tokens.find(hashOf(token))).toMatchObject({ vaults: keys });
    expect((await books().tokens.list()).find(({ id }) => id === kept.id)).toEqual(kept);
    await database.postgres().all(sql`DELETE FROM token_vault WHERE token = ${kept.id}`);
    expect(await books().tokens.find(hashOf(token))).toMatchObject({ vaults: [] });
    const wanted = { name: 'two', ...everything, vaults: ['no such vault'] };
    expect((await failureOf(books().tokens.create(wanted))).code).toBe('vault_not_found');
  });

  it('shows a node that missed many changes what was removed meanwhile', async () => {
    const [here, there] = [books(), books()];
    const { kept } = await here.tokens.create({ name: 'long gone', ...everything });
    expect(await there.tokens.isValid(kept.id)).toBe(true);
    await here.tokens.revoke(kept.id);
    await database
      .postgres()
      .script([
        sql`UPDATE book SET version = version + 6000 WHERE name = 'token'`,
        sql`DELETE FROM token WHERE entry IS NULL`,
      ]);
    expect(await there.tokens.isValid(kept.id)).toBe(false);
  });

  it('answers refreshes of one token that come at once to two nodes', async () => {
    const [here, there] = [books(), books()].map(({ oauth }) => new GrantsServer({ book: oauth }));
    if (here === undefined || there === undefined) throw new Error('There must be two.');
    const { refresh } = await here.signIn();
    const answers = await Promise.all(
      [here, there, here, there].map((server) => server.refresh(refresh)),
    );
    for (const { access } of answers.map(tokensOf)) {
      expect([await here.state(access), await there.state(access)]).toEqual(['in', 'in']);
    }
    const [{ id } = { id: '' }] = await here.grants.list();
    await there.grants.end(id, 'revoked');
    expect(await here.grants.isAlive(id)).toBe(false);
  });

  it('goes on with the tokens that a node knows while PostgreSQL does not answer, for a while', async () => {
    const postgres = await openPostgres(database.server().url);
    const steady = { atMs: 0 };
    const { tokens } = books({ steady, postgres });
    const { token, kept } = await tokens.create({ name: 'known', ...everything });
    expect(await tokens.isValid(kept.id)).toBe(true);
    await postgres.close();
    steady.atMs = clusterLimits.graceMs - 1;
    expect(await tokens.find(hashOf(token))).toMatchObject({ id: kept.id });
    steady.atMs = clusterLimits.graceMs;
    expect((await failureOf(tokens.find(hashOf(token)))).code).toBe('unavailable');
    expect((await failureOf(tokens.revoke(kept.id))).code).toBe('unavailable');
  });
});
