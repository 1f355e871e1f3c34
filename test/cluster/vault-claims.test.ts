import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { clusterLimits } from '../../src/base/door-limits.ts';
import { sql } from '../../src/postgres/connection/sql.ts';
import { claimVault, releaseVault } from '../../src/postgres/nodes/claim-vault.ts';
import { joinNodes, type NodeRun } from '../../src/postgres/nodes/node-lease.ts';
import { ownedVaults, placeOfVault } from '../../src/postgres/nodes/vault-registry.ts';
import { openPostgresState } from '../../src/postgres/state/postgres-state-store.ts';
import { change } from '../support/change-records.ts';
import { clusterDatabase } from '../support/cluster-database.ts';

const database = clusterDatabase();

/** A node whose own time is told by the test. Its lease does not end by itself in a test. */
async function join(node: string, leaseMs = 600_000, readOnly = false) {
  const clock = { ms: 0 };
  const lease = await joinNodes({
    postgres: database.postgres(),
    node,
    address: `http://${node}`,
    version: '0.0.0',
    steady: { nowMs: () => clock.ms },
    leaseMs,
    readOnly,
  });
  return { lease, clock };
}

let nodes = 0;
const newName = () => `node-${++nodes}`;
const claim = async (vault: number, { node, incarnation }: NodeRun) =>
  (await claimVault(database.postgres(), { vault, node, incarnation }))?.epoch;

it('a vault has one owner, and the next one when that is not alive any more', async () => {
  const vault = await database.newVault();
  const { lease: a } = await join(newName());
  const { lease: b } = await join(newName());
  expect(await claim(vault, a)).toBe(2);
  expect(await claim(vault, b)).toBeUndefined();
  expect(await a.renew()).toBe(true);
  const first = openPostgresState(database.postgres(), { vault, epoch: 2 });
  await first.begin(change([]), 'single', []);
  await database
    .postgres()
    .all(sql`UPDATE node SET expires = clock_timestamp() WHERE id = ${a.node}`);
  expect(await claim(vault, b)).toBe(3);
  await expect(first.begin(change([]), 'single', [])).rejects.toMatchObject({
    details: { fenced: true },
  });
  const second = openPostgresState(database.postgres(), { vault, epoch: 3 });
  expect(await second.unfinished()).toHaveLength(1);
});

it('of many claims at once, one succeeds', async () => {
  const vault = await database.newVault();
  const runs = await Promise.all(Array.from({ length: 12 }, () => join(newName())));
  const epochs = await Promise.all(runs.map(({ lease }) => claim(vault, lease)));
  expect(epochs.filter((epoch) => epoch !== undefined)).toEqual([2]);
});

it('a node that starts again takes its vaults back at once, and its earlier run has ended', async () => {
  const vault = await database.newVault();
  const name = newName();
  const { lease: first } = await join(name);
  expect(await claim(vault, first)).toBe(2);
  const { lease: second } = await join(name);
  expect(second.incarnation).toBe(first.incarnation + 1);
  expect(await claim(vault, second)).toBe(3);
  expect([await first.renew(), first.isHeld()]).toEqual([false, false]);
  expect([await second.renew(), second.isHeld()]).toEqual([true, true]);
  await first.leave();
  expect(await claim(vault, (await join(newName())).lease)).toBeUndefined();
});

it('what is given up is free at once: one vault, or all that a node has', async () => {
  const vaults = [await database.newVault(), await database.newVault()] as const;
  const { lease: a } = await join(newName());
  const { lease: b } = await join(newName());
  for (const vault of vaults) expect(await claim(vault, a)).toBe(2);
  await releaseVault(database.postgres(), { vault: vaults[0], epoch: 1 }); // Not the owner's number.
  expect(await claim(vaults[0], b)).toBeUndefined();
  await releaseVault(database.postgres(), { vault: vaults[0], epoch: 2 });
  expect(await claim(vaults[0], b)).toBe(3);
  await a.leave();
  expect(await claim(vaults[1], b)).toBe(3);
  expect(await claim(vaults[0], a)).toBeUndefined();
});

it('a vault on the disk of one node is for that node alone', async () => {
  const vault = await database.newVault();
  const { lease: a } = await join(newName());
  const { lease: b } = await join(newName());
  await database.postgres().all(sql`UPDATE vault SET pinned = ${a.node} WHERE id = ${vault}`);
  expect(await claim(vault, b)).toBeUndefined();
  expect(await claim(vault, a)).toBe(2);
});

