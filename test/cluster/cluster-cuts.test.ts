import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { appendNote } from '../../src/engine/operations/write/append-note.ts';
import type { StateStore } from '../../src/engine/ports/state-store.ts';
import type { Draft } from '../../src/engine/vault/draft.ts';
import { openPostgres } from '../../src/postgres/connection/postgres.ts';
import { sql } from '../../src/postgres/connection/sql.ts';
import { clusterNodes, say } from '../support/cluster-nodes.ts';
import { startCutProxy } from '../support/cut-proxy.ts';
import { failureOf } from '../support/failure-of.ts';
import { pausedVault } from '../support/paused-changes.ts';
import { tempFolder, writeFiles } from '../support/temp-folder.ts';
import { openOwned, placesIn } from '../support/vault-owner.ts';

const newCluster = clusterNodes();
const leaseMs = 1_500;

/** Two nodes, of which the first owns the vault and reaches PostgreSQL by a way that can be cut. */
async function cutOwner() {
  const cluster = await newCluster();
  const folder = await cluster.addVault('garden', { 'Plan.md': 'first\n' }, 'a');
  const way = await startCutProxy(cluster.server().url);
  const a = await cluster.start('a', { leaseMs, url: way.url });
  const b = await cluster.start('b', { leaseMs });
  const [throughA, throughB] = [await a.connect(), await b.connect()];
  await say(throughA, 'append_note', { name: 'Plan', text: 'from a' });
  await say(throughB, 'append_note', { name: 'Plan', text: 'through b' });
  const owner = () => cluster.postgres().get(sql`SELECT node FROM vault`);
  expect(await owner()).toEqual({ node: 'a' });
  const text = (): string => readFileSync(join(folder, 'Plan.md'), 'utf8');
  return { way, a, b, throughA, throughB, owner, text };
}

it.each(['cut', 'silence'] as const)(
  'an owner that PostgreSQL does not hear any more (%s) is succeeded, although the others reach it',
  async (how) => {
    const { way, a, throughA, throughB, owner, text } = await cutOwner();
    way[how]();
    await say(throughB, 'append_note', { name: 'Plan', text: 'after the cut' });
    expect(await owner()).toEqual({ node: 'b' });
    await expect(say(throughA, 'append_note', { name: 'Plan', text: 'no' })).rejects.toThrow(
      /nothing was changed/,
    );
    expect(await say(throughA, 'read_note', { name: 'Plan' })).toContain('after the cut');
    expect(await (await fetch(a.program.at('/health'))).json()).toMatchObject({ postgres: 'away' });
    way.mend();
    await expect
      .poll(() => say(throughA, 'append_note', { name: 'Plan', text: 'back' }).catch(() => ''))
      .toContain('Plan');
    expect(text()).toBe('first\nfrom a\nthrough b\nafter the cut\nback\n');
  },
);

it('a node without PostgreSQL answers nothing after the time of grace, and goes on afterwards', async () => {
  const cluster = await newCluster();
  await cluster.addVault('garden', { 'Plan.md': 'first\n' });
  const way = await startCutProxy(cluster.server().url);
  const node = await cluster.start('a', { leaseMs, graceMs: 2_500, url: way.url });
  const client = await node.connect();
  expect(await say(client, 'read_note', { name: 'Plan' })).toContain('first');
  way.cut();
  expect(await say(client, 'read_note', { name: 'Plan' })).toContain('first');
  const status = async (path: string) => (await fetch(node.program.at(path))).status;
  await expect.poll(() => status('/ready')).toBe(503);
  const refused = await fetch(node.program.url, { method: 'POST', body: '{}' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  await expect(say(client, 'read_note', { name: 'Plan' })).rejects.toThrow();
  expect(await status('/live')).toBe(200);
  way.mend();
  await expect.poll(() => status('/ready')).toBe(200);
  expect(await say(client, 'read_note', { name: 'Plan' })).toContain('first');
});

it.each([
  { when: 'before', finds: 'finishes it', more: 'more\n' },
  { when: 'after', finds: 'takes it back', more: '' },
])(
  'a mark whose answer is lost is left to the next owner, which $finds if it arrives $when',
  async ({ when, more }) => {
    const cluster = await newCluster();
    const places = placesIn(tempFolder());
    writeFiles(places.folder, pausedVault);
    const vault = await cluster.newVault();
    const way = await startCutProxy(cluster.server().url);
    const postgres = await openPostgres(way.url);
    const opened: unknown[] = [];
    const owned = await openOwned(postgres, { ...places, vault, epoch: 1 }, (state) => {
      opened.push(state);
      return state;
    });
    way.silenceAt("SET state = 'marked'");
    const failing = failureOf(
      owned.change(async (draft: Draft) => {
        await appendNote(draft, { name: 'A', text: 'more' });
        await appendNote(draft, { name: 'B', text: 'more' });
        return {};
      }, {}),
    );
    const row = () => cluster.postgres().get(sql`SELECT state FROM change WHERE vault = ${vault}`);
    await expect.poll(() => way.isSilentNow()).toBe(true);
    expect(await row()).toEqual({ state: 'staging' });
    // The node gives up waiting; its other connections work.
    postgres.drop();
    expect(await failing).toMatchObject({
      code: 'unavailable',
      details: { outcome: 'unknown' },
    });
    // Nothing is written any more with this fence number: what was sent can still arrive.
    const [state] = opened as StateStore[];
    expect(await failureOf(state?.drop(1) ?? Promise.resolve())).toMatchObject({
      details: { moved: true },
    });
    if (when === 'before') {
      way.mend();
      await expect.poll(row).toEqual({ state: 'marked' });
    }
    await cluster.postgres().all(sql`UPDATE vault SET epoch = 2 WHERE id = ${vault}`);
    const next = await openOwned(cluster.postgres(), { ...places, vault, epoch: 2 });
    await next.whole.writer.recover(new AbortController().signal);
    way.mend();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await row()).toEqual(when === 'before' ? { state: 'done' } : undefined);
    const text = (name: string): string => readFileSync(join(places.folder, name), 'utf8');
    expect([text('A.md'), text('B.md')]).toEqual([`alpha\n${more}`, `beta\n${more}`]);
    for (const each of [next, owned, postgres]) await each.close();
  },
);
