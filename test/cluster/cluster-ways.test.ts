import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sql } from '../../src/postgres/connection/sql.ts';
import { clusterNodes, say } from '../support/cluster-nodes.ts';
import { startCutProxy } from '../support/cut-proxy.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';

const newCluster = clusterNodes();

it('nodes behind PgBouncer write, and take a vault over from one another', async () => {
  const cluster = await newCluster();
  const folder = await cluster.addVault('garden', { 'Plan.md': 'first\n' }, 'a');
  const { url, stop } = await startPgBouncer(cluster.server().url);
  onTestFinished(stop);
  const [a, b] = [await cluster.start('a', { url }), await cluster.start('b', { url })];
  const [throughA, throughB] = [await a.connect(), await b.connect()];
  await say(throughA, 'append_note', { name: 'Plan', text: 'from a' });
  await say(throughB, 'append_note', { name: 'Plan', text: 'from b' });
  await a.program.stop('SIGKILL');
  await say(throughB, 'append_note', { name: 'Plan', text: 'after' });
  expect(readFileSync(join(folder, 'Plan.md'), 'utf8')).toBe('first\nfrom a\nfrom b\nafter\n');
});

it('an owner that is cut from PostgreSQL reads, writes nothing, and goes on when it is back', async () => {
  const cluster = await newCluster();
  const folder = await cluster.addVault('garden', { 'Plan.md': 'first\n' });
  const way = await startCutProxy(cluster.server().url);
  const node = await cluster.start('a', { leaseMs: 3_000, url: way.url });
  const client = await node.connect();
  way.delay(50);
  await say(client, 'append_note', { name: 'Plan', text: 'slowly' });
  way.delay(0);
  way.cut();
  await expect
    .poll(async () => (await fetch(node.program.at('/health'))).json())
    .toMatchObject({ postgres: 'away' });
  await expect(say(client, 'append_note', { name: 'Plan', text: 'cut' })).rejects.toThrow();
  expect(await say(client, 'read_note', { name: 'Plan' })).toContain('slowly');
  way.mend();
  await expect
    .poll(() => say(client, 'append_note', { name: 'Plan', text: 'back' }).catch(() => ''))
    .toContain('Plan');
  expect(readFileSync(join(folder, 'Plan.md'), 'utf8')).toBe('first\nslowly\nback\n');
});

it('with --cluster-read-only a node serves vaults without writing, and makes no gates', async () => {
  const cluster = await newCluster();
  const folder = await cluster.addVault('garden', { 'Plan.md': 'first\n' });
  const node = await cluster.start('a', { args: ['--cluster-read-only'] });
  const client = await node.connect();
  expect(await say(client, 'read_note', { name: 'Plan' })).toContain('first');
  expect(await say(client, 'search_notes', { query: 'first' })).toContain('Plan');
  await expect(say(client, 'append_note', { name: 'Plan', text: 'more' })).rejects.toThrow();
  expect(readFileSync(join(folder, 'Plan.md'), 'utf8')).toBe('first\n');
  expect(existsSync(join(cluster.root, '.vaultdoor', 'gates'))).toBe(false);
});

it('a vault on the disk of one node is there with that node, and unavailable without it', async () => {
  const cluster = await newCluster();
  await cluster.addVault('garden', { 'Plan.md': 'first\n' });
  await cluster.postgres().all(sql`UPDATE vault SET pinned = 'a'`);
  const [a, b] = [await cluster.start('a'), await cluster.start('b')];
  const client = await b.connect();
  expect(await say(client, 'read_note', { name: 'Plan' })).toContain('first');
  await a.program.stop();
  await expect(say(client, 'read_note', { name: 'Plan' })).rejects.toThrow(
    'No machine can serve this vault now',
  );
  await cluster.start('a');
  await expect
    .poll(() => say(client, 'read_note', { name: 'Plan' }).catch(String))
    .toContain('first');
});