it('a node that only reads has a vault only while no node that writes is alive', async () => {
  const postgres = database.postgres();
  await postgres.all(sql`UPDATE node SET expires = clock_timestamp()`);
  const vault = await database.newVault();
  const { lease: reader } = await join(newName(), 600_000, true);
  const next = async () => (await placeOfVault(postgres, { vault, self: reader.node })).next?.node;
  const leaves = async () => (await ownedVaults(postgres, reader)).get(vault)?.leaves;
  expect(await next()).toBe(reader.node);
  expect(await claim(vault, reader)).toBe(2);
  expect(await leaves()).toBe(false);
  const { lease: writer } = await join(newName());
  expect([await next(), await leaves()]).toEqual([writer.node, true]);
  await releaseVault(postgres, { vault, epoch: 2 });
  await postgres.all(sql`UPDATE vault SET wished = ${reader.node} WHERE id = ${vault}`);
  expect(await claim(vault, reader)).toBeUndefined();
  expect(await claim(vault, writer)).toBe(3);
  const { node, incarnation } = reader;
  expect(await claimVault(postgres, { vault, node, incarnation, dead: writer })).toMatchObject({
    epoch: 4,
  });
});

it('a node stops beginning changes before its lease ends, counted from when it last asked', async () => {
  const { lease, clock } = await join(newName(), clusterLimits.leaseMs);
  const endMs = clusterLimits.leaseMs - clusterLimits.leaseMarginMs;
  clock.ms = endMs - 1;
  expect(lease.isHeld()).toBe(true);
  const renewed = lease.renew();
  clock.ms = endMs + 5; // The answer has taken its time.
  await renewed;
  expect(lease.isHeld()).toBe(true);
  clock.ms = endMs - 1 + endMs;
  expect(lease.isHeld()).toBe(false);
});

it.each([
  ['in an open transaction', ['BEGIN', 'SELECT fence($, 1)']],
  ['in a statement that it has not ended', undefined],
] as const)('a client that was stopped %s does not hold a vault', async (_, queries) => {
  const vault = await database.newVault();
  const { lease } = await join(newName().padEnd(100, '-of-a-long-name'));
  await holdVault(vault, queries);
  expect(await claim(vault, lease)).toBe(2);
});

/**
 * Holds the row of a vault as a stopped client does: it has sent something and never sends more. Without
 * `queries` it sends a statement without the message that ends it (`Sync`), as a client does that is
 * stopped in the middle of a large value: PostgreSQL takes that session for active.
 */
async function holdVault(vault: number, queries: readonly string[] | undefined): Promise<void> {
  const { hostname, port, username } = new URL(database.server().url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined); // The claim ends the connection.
  const texts = (...all: readonly string[]) => Buffer.from(all.map((text) => `${text}\0`).join(''));
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    socket.write(Buffer.concat([Buffer.from(type), length, body]));
  };
  /** Waits until an answer ends with this type of message and this body. */
  const answer = (type: string, bodyBytes: number) =>
    new Promise<void>((resolve) => {
      const look = (data: Buffer): void => {
        if (data.at(-5 - bodyBytes) !== type.charCodeAt(0)) return;
        socket.off('data', look);
        resolve();
      };
      socket.on('data', look);
    });
  const version = Buffer.from([0, 3, 0, 0]);
  const ready = answer('Z', 1);
  const names = texts('user', username, 'database', 'postgres');
  message('', Buffer.concat([version, names, Buffer.from([0])]));
  await ready;
  const fence = `SELECT fence(${vault}, 1)`;
  for (const query of queries ?? []) {
    const done = answer('Z', 1);
    message('Q', texts(query === 'BEGIN' ? query : fence));
    await done;
  }
  if (queries !== undefined) return;
  message('P', Buffer.concat([texts('', fence), Buffer.alloc(2)]));
  message('B', Buffer.concat([texts('', ''), Buffer.alloc(6)]));
  message('E', Buffer.concat([texts(''), Buffer.alloc(4)]));
  const executed = answer('C', 'SELECT 1'.length + 1);
  message('H', Buffer.alloc(0));
  await executed;
}
