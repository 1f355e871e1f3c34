import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Postgres } from '../src/postgres/connection/postgres.ts';
import { sql } from '../src/postgres/connection/sql.ts';
import { ClusterClient } from '../test/support/cluster-client.ts';
import { freePort } from '../test/support/free-port.ts';
import { treeMemoryMb } from './tree-memory.ts';

const program = fileURLToPath(new URL('../dist/vaultdoor.js', import.meta.url));
const rounds = 40;
const callMs = 60_000;
const notesPerVault = 20;
/** How many vaults are asked once more: a client may make 600 calls in a minute. */
const askedAgain = 100;

/** Where the nodes of the bench keep things. */
export interface NodesPlace {
  readonly folder: string;
  readonly url: string;
  readonly postgres: Postgres;
}

interface Served {
  readonly child: ChildProcess;
  readonly url: string;
}

/** Prints what calls cost through one machine with SQLite, the owner of a vault, and another node. */
export async function measureCalls(place: NodesPlace): Promise<void> {
  await addVaults(place, ['calls']);
  const alone = await serve(place, 'alone', ['--vault', makeVault(join(place.folder, 'alone'))]);
  const nodes = [await startNode(place, 'a'), await startNode(place, 'b')] as const;
  try {
    const clients = [alone, ...nodes].map(({ url }) => new ClusterClient(() => [url], 0));
    for (const client of clients) await client.begin();
    const [single, a, b] = clients as [ClusterClient, ClusterClient, ClusterClient];
    await timeCall(a, 'read_note', { name: 'note 1' });
    const [direct, forwarded] = (await ownerOf(place, 'calls')) === 'a' ? [a, b] : [b, a];
    const ways = { 'SQLite, one machine': single, 'the owner': direct, 'another node': forwarded };
    const times = new Map<string, number[]>();
    for (let round = 0; round < rounds; round++) {
      for (const [way, client] of Object.entries(ways)) {
        const read = await timeCall(client, 'read_note', { name: 'note 1' });
        const made = { name: `${way} ${round}`, content: 'A line.\n'.repeat(75) };
        const write = await timeCall(client, 'create_note', made);
        times.set(`read ${way}`, [...(times.get(`read ${way}`) ?? []), read]);
        times.set(`write ${way}`, [...(times.get(`write ${way}`) ?? []), write]);
      }
    }
    console.log(`Calls over HTTP, median of ${rounds} in turns, ms:`);
    const row = (what: string) => (way: string) => [
      way,
      median(times.get(`${what} ${way}`) ?? []).toFixed(1),
    ];
    console.table({
      'read a note': Object.fromEntries(Object.keys(ways).map(row('read'))),
      'make a note of 600 bytes': Object.fromEntries(Object.keys(ways).map(row('write'))),
    });
  } finally {
    for (const { child } of [alone, ...nodes]) await end(child, 'SIGTERM');
  }
}

/**
 * Prints how long the next change takes after the owner of its vault was killed, or stopped (SIGSTOP),
 * in a cluster whose leases last so long.
 */
export async function measureKills(
  place: NodesPlace,
  { count, leaseMs, how }: { count: number; leaseMs: number; how: 'SIGKILL' | 'SIGSTOP' },
): Promise<void> {
  const vault = `${how} ${leaseMs}`;
  await addVaults(place, [vault]);
  const start = (name: string) => startNode(place, name, [], leaseMs);
  const nodes = new Map([
    ['a', await start('a')],
    ['b', await start('b')],
  ]);
  const times: number[] = [];
  try {
    for (let round = 0; round < count; round++) {
      const client = new ClusterClient(() => [...nodes.values()].map(({ url }) => url), 0);
      await client.begin();
      await timeCall(client, 'create_note', { name: `before ${round}`, content: 'x', vault });
      const owner = (await ownerOf(place, vault)) ?? '';
      const victim = nodes.get(owner);
      if (victim === undefined) throw new Error('Nobody owns the vault.');
      nodes.delete(owner);
      if (how === 'SIGKILL') await end(victim.child, how);
      else victim.child.kill(how);
      const made = { name: `after ${round}`, content: 'x', vault };
      times.push(await timeCall(client, 'create_note', made));
      await end(victim.child, 'SIGKILL');
      nodes.set(owner, await start(owner));
    }
  } finally {
    for (const { child } of nodes.values()) await end(child, 'SIGTERM');
  }
  console.log(
    `The next change after ${how} of the owner, ${count} times, lease ${leaseMs} ms, in ms: ${shown(times)}`,
  );
}

/**
 * Prints what it takes to open many vaults on two nodes, which may keep all of them open. A vault that was
 * not asked for five minutes is closed, which happens to the first ones if there are many.
 */
