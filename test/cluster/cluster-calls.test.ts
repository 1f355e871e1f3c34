import { cpSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { clusterLimits } from '../../src/base/door-limits.ts';
import { digestOf, signatureHeaders } from '../../src/cluster/wire/signature.ts';
import { openClusterBooks } from '../../src/postgres/books/cluster-books.ts';
import { sql } from '../../src/postgres/connection/sql.ts';
import { clusterNodes, clusterSecret, say } from '../support/cluster-nodes.ts';

const newCluster = clusterNodes();
const path = '/cluster/call';

/** Sends a body to the cluster port of a node. */
function post(url: string, body: string, headers: Readonly<Record<string, string>>) {
  return new Promise<{ readonly status: number | undefined; readonly text: string }>(
    (resolve, reject) => {
      const sent = request(`${url}${path}`, { method: 'POST', headers }, async (response) => {
        resolve({ status: response.statusCode, text: await text(response) });
      });
      sent.on('error', reject).end(body);
    },
  );
}

/** The signature of a body. */
function signed(body: string, secret = clusterSecret) {
  return signatureHeaders(secret, { method: 'POST', path, digest: digestOf(body) });
}

it('the cluster port answers only what is signed, once, and a node that is not the owner says so', async () => {
  const cluster = await newCluster();
  await cluster.addVault('garden', { 'Plan.md': 'first\n' }, 'a');
  const [a, b] = [await cluster.start('a'), await cluster.start('b')];
  await say(await a.connect(), 'read_note', { name: 'Plan' });
  const row = await cluster.postgres().get<{ id: number }>(sql`SELECT id FROM vault`);
  const caller = (effects: readonly string[]) => ({
    door: 'mcp-http',
    scopes: { effects, folders: [''], hide: [] },
    deadlineMs: 10_000,
    canAsk: false,
  });
  const call = (name: string, args: object, effects: readonly string[]) =>
    JSON.stringify({
      protocol: 1,
      run: 'x',
      vault: row?.id,
      toolsets: ['notes'],
      method: 'call',
      args: [name, args],
      caller: caller(effects),
    });
  const read = call('read_note', { name: 'Plan' }, ['read']);
  expect((await post(a.clusterUrl, read, {})).status).toBe(401);
  expect((await post(a.clusterUrl, read, signed(read, 'another secret'))).status).toBe(401);
  expect((await post(a.clusterUrl, `${read} `, signed(read))).status).toBe(401);
  const headers = signed(read);
  const answer = await post(a.clusterUrl, read, headers);
  expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('first') });
  expect((await post(a.clusterUrl, read, headers)).status).toBe(401);
  expect((await post(b.clusterUrl, read, signed(read))).status).toBe(421);
  const write = call('append_note', { name: 'Plan', text: 'x' }, ['read']);
  expect((await post(a.clusterUrl, write, signed(write))).text).toContain('"forbidden"');
  expect((await fetch(`${a.clusterUrl}/mcp`)).status).toBe(404);
  expect((await fetch(a.program.at('/metrics'))).status).toBe(404);
  for (const { stderr, stdout } of [a.program, b.program]) {
    expect(stderr + stdout).not.toContain(clusterSecret);
  }
});

it('a vault goes where it was moved to, and few are open at once', async () => {
  const cluster = await newCluster();
  const names = ['red', 'green', 'blue'];
  for (const name of names) await cluster.addVault(name, { 'Plan.md': `${name}\n` });
  const a = await cluster.start('a', { args: ['--awake-max', '1'] });
  const client = await a.connect();
  for (const vault of [...names, ...names]) {
    expect(await say(client, 'read_note', { vault, name: 'Plan' })).toContain(vault);
  }
  const awake = async (node: string) =>
    (await (await fetch(`${node}/metrics`)).text()).match(/vaultdoor_vaults_awake (\d+)/)?.[1];
  expect(await awake(a.clusterUrl)).toBe('1');
  const b = await cluster.start('b');
  await cluster.postgres().all(sql`UPDATE vault SET wished = 'b' WHERE name = 'green'`);
  const owner = async () => {
    await say(client, 'append_note', { vault: 'green', name: 'Plan', text: 'more' });
    return cluster.postgres().get(sql`SELECT node FROM vault WHERE name = 'green'`);
  };
  await expect.poll(owner).toEqual({ node: 'b' });
  expect(await awake(b.clusterUrl)).toBe('1');
});

