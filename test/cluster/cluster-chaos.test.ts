import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { undoChanges } from '../../src/engine/operations/history/undo-changes.ts';
import { nodeHash } from '../../src/node/system/node-ports.ts';
import { sql } from '../../src/postgres/connection/sql.ts';
import { openPostgresState } from '../../src/postgres/state/postgres-state-store.ts';
import { ClusterClient } from '../support/cluster-client.ts';
import { type ClusterProcess, clusterNodes, type TestCluster } from '../support/cluster-nodes.ts';
import { counted, soakTime } from '../support/counts.ts';
import { type CutProxy, startCutProxy } from '../support/cut-proxy.ts';
import { type Intruder, startIntruders } from '../support/intruders.ts';
import { runCli } from '../support/run-cli.ts';
import { openOwned } from '../support/vault-owner.ts';
import { testCaller } from '../support/written-vault.ts';

const newCluster = clusterNodes();
const leaseMs = 1_500;
const vaultNames = ['red', 'green', 'blue'];
const clientsCount = 20;
const firstNotes: Readonly<Record<string, string>> = {
  'Shared.md': '',
  ...Object.fromEntries(Array.from({ length: clientsCount }, (_, nr) => [`Own ${nr}.md`, ''])),
};

/** Numbers from a seed, so that a run can be repeated as far as time allows. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What the clients know of their lines: where each should be, or that this is not known. */
interface Known {
  /** The vault and the note of lines that must be there. */
  readonly there: Map<string, { readonly vault: string; readonly note: string }>;
  /** Lines that must not be there: their change was refused, or their note deleted. */
  readonly gone: Set<string>;
  readonly counts: Map<string, number>;
}

it('no confirmed change is lost or made twice while nodes are killed, stopped, drained and cut off', {
  timeout: soakTime(600_000),
}, async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  const random = randomFrom(seed);
  const cluster = await newCluster();
  for (const name of vaultNames) await cluster.addVault(name, firstNotes);
  const nodes = new Map<string, ClusterProcess>();
  const ways = new Map<string, CutProxy>();
  for (const name of ['a', 'b', 'c']) {
    const way = await startCutProxy(cluster.server().url);
    ways.set(name, way);
    nodes.set(name, await cluster.start(name, { leaseMs, url: way.url }));
  }
  const urls = () => [...nodes.values()].map(({ program }) => program.url);

  const known: Known = { there: new Map(), gone: new Set(), counts: new Map() };
  const clients = Array.from({ length: clientsCount }, (_, nr) => new ClusterClient(urls, nr));
  for (const client of clients) await client.begin();
  // From now on the folder has gates.
  await clients[0]?.call('read_note', { vault: 'red', name: 'Shared' }, performance.now() + 60_000);
  const intruders = await startIntruders(join(cluster.root, 'red'));
  const endMs = performance.now() + counted({ quick: 15_000, full: 40_000, soak: 600_000 });
  const intruding = intrude(intruders, endMs);
  const working = Promise.all(clients.map((client, nr) => work({ nr, client, known, endMs })));
  const events = await disturb({ cluster, nodes, ways, random, endMs });
  await working;
  const intrusions = await intruding;
  console.info(`seed ${seed}: ${JSON.stringify([events, { intrusions }, ...known.counts])}`);
  await Promise.all([...nodes.values()].map(({ program }) => program.stop()));
  expect(known.there.size).toBeGreaterThan(clientsCount);
  for (const name of vaultNames) await checkVault(cluster, name, known);
  await Promise.all([...nodes.values()].map(({ program }) => checkIndex(cluster, program.env)));
  for (const name of vaultNames) await undoAll(cluster, name);
});