export async function measureVaults(
  place: NodesPlace,
  { count, notes = notesPerVault }: { readonly count: number; readonly notes?: number },
): Promise<void> {
  const names = Array.from({ length: count }, (_, at) => `many${at}`);
  await addVaults(place, names, notes);
  const args = ['--awake-max', `${count}`];
  const nodes = [await startNode(place, 'a', args), await startNode(place, 'b', args)];
  try {
    const clients = nodes.map(({ url }) => new ClusterClient(() => [url], 0));
    for (const client of clients) await client.begin();
    const before = nodes.map(memoryMb);
    /** Both clients at once, each its half. */
    const search = async (vaults: readonly string[]): Promise<number[]> => {
      const halves = clients.map(async (client, of) => {
        const times: number[] = [];
        for (const vault of vaults.filter((_, at) => at % clients.length === of)) {
          times.push(await timeCall(client, 'search_notes', { query: 'line', vault }));
        }
        return times;
      });
      return (await Promise.all(halves)).flat();
    };
    const times = await search(names);
    const after = nodes.map(memoryMb);
    const row = await place.postgres.get<{ awake: number }>(
      sql`SELECT sum(awake) AS awake FROM node WHERE expires > clock_timestamp()`,
    );
    const open = row?.awake ?? 0;
    const again = await search(names.slice(-askedAgain));
    const grown = sum(after) - sum(before);
    console.log(
      `${count} vaults of ${notes} notes on two nodes: both had ${before.map(rounded).join(' and ')} MB without open vaults, ${after.map(rounded).join(' and ')} MB with ${open} open: ${(grown / open).toFixed(1)} MB each.`,
    );
    console.log(`The first search in a vault, ms: ${shown(times)}; the next: ${shown(again)}`);
  } finally {
    for (const { child } of nodes) await end(child, 'SIGTERM');
  }
}

async function timeCall(client: ClusterClient, name: string, args: object): Promise<number> {
  const start = performance.now();
  const { end: ended, text } = await client.call(name, args, start + callMs);
  if (ended !== 'done') throw new Error(`${name}: ${ended}: ${text}`);
  return performance.now() - start;
}

async function addVaults(
  { folder, postgres }: NodesPlace,
  names: readonly string[],
  notes = notesPerVault,
) {
  await postgres.all(sql`DELETE FROM vault`);
  for (const name of names) {
    const path = makeVault(join(folder, name), notes);
    await postgres.all(sql`INSERT INTO vault (name, path) VALUES (${name}, ${path})`);
  }
}

function makeVault(path: string, notes = notesPerVault): string {
  mkdirSync(path, { recursive: true });
  for (let note = 0; note < notes; note++) {
    writeFileSync(join(path, `note ${note}.md`), `# Note ${note}\n\nA line of [[note 1]].\n`);
  }
  return path;
}

async function ownerOf({ postgres }: NodesPlace, name: string): Promise<string | undefined> {
  const row = await postgres.get<{ node: string }>(
    sql`SELECT node FROM vault WHERE name = ${name}`,
  );
  return row?.node;
}

async function startNode(
  place: NodesPlace,
  name: string,
  args: readonly string[] = [],
  leaseMs?: number,
) {
  const { folder, url } = place;
  const secret = join(folder, 'secret');
  writeFileSync(secret, 'a secret of the bench that has enough characters\n', { mode: 0o600 });
  return serve(
    place,
    name,
    [
      ...['--cluster', url, '--vaults-root', folder, '--cluster-secret-file', secret],
      ...['--node', name, '--node-address', `http://127.0.0.1:${await freePort()}`, ...args],
    ],
    leaseMs,
  );
}

/** Starts the built program with the notes tools, and waits until it listens. */
async function serve(
  { folder }: NodesPlace,
  name: string,
  args: readonly string[],
  leaseMs?: number,
) {
  const home = join(folder, '.homes', name);
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_CACHE_HOME: home,
    XDG_STATE_HOME: home,
    ...(leaseMs === undefined ? {} : { VAULTDOOR_CLUSTER_LEASE_MS: `${leaseMs}` }),
  };
  const words = [program, 'serve', '--port', '0', '--tools', 'notes', ...args];
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said += text;
  });
  for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
    said += text;
    const [url] = /http:\/\/127\S+\/mcp\b/.exec(said) ?? [];
    if (url === undefined || !said.includes('Ctrl-C')) continue;
    child.stdout.resume();
    return { child, url };
  }
  throw new Error(`It did not start: ${said}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.kill(signal);
  await ended;
}

function memoryMb({ child }: Served): number {
  return treeMemoryMb(child.pid ?? 0) ?? Number.NaN;
}

function shown(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): string =>
    rounded(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
  return `median ${at(0.5)}, 95th percentile ${at(0.95)}, from ${at(0)} to ${at(1)}`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function rounded(value: number): string {
  return value.toFixed(0);
}

function sum(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0);
}
