import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clusterNodes, say, type TestCluster } from '../support/cluster-nodes.ts';
import { runCli } from '../support/run-cli.ts';

const newCluster = clusterNodes();

/** How the owner types commands on a machine that has the secret of the cluster. */
function owner({ root, server }: TestCluster, secretFile = join(root, 'cluster-secret')) {
  const folders = { XDG_STATE_HOME: join(root, '.owner'), XDG_CACHE_HOME: join(root, '.owner') };
  const env = { ...folders, VAULTDOOR_CLUSTER: server().url };
  return (line: string) => {
    const secret = { VAULTDOOR_CLUSTER_SECRET_FILE: secretFile };
    return runCli(line.split(' '), { ...env, ...secret });
  };
}

it('the owner allows and denies what the brake holds, through the node that has the vault', async () => {
  const cluster = await newCluster();
  const folder = await cluster.addVault('garden', { 'One.md': '1\n', 'Two.md': '2\n' });
  const args = ['--brake', '0', '--timeout', 'delete_note=5'];
  const [a, b] = [await cluster.start('a', { args }), await cluster.start('b', { args })];
  const [throughA, throughB] = [await a.connect(), await b.connect()];
  await say(throughA, 'read_note', { name: 'One' });
  const type = owner(cluster);
  const deletes = (client: typeof throughA, name: string) => say(client, 'delete_note', { name });
  await expect(deletes(throughB, 'One')).rejects.toThrow('q1');
  expect((await type('approvals')).stdout).toContain('One.md');
  expect((await type('approvals show q1 --vault garden')).stdout).toContain('delete_note');
  const allowed = await type('approvals allow q1 --vault garden');
  expect(allowed).toMatchObject({ code: 0, stderr: '' });
  await deletes(throughB, 'One');
  expect(existsSync(join(folder, 'One.md'))).toBe(false);
  await expect(deletes(throughB, 'Two')).rejects.toThrow('q2');
  const denied = await type('approvals deny q2 --reason No. --undo --json');
  expect(JSON.parse(denied.stdout)).toMatchObject({ id: 'q2', answer: { says: 'deny' } });
  expect(readFileSync(join(folder, 'One.md'), 'utf8')).toBe('1\n');
  await expect(deletes(throughB, 'Two')).rejects.toThrow('No.');
  expect((await type('approvals show q9')).stderr).toContain('There is no question "q9"');
});

it('a proposal is accepted once, also after its owner node was killed, and another is refused', async () => {
  const cluster = await newCluster();
  const folder = await cluster.addVault('garden', { 'Plan.md': 'first\n' });
  await cluster.addVault('shed');
  const args = ['--propose'];
  const a = await cluster.start('a', { args });
  const through = await a.connect();
  const appended = (text: string) =>
    say(through, 'append_note', { name: 'Plan', text, vault: 'garden' });
  expect(await appended('second')).toContain('p1');
  expect(await appended('third')).toContain('p2');
  await cluster.start('b', { args });
  a.kill('SIGKILL');
  const type = owner(cluster);
  expect((await type('proposals')).stderr).toContain('several vaults');
  expect((await type('proposals --vault garden')).stdout).toContain('p2');
  expect((await type('proposals show p1 --vault garden')).stdout).toContain('+second');
  expect(await type('proposals accept p1 --vault garden')).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(join(folder, 'Plan.md'), 'utf8')).toBe('first\nsecond\n');
  expect((await type('proposals refuse p2 --vault garden')).code).toBe(0);
  const again = await type('proposals accept p1 --vault garden --json');
  expect(JSON.parse(again.stdout)).toMatchObject({ results: [{ id: 'p1', outcome: 'decided' }] });
  expect(readFileSync(join(folder, 'Plan.md'), 'utf8')).toBe('first\nsecond\n');
});

it('nobody decides without the secret of the cluster', async () => {
  const cluster = await newCluster();
  const folder = await cluster.addVault('garden', { 'Plan.md': 'first\n' });
  const a = await cluster.start('a', { args: ['--propose'] });
  await say(await a.connect(), 'append_note', { name: 'Plan', text: 'second' });
  const other = join(cluster.root, 'other-secret');
  writeFileSync(other, 'another secret that has enough characters too\n', { mode: 0o600 });
  const refused = await owner(cluster, other)('proposals accept p1');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('check the cluster secret');
  const without = await owner(cluster, '')('proposals accept p1');
  expect(without.stderr).toContain('"--cluster-secret-file" is needed too');
  expect(readFileSync(join(folder, 'Plan.md'), 'utf8')).toBe('first\n');
});
