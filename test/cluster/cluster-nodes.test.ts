import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clusterNodes, say } from '../support/cluster-nodes.ts';

const newCluster = clusterNodes();

it('one node claims a vault when it is first asked for, and reads and writes it', async () => {
  const cluster = await newCluster();
  const folder = await cluster.addVault('garden', { 'Plan.md': 'plant trees\n' });
  const node = await cluster.start('a');
  const client = await node.connect();
  expect(await say(client, 'read_note', { name: 'Plan' })).toContain('plant trees');
  await say(client, 'append_note', { name: 'Plan', text: 'and water them' });
  expect(readFileSync(join(folder, 'Plan.md'), 'utf8')).toBe('plant trees\nand water them\n');
  expect(await say(client, 'list_changes', {})).toContain('Plan');
  expect((await fetch(node.program.at('/ready'))).status).toBe(200);
  expect(await (await fetch(node.program.at('/health'))).json()).toMatchObject({
    status: 'ok',
    postgres: 'ok',
    vaults: { owned: 1, awake: 1, recovering: 0 },
  });
  await node.program.stop();
});

it('what is written through one node is read through another, and goes on after a kill', async () => {
  const cluster = await newCluster();
  const folder = await cluster.addVault('garden', { 'Plan.md': 'first\n' }, 'a');
  const [a, b] = [await cluster.start('a'), await cluster.start('b')];
  const [throughA, throughB] = [await a.connect(), await b.connect()];
  await say(throughA, 'append_note', { name: 'Plan', text: 'from a' });
  expect(await say(throughB, 'read_note', { name: 'Plan' })).toContain('from a');
  await say(throughB, 'append_note', { name: 'Plan', text: 'from b' });
  expect(await say(throughA, 'search_notes', { query: '"from b"' })).toContain('Plan');
  await a.program.stop('SIGKILL');
  await say(throughB, 'append_note', { name: 'Plan', text: 'after the kill' });
  expect(readFileSync(join(folder, 'Plan.md'), 'utf8')).toBe(
    'first\nfrom a\nfrom b\nafter the kill\n',
  );
  const metrics = await (await fetch(`${b.clusterUrl}/metrics`)).text();
  for (const figure of [
    'forwarded_calls_total{outcome="refused"}',
    'claims_total{reason="refused"}',
    'calls_total{tool="append_note",outcome="ok"}',
    'gates_closed_total',
    'journal_writes_total',
    'journal_seconds_total',
    'walks_total',
    'walk_seconds_total',
    'vaults_owned',
    'vaults_awake',
    'sessions',
  ]) {
    const line = metrics.split('\n').find((each) => each.startsWith(`vaultdoor_${figure} `));
    expect(Number(line?.split(' ').at(-1)), figure).toBeGreaterThan(0);
  }
});

it('a stopped owner is waited for until its lease ends, and changes nothing when it goes on', async () => {
  const cluster = await newCluster();
  const folder = await cluster.addVault('garden', { 'Plan.md': 'first\n' }, 'a');
  const [a, b] = [await cluster.start('a', { leaseMs: 3_000 }), await cluster.start('b')];
  const [throughA, throughB] = [await a.connect(), await b.connect()];
  await say(throughA, 'append_note', { name: 'Plan', text: 'from a' });
  a.kill('SIGSTOP');
  const late = say(throughA, 'append_note', { name: 'Plan', text: 'late' });
  await say(throughB, 'append_note', { name: 'Plan', text: 'from b' });
  a.kill('SIGCONT');
  await late;
  expect(readFileSync(join(folder, 'Plan.md'), 'utf8')).toBe('first\nfrom a\nfrom b\nlate\n');
});

it('a session goes on through another node', async () => {
  const cluster = await newCluster();
  await cluster.addVault('garden', { 'Plan.md': 'first\n' });
  const [a, b] = [await cluster.start('a'), await cluster.start('b')];
  const client = await a.connect();
  await say(client, 'read_note', { name: 'Plan' });
  const id = client.transport?.sessionId ?? '';
  const answer = await fetch(b.program.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': id,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 77,
      method: 'tools/call',
      params: { name: 'read_note', arguments: { name: 'Plan' } },
    }),
  });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('first');
});

it('the same request of a session changes nothing twice, at whichever node it arrives', async () => {
  const cluster = await newCluster();
  const folder = await cluster.addVault('garden', { 'Plan.md': 'first\n' }, 'a');
  const [a, b] = [await cluster.start('a'), await cluster.start('b')];
  const client = await a.connect();
  const send = async (url: string) =>
    (
      await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': client.transport?.sessionId ?? '',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 78,
          method: 'tools/call',
          params: { name: 'append_note', arguments: { name: 'Plan', text: 'once' } },
        }),
      })
    ).text();
  const first = await send(a.program.url);
  expect(await send(b.program.url)).toContain('Plan');
  expect(first).toContain('Plan');
  a.kill('SIGKILL');
  expect(await send(b.program.url)).toContain('Plan');
  expect(readFileSync(join(folder, 'Plan.md'), 'utf8')).toBe('first\nonce\n');
});

it('a node that is told to end hands its vaults over, and no call fails', async () => {
  const cluster = await newCluster();
  const folder = await cluster.addVault('garden', { 'Plan.md': '' }, 'a');
  const [a, b] = [await cluster.start('a'), await cluster.start('b')];
  const [throughA, throughB] = [await a.connect(), await b.connect()];
  await say(throughA, 'append_note', { name: 'Plan', text: 'line 0' });
  const writing = (async () => {
    for (let nr = 1; nr <= 20; nr++) {
      await say(throughB, 'append_note', { name: 'Plan', text: `line ${nr}` });
    }
  })();
  expect(await a.program.stop()).toMatchObject({ code: 0 });
  await writing;
  const lines = readFileSync(join(folder, 'Plan.md'), 'utf8').trim().split('\n');
  expect(lines).toEqual(Array.from({ length: 21 }, (_, nr) => `line ${nr}`));
});

it('without PostgreSQL nothing is written, and reading goes on', async () => {
  const cluster = await newCluster();
  const folder = await cluster.addVault('garden', { 'Plan.md': 'first\n' });
  const node = await cluster.start('a');
  const client = await node.connect();
  await say(client, 'append_note', { name: 'Plan', text: 'second' });
  const back = await cluster.server().pause();
  const refused = await client.callTool({
    name: 'append_note',
    arguments: { name: 'Plan', text: 'third' },
  });
  expect(refused.isError).toBe(true);
  expect(await say(client, 'read_note', { name: 'Plan' })).toContain('second');
  expect(await say(client, 'search_notes', { query: 'second' })).toContain('Plan');
  await back();
  await expect
    .poll(() => say(client, 'append_note', { name: 'Plan', text: 'third' }).catch(() => ''))
    .toContain('Plan');
  expect(readFileSync(join(folder, 'Plan.md'), 'utf8')).toBe('first\nsecond\nthird\n');
});
