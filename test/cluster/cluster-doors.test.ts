import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sql, sqlText } from '../../src/postgres/connection/sql.ts';
import { clusterNodes, say } from '../support/cluster-nodes.ts';
import { freePort } from '../support/free-port.ts';
import { OwnerBrowser } from '../support/owner-browser.ts';
import { connectSignedIn, SdkSignIn } from '../support/sdk-sign-in.ts';

const newCluster = clusterNodes();

it('an app that has signed in at one node is known at every other, for the vaults that it was allowed', async () => {
  const cluster = await newCluster();
  await cluster.addVault('garden', { 'Plan.md': 'plant trees\n' });
  const port = await freePort();
  const base = `http://localhost:${port}`;
  const args = ['--public-url', base];
  const a = await cluster.start('a', { args: [...args, '--port', `${port}`] });
  const browser = new OwnerBrowser(base);
  const [code = ''] = /(?<=\n {2})[0-9A-Z]{4}(-[0-9A-Z]{4}){4}(?=\n)/.exec(a.program.stdout) ?? [];
  expect((await browser.setUp(code, 'correct horse battery')).status).toBe(303);
  const provider = new SdkSignIn();
  const { client } = await connectSignedIn(`${base}/mcp`, provider, (url) => browser.decide(url));
  expect(await say(client, 'read_note', { name: 'Plan' })).toContain('plant trees');
  await client.close();

  await cluster.addVault('shed', { 'Tools.md': 'a spade\n' });
  const b = await cluster.start('b', { args });
  expect((await fetch(b.program.url, { method: 'POST' })).status).toBe(401);
  const throughB = await b.connect(provider.kept.tokens?.access_token);
  expect(await say(throughB, 'read_note', { name: 'Plan' })).toContain('plant trees');
  await expect(say(throughB, 'read_note', { name: 'Tools', vault: 'shed' })).rejects.toThrow();

  await cluster
    .postgres()
    .script(
      ['day_total', 'word_reader', 'vault'].map((table) => sql`DELETE FROM ${sqlText(table)}`),
    );
  rmSync(join(cluster.root, 'garden'), { recursive: true });
  await cluster.addVault('garden', { 'Plan.md': 'of another owner\n' });
  const c = await cluster.start('c', { args });
  const later = c
    .connect(provider.kept.tokens?.access_token)
    .then((known) => say(known, 'read_note', { name: 'Plan' }));
  await expect(later).rejects.toThrow();
});

it('Bridge v1 of one node reaches a vault that another one has, also when that is killed', async () => {
  const cluster = await newCluster();
  await cluster.addVault('garden', { 'Plan.md': 'plant trees\n' });
  const a = await cluster.start('a');
  await say(await a.connect(), 'read_note', { name: 'Plan' });
  const b = await cluster.start('b', { args: ['--bridge-port', '0'] });
  const read = async (): Promise<string> => {
    const answer = await fetch(`${b.program.bridgeUrl}/bridge/v1/tools/read_note/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ arguments: { name: 'Plan' } }),
    });
    expect(answer.status).toBe(200);
    return answer.text();
  };
  expect(await read()).toContain('plant trees');
  const metrics = await (await fetch(`${b.clusterUrl}/metrics`)).text();
  expect(metrics).toContain('vaultdoor_forwarded_calls_total{outcome="answered"} 1');
  a.kill('SIGKILL');
  expect(await read()).toContain('plant trees');
});
