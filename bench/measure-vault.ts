import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchProgram, vaultdoor, vaultdoorTags } from './bench-programs.ts';
import type { VaultFigures } from './bench-rows.ts';
import { restoreWorld, type World } from './bench-world.ts';
import { measureCommands } from './measure-commands.ts';
import type { StartFigures } from './measure-index.ts';
import type { Limits } from './measure-limits.ts';
import { measureBareSearch, measureLines } from './measure-lines.ts';
import { measureLogReads } from './measure-log-reads.ts';
import { type Figures, measureProgram, measureSpawns, median } from './measure-program.ts';
import { replacePlainly } from './replace-plainly.ts';
import { runMeasurement } from './run-measurement.ts';
import { ServerClient } from './server-client.ts';
import { bareNodeCommand } from './stdio-client.ts';

const spawns = 7;

export interface BenchOptions {
  readonly peers: readonly BenchProgram[];
  /** Prints what is being measured, because a run takes a while. */
  readonly say: (what: string) => void;
}

/** Measures everything on one vault: the limits, Vaultdoor, then each peer. */
export async function measureVault(world: World, options: BenchOptions): Promise<VaultFigures> {
  const cache = mkdtempSync(join(tmpdir(), 'vaultdoor-bench-cache-'));
  try {
    return await measureWith(cache, world, options);
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

async function measureWith(
  cache: string,
  world: World,
  { peers, say }: BenchOptions,
): Promise<VaultFigures> {
  const { folder, notes } = world;
  say('measuring the limits');
  const bounds = runMeasurement<Limits>('measure-limits.ts', [folder]);
  const texts = world.queries.map(({ text }) => text);
  const rgMs = await measureBareSearch(folder, texts);
  const lines = await measureLines(folder, texts[0] ?? '');
  const writeMs = median(world.referrers.slice(0, 15).map((path) => rewriteMs(folder, [path])));
  const manyMs = median([1, 2, 3].map(() => rewriteMs(folder, [world.append, ...world.referrers])));
  say('measuring vaultdoor');
  const cold = runMeasurement<StartFigures>('measure-index.ts', [folder, cache]);
  const second = runMeasurement<StartFigures>('measure-index.ts', [folder, cache]);
  const ours = vaultdoor(cache);
  const figures = {
    ...(await measureProgram(vaultdoorTags(cache), world)),
    ...(await measureProgram(ours, world)),
  };
  const logged = await measureLogReads(world, cache);
  const others: Record<string, { figures: Figures; instead: readonly string[] }> = {};
  for (const peer of peers) {
    say(`measuring ${peer.name}`);
    const instead = Object.entries(peer.asks).filter(([, ask]) => ask.instead);
    others[peer.name] = {
      figures: await measureProgram(peer, world),
      instead: instead.map(([question]) => question),
    };
  }
  say('measuring how long each program takes to start');
  const starts = [ours, ...peers].map(({ command }) => command(folder));
  const [bareStart, ourStart, ...peerStarts] = await measureSpawns(
    [bareNodeCommand, ...starts],
    spawns,
  );
  for (const [n, { figures: theirs }] of Object.values(others).entries()) {
    Object.assign(theirs, peerStarts[n]);
  }
  const bareMs = bareStart?.spawn;
  const commands = await measureCommands(world, cache);
  restoreWorld(folder);
  const { bareMs: bareRunMs, alone, served } = commands;
  const bareMb = await bareMemory();
  return {
    notes,
    ours: {
      ...figures,
      ...ourStart,
      readLogged: logged.withMs,
      lines: lines.oursMs,
      coldFacts: cold.factsMs,
      coldText: cold.textMs,
      second: second.textMs,
      readAlone: alone.read,
      appendAlone: alone.append,
      searchAlone: alone.search,
      readServed: served.read,
      appendServed: served.append,
      searchServed: served.search,
      loop: cold.loopMaxMs,
      peak: cold.peakMb,
    },
    peers: others,
    limits: {
      ...(typeof bareMs === 'number' ? { spawn: bareMs, spawnList: bareMs } : {}),
      readAlone: bareRunMs,
      appendAlone: bareRunMs,
      searchAlone: bareRunMs,
      readServed: bareRunMs,
      appendServed: bareRunMs,
      searchServed: bareRunMs,
      readLogged: logged.withoutMs,
      searchFirst: rgMs,
      search: rgMs,
      lines: lines.bareMs,
      append: writeMs,
      rename: manyMs,
      coldFacts: bounds.readMs,
      coldText: bounds.readMs,
      second: bounds.walkMs,
      ...(bareMb === undefined ? {} : { memoryIdle: bareMb, memoryAfter: bareMb }),
    },
  };
}

/** The time to rewrite files one after the other, as safely as Vaultdoor does. */
function rewriteMs(folder: string, paths: readonly string[]): number {
  const began = performance.now();
  for (const path of paths) replacePlainly(join(folder, path), readFileSync(join(folder, path)));
  return performance.now() - began;
}

async function bareMemory(): Promise<number | undefined> {
  const client = new ServerClient(bareNodeCommand);
  await client.greet();
  const memory = client.memoryMb();
  await client.end();
  return memory;
}
