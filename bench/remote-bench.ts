import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { RemoteWire, request } from '../test/support/remote-wire.ts';
import { printTable } from './print-table.ts';

// `npm run bench:remote` measures calls of the remote protocol from request to answer. It asks the
// daemon and a bare socket server (bench/bare-socket-server.ts), which makes the same system calls
// and checks nothing, in turns in one run. The aim is that the daemon takes at most twice as long.
//
// For orientation only, the first public daemon, written in Go, was measured on another machine:
// 0.05 ms for a stat, 0.10 ms for a read of 4 KiB, 0.26 ms for a write of 4 KiB without any fsync,
// 0.23 ms for an append with one fsync, 226 ms for a read of 10 MiB, 38 to 81 ms for a walk of
// 10,100 entries, 24,000 pipelined stats per second, and 13 MB of memory.

const root = fileURLToPath(new URL('..', import.meta.url));
const notes = 10_000;
const folders = 100;
const page = 'x'.repeat(4_096);

interface Peer {
  readonly name: string;
  readonly child: ChildProcess;
  readonly wire: RemoteWire;
  /** The memory before the first question. */
  readonly startKiB: number;
}

/** A call that is measured, and how often it is made in each turn. */
interface Question {
  readonly what: string;
  readonly times: number;
  readonly ask: (wire: RemoteWire, n: number) => Promise<unknown>;
}

/** Files that grow, in bytes. The second stays below the size from which on an append is in place. */
const growing: Readonly<Record<string, number>> = {
  '4 KiB': 4_096,
  '1 MiB': 1024 * 1024 - 64 * 1024,
  '10 MiB': 10 * 1024 * 1024,
  '40 MiB': 40 * 1024 * 1024,
};
const growingAt = (size: string): string => `grows from ${size}.log`;

/** Counts up, so that every new file has a new name and every write has new content. */
let fresh = 0;

const questions: readonly Question[] = [
  { what: 'stat', times: 200, ask: (wire, n) => wire.result('fs.stat', { path: noteAt(n) }) },
  {
    what: 'read 4 KiB',
    times: 200,
    ask: (wire, n) => wire.result('fs.readBinary', { path: noteAt(n) }),
  },
  {
    what: 'write 4 KiB, new',
    times: 30,
    ask: (wire) => wire.result('fs.write', { path: `new/${++fresh}.md`, content: page }),
  },
  {
    what: 'write 4 KiB, over',
    times: 30,
    ask: (wire, n) => wire.result('fs.write', { path: noteAt(n), content: `${++fresh}${page}` }),
  },
  {
    what: 'append',
    times: 30,
    ask: (wire, n) => wire.result('fs.append', { path: noteAt(n), content: 'A line.\n' }),
  },
  // The bare server only opens these with O_APPEND, writes and makes one fsync.
  ...Object.keys(growing).map((size) => ({
    what: `append to ${size}`,
    times: 10,
    ask: (wire: RemoteWire) =>
      wire.result('fs.appendBinary', { path: growingAt(size), contentBase64: 'QSBsaW5lLgo=' }),
  })),
  {
    what: `walk of ${notes} notes`,
    times: 2,
    ask: (wire) => wire.result('fs.walk', { path: '', recursive: true }),
  },
  {
    what: 'read 10 MiB',
    times: 2,
    ask: (wire) => wire.result('fs.readBinary', { path: 'large.bin' }),
  },
];

const noteAt = (n: number): string => `folder ${n % folders}/note ${n % notes}.md`;

function makeVault(folder: string): void {
  for (let n = 0; n < folders; n++) mkdirSync(join(folder, `folder ${n}`), { recursive: true });
  mkdirSync(join(folder, 'new'));
  for (let n = 0; n < notes; n++) writeFileSync(join(folder, noteAt(n)), page);
  for (const [size, bytes] of Object.entries(growing)) {
    writeFileSync(join(folder, growingAt(size)), Buffer.alloc(bytes, 'data'));
  }
  writeFileSync(join(folder, 'large.bin'), Buffer.alloc(10 * 1024 * 1024, 'data'));
}