/** One client: appends lines to its own note and to a shared one; makes, renames and deletes notes. */
async function work({
  nr,
  client,
  known,
  endMs,
}: {
  readonly nr: number;
  readonly client: ClusterClient;
  readonly known: Known;
  readonly endMs: number;
}): Promise<void> {
  const vault = vaultNames[nr % vaultNames.length] ?? '';
  const call = async (name: string, args: object) => {
    const { end, text } = await client.call(name, { vault, ...args }, endMs + 60_000);
    const reason = end === 'done' ? end : `${end}: ${text.replaceAll(/\d+/g, '#').slice(0, 400)}`;
    known.counts.set(reason, (known.counts.get(reason) ?? 0) + 1);
    return end;
  };
  for (let count = 0; performance.now() < endMs; count++) {
    const line = `line ${nr}.${count}.`;
    if (count % 4 < 3) {
      const note = count % 4 === 0 ? 'Shared' : `Own ${nr}`;
      const end = await call('append_note', { name: note, text: line });
      if (end === 'done') known.there.set(line, { vault, note });
      if (end === 'refused') known.gone.add(line);
    } else {
      const [first, second] = [`New ${nr} ${count}`, `Moved ${nr} ${count}`];
      const made = await call('create_note', { name: first, content: line });
      if (made === 'refused') known.gone.add(line);
      if (made !== 'done') continue;
      const moved = await call('rename_note', { old_name: first, new_name: second });
      if (moved === 'done') known.there.set(line, { vault, note: second });
      if (moved === 'refused') known.there.set(line, { vault, note: first });
      if (moved !== 'done' || count % 8 === 3) continue;
      const deleted = await call('delete_note', { name: second });
      if (deleted !== 'refused') known.there.delete(line);
      if (deleted === 'done') known.gone.add(line);
    }
    await pause(100);
  }
}

/** Kills, stops, drains, restarts, cuts off and slows down until the time is over. */
async function disturb({
  cluster,
  nodes,
  ways,
  random,
  endMs,
}: {
  readonly cluster: TestCluster;
  readonly nodes: Map<string, ClusterProcess>;
  /** How each node reaches PostgreSQL. */
  readonly ways: ReadonlyMap<string, CutProxy>;
  readonly random: () => number;
  readonly endMs: number;
}): Promise<Readonly<Record<string, number>>> {
  /** One of each kind first. */
  const first = [0.6, 0.05, 0.3, 0.47, 0.38, 0.53, 0.9];
  const events = { kill: 0, stop: 0, drain: 0, cut: 0, silence: 0, delay: 0, postgres: 0 };
  while (performance.now() < endMs - 5_000) {
    await pause(500 + random() * 1_500);
    const [name, node] = [...nodes][Math.floor(random() * nodes.size)] ?? [];
    if (name === undefined || node === undefined) continue;
    const way = ways.get(name);
    const dice = first.shift() ?? random();
    const awhile = leaseMs * (0.2 + random() * 2.8);
    if (dice < 0.1) {
      events.postgres += 1;
      await cluster.server().restart();
    } else if (dice < 0.35) {
      events.stop += 1;
      node.kill('SIGSTOP');
      await pause(awhile);
      node.kill('SIGCONT');
    } else if (dice < 0.55) {
      const event = dice < 0.42 ? 'silence' : dice < 0.49 ? 'cut' : 'delay';
      events[event] += 1;
      if (event === 'cut') way?.cut();
      else if (event === 'silence') way?.silence();
      else way?.delay(random() * 3_000);
      await pause(awhile);
      way?.delay(0);
      way?.mend();
    } else {
      const isKilled = dice < 0.85;
      events[isKilled ? 'kill' : 'drain'] += 1;
      nodes.delete(name);
      await node.program.stop(isKilled ? 'SIGKILL' : 'SIGTERM');
      const url = way?.url ?? cluster.server().url;
      const start = () => cluster.start(name, { leaseMs, url });
      // As systemd does: on a busy machine PostgreSQL may not answer in time for a lease this short.
      nodes.set(name, await start().catch(start).catch(start));
    }
  }
  return events;
}