it('a token for some vaults does not see the others, whichever node owns them', async () => {
  const cluster = await newCluster();
  for (const name of ['red', 'green']) await cluster.addVault(name, { 'Plan.md': `${name}\n` });
  const books = openClusterBooks({
    postgres: cluster.postgres(),
    steady: { nowMs: () => performance.now() },
    clock: { nowMs: Date.now },
  });
  const { token } = await books.tokens.create({
    name: 'green only',
    effects: ['read', 'write'],
    folders: [''],
    vaults: ['green'],
  });
  const args = ['--auth', 'token'];
  const [a, b] = [await cluster.start('a', { args }), await cluster.start('b', { args })];
  for (const node of [a, b]) {
    const client = await node.connect(token);
    expect(client.getInstructions()).not.toContain('red');
    expect(await say(client, 'read_note', { name: 'Plan' })).toContain('green');
    await expect(say(client, 'read_note', { vault: 'red', name: 'Plan' })).rejects.toThrow(
      'There is no vault "red" here',
    );
  }
});

it('a token for a vault does not open a later vault of the same name', async () => {
  const cluster = await newCluster();
  await cluster.addVault('red');
  const folder = await cluster.addVault('green', { 'Plan.md': 'mine\n' });
  const books = openClusterBooks({
    postgres: cluster.postgres(),
    steady: { nowMs: () => performance.now() },
    clock: { nowMs: Date.now },
  });
  const rights = { effects: ['read'], folders: [''] } as const;
  const limited = await books.tokens.create({ name: 'limited', ...rights, vaults: ['green'] });
  const free = await books.tokens.create({ name: 'free', ...rights });
  const node = await cluster.start('a', { args: ['--auth', 'token'], leaseMs: 1_500 });
  const [mine, all] = [await node.connect(limited.token), await node.connect(free.token)];
  const plan = { vault: 'green', name: 'Plan' };
  for (const client of [mine, all]) expect(await say(client, 'read_note', plan)).toContain('mine');
  const postgres = cluster.postgres();
  await postgres.script([
    sql`DELETE FROM token_vault`,
    sql`DELETE FROM day_total`,
    sql`DELETE FROM word_reader`,
    sql`DELETE FROM vault WHERE name = 'green'`,
  ]);
  const other = join(cluster.root, 'other');
  cpSync(folder, other, { recursive: true });
  writeFileSync(join(other, 'Plan.md'), 'of another\n');
  await postgres.all(sql`INSERT INTO vault (name, path) VALUES ('green', ${other})`);
  await vi.waitFor(async () => expect(await say(all, 'read_note', plan)).toContain('of another'), {
    timeout: 10_000,
  });
  await expect(say(mine, 'read_note', plan)).rejects.toThrow();
  const again = node.connect(limited.token).then((client) => say(client, 'read_note', plan));
  await expect(again).rejects.toThrow();
});

it('a client that follows a note hears of changes through another node, also after a takeover', async () => {
  const cluster = await newCluster();
  await cluster.addVault('garden', { 'Plan.md': 'first\n' }, 'a');
  const [a, b] = [await cluster.start('a'), await cluster.start('b')];
  const throughA = await a.connect();
  await say(throughA, 'read_note', { name: 'Plan' });
  const throughB = await b.connect();
  const { resources } = await throughB.listResources();
  const uri = resources[0]?.uri ?? '';
  let heard = 0;
  throughB.setNotificationHandler('notifications/resources/updated', () => {
    heard += 1;
  });
  await throughB.subscribeResource({ uri });
  await say(throughA, 'append_note', { name: 'Plan', text: 'second' });
  await expect.poll(() => heard).toBeGreaterThan(0);
  a.kill('SIGKILL');
  const before = heard;
  await expect.poll(() => heard).toBeGreaterThan(before);
  await say(throughB, 'append_note', { name: 'Plan', text: 'third' });
});

it('a client that asks for too much at once is told to wait, whatever it asks for', async () => {
  const cluster = await newCluster();
  await cluster.addVault('garden', { 'Plan.md': 'first\n' }, 'a');
  const short = { leaseMs: 2_000 };
  const [a, b] = [await cluster.start('a', short), await cluster.start('b', short)];
  await say(await a.connect(), 'read_note', { name: 'Plan' });
  const [greedy, other] = [await b.connect(), await b.connect()];
  a.kill('SIGSTOP'); // So all of them run until its lease is over.
  const most = clusterLimits.callsPerTokenMax;
  const asked = Array.from({ length: most + 3 }, () => greedy.listResources());
  const early = say(other, 'read_note', { name: 'Plan' });
  const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected');
  const tooMuch = { status: 'rejected', reason: { message: expect.stringContaining('Too much') } };
  expect(refused).toMatchObject(Array.from({ length: 3 }, () => tooMuch));
  expect(await early).toContain('first');
  a.kill('SIGKILL');
});