async function started(name: string, base: string): Promise<Peer> {
  const home = join(base, name);
  const [vault, socket] = [join(home, 'vault'), join(home, 's.sock')];
  const tokenFile = join(home, 'token');
  makeVault(vault);
  const args =
    name === 'daemon'
      ? [
          'dist/vaultdoor.js',
          'daemon',
          ...[`--vault-root=${vault}`, `--socket=${socket}`, `--token-file=${tokenFile}`],
        ]
      : ['scripts/run-ts.mjs', 'bench/bare-socket-server.ts', socket, vault, join(home, 'record')];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home },
    stdio: 'ignore',
  });
  const sign = name === 'daemon' ? tokenFile : socket;
  while (!existsSync(sign)) {
    if (child.exitCode !== null)
      throw new Error(`The ${name} server has ended. Run "npm run build" first.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const wire = await RemoteWire.connect(socket);
  const token = existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8') : '';
  await wire.result('auth', { token });
  return { name, child, wire, startKiB: memoryKiB(child) };
}

function memoryKiB({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** How many stats per second are answered if the client does not wait for each answer. */
async function pipelined(wire: RemoteWire): Promise<number> {
  const ids = Array.from({ length: 5_000 }, (_, n) => n);
  const asked = ids.map((id) => request(id, 'fs.stat', { path: noteAt(id) }));
  const start = performance.now();
  wire.send(...asked);
  await wire.until(() => (wire.frames.length === ids.length ? true : undefined));
  const rate = (1_000 * ids.length) / (performance.now() - start);
  wire.frames.length = 0;
  return rate;
}

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

type Figures = Map<string, number[]>;

function note(figures: Figures, what: string, value: number): void {
  figures.set(what, [...(figures.get(what) ?? []), value]);
}

/** Makes one turn: asks one server every question. */
async function turn({ wire }: Peer, figures: Figures, round: number): Promise<void> {
  for (const { what, times, ask } of questions) {
    for (let n = 0; n < times; n++) {
      const start = performance.now();
      await ask(wire, round * times + n);
      note(figures, what, performance.now() - start);
    }
  }
  note(figures, rate, await pipelined(wire));
}

const rate = 'pipelined stats per second';
const shown = (value: number): string => value.toFixed(value < 10 ? 3 : value < 100 ? 1 : 0);

export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: '7' } },
  });
  const base = mkdtempSync(join(tmpdir(), 'vaultdoor-bench-'));
  const peers: Peer[] = [];
  try {
    for (const name of ['daemon', 'bare']) peers.push(await started(name, base));
    const figures = peers.map((): Figures => new Map());
    const warm = peers.map((): Figures => new Map());
    for (let round = 0; round <= Number(values.rounds); round++) {
      // The first turn is not counted, because it starts threads. The servers take turns to go
      // first, so that neither has an advantage.
      for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) {
        await turn(
          peers[at] as Peer,
          ((round === 0 ? warm : figures)[at] ?? new Map()) as Figures,
          round,
        );
      }
    }
    print(peers, figures);
  } finally {
    for (const { wire, child } of peers) {
      wire.destroy();
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('close', resolve));
    }
    rmSync(base, { recursive: true, force: true });
  }
}

function print(peers: readonly Peer[], [daemon, bare]: readonly Figures[]): void {
  const rows = [...questions.map(({ what }) => what), rate].map((what) => {
    const [ours, floor] = [daemon, bare].map((figures) => middle(figures?.get(what) ?? []));
    const times = what === rate ? (floor ?? 0) / (ours ?? 1) : (ours ?? 0) / (floor ?? 1);
    const name = what === rate ? what : `${what}, ms`;
    return [name, shown(ours ?? 0), shown(floor ?? 0), `${times.toFixed(1)}x`] as const;
  });
  const memory = (name: string, of: (peer: Peer) => number) => {
    const [ours = 0, floor = 0] = peers.map((peer) => of(peer) / 1024);
    return [
      `memory ${name}, MiB`,
      shown(ours),
      shown(floor),
      `${(ours / floor).toFixed(1)}x`,
    ] as const;
  };
  rows.push(memory('at the start', ({ startKiB }) => startKiB));
  rows.push(memory('at the end', ({ child }) => memoryKiB(child)));
  printTable({
    daemon: Object.fromEntries(rows.map(([what, ours]) => [what, ours])),
    'bare server': Object.fromEntries(rows.map(([what, , floor]) => [what, floor])),
    'times bare': Object.fromEntries(rows.map(([what, , , times]) => [what, times])),
  });
}