/** Tries to write beside the nodes until the time is over; answers how often that was refused. */
async function intrude(intruders: readonly Intruder[], endMs: number): Promise<number> {
  let count = 0;
  while (performance.now() < endMs) {
    for (const { name, write } of intruders) {
      expect(`${name}: ${await write()}`).toContain('A cluster serves the vaults');
      count += 1;
    }
    await pause(1_000);
  }
  return count;
}

/** Takes a vault over in this process, once all nodes have ended, and recovers it. */
async function takeVault(cluster: TestCluster, name: string) {
  const postgres = cluster.postgres();
  const row = await postgres.get<{ id: number; epoch: number }>(sql`
    UPDATE vault SET epoch = epoch + 1, node = NULL WHERE name = ${name} RETURNING id, epoch`);
  if (row === undefined) throw new Error(`There is no vault "${name}".`);
  const claim = { vault: row.id, epoch: row.epoch };
  const folder = join(cluster.root, name);
  const gates = join(cluster.root, '.vaultdoor', 'gates', `${row.id}`);
  const owned = await openOwned(postgres, { folder, gates, ...claim });
  await owned.whole.writer.recover(new AbortController().signal);
  return { owned, gates, folder, epoch: row.epoch, state: openPostgresState(postgres, claim) };
}

/** That the index which a node has kept equals one that is built anew. */
async function checkIndex(cluster: TestCluster, env: Readonly<Record<string, string>>) {
  for (const name of vaultNames) {
    const check = await runCli(['check', '--vault', join(cluster.root, name)], env);
    expect(check).toMatchObject({ code: 0, stdout: expect.stringContaining('index equals') });
  }
}

/** That undoing everything brings back every byte. */
async function undoAll(cluster: TestCluster, name: string): Promise<void> {
  const { owned, folder, state } = await takeVault(cluster, name);
  const { total } = await state.changes({}, { limit: 1, offset: 0 });
  await owned.whole
    .bind(testCaller({ deadlineMs: 300_000 }), { tool: 'test', args: {}, raw: true })
    .change(undoChanges, { last: total });
  await owned.close();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const texts = files.map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]);
  expect(Object.fromEntries(texts)).toEqual(firstNotes);
}

/** That the files, the history and what the clients know agree. */
async function checkVault(cluster: TestCluster, name: string, known: Known): Promise<void> {
  const { owned, folder, gates, epoch, state } = await takeVault(cluster, name);
  await owned.close();
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => file.endsWith('.tmp'))).toEqual([]);
  const lines = new Map<string, string[]>();
  const notes = files.filter((file) => file.endsWith('.md') && !file.startsWith('.trash'));
  for (const file of notes) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      if (line !== '') lines.set(line, [...(lines.get(line) ?? []), file.replace('.md', '')]);
    }
  }
  const expected = [...known.there].filter(([, { vault }]) => vault === name);
  const wrong = expected.flatMap(([line, { note }]) => {
    const found = (lines.get(line) ?? []).join();
    return found === note ? [] : [`${line} is in "${found}", not in "${note}"`];
  });
  expect(wrong).toEqual([]);
  expect([...known.gone].filter((line) => lines.has(line))).toEqual([]);
  expect([...lines].filter(([, found]) => found.length > 1)).toEqual([]);
  expect([...lines.keys()].filter((line) => line.includes('intruder'))).toEqual([]);

  expect(await state.unfinished()).toEqual([]);
  expect(readdirSync(gates)).toEqual([`e${epoch}`]);
  expect(readdirSync(join(gates, `e${epoch}`))).toEqual([]);
  const { items } = await state.changes({}, { limit: 100_000, offset: 0 });
  for (const file of notes) {
    const newest = items
      .flatMap(({ steps }) => steps.toReversed())
      .find((step) => ('to' in step ? step.to : step.path) === file);
    const after = newest?.do === 'write' ? newest.after : newest?.do === 'move' && newest.version;
    if (after) expect(nodeHash.version(readFileSync(join(folder, file)))).toBe(after);
  }
}
