import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { allScopes } from '../src/base/caller.ts';
import { openVault } from '../src/cli/vaults/compose.ts';
import type { Vault } from '../src/engine/open/vault.ts';
import { wholeVault } from '../src/engine/ports/view.ts';
import { SharedThreads } from '../src/node/threads/shared-threads.ts';
import { treeMemoryMb } from './tree-memory.ts';

/** The resident memory of one process with some vaults, in megabytes. */
export interface VaultsMemory {
  /** All vaults are asked in turns, and none sleeps. */
  readonly awakeMb: number;
  /** All sleep. */
  readonly asleepMb: number;
  /** Five are asked, the others sleep. */
  readonly fiveInUseMb: number;
}

const sleepMs = 3_000;
/** Long enough for threads that have nothing to do to end. */
const settleMs = 16_000;

const program = fileURLToPath(new URL('../dist/vaultdoor.js', import.meta.url));

/** Opens vaults in this process, and prints their `VaultsMemory`. Arguments: a home, and folders. */
export async function main([home = '', ...folders]: readonly string[]): Promise<void> {
  const threads = new SharedThreads();
  const env = { XDG_CACHE_HOME: `${home}/cache`, XDG_STATE_HOME: `${home}/state` };
  const vaults = folders.map((path, at) =>
    openVault({ name: `v${at}`, path }, { entryFile: program, env, watch: true, threads, sleepMs }),
  );
  for (const vault of vaults) await ask(vault);
  const awakeMb = await whileAsked(vaults);
  await setTimeout(settleMs);
  const asleepMb = memory();
  const fiveInUseMb = await whileAsked(vaults.slice(0, 5));
  console.log(JSON.stringify({ awakeMb, asleepMb, fiveInUseMb } satisfies VaultsMemory));
  process.exit();
}

/** The memory while these vaults are asked again and again, after threads that are idle have ended. */
async function whileAsked(vaults: readonly Vault[]): Promise<number> {
  const endMs = performance.now() + settleMs;
  while (performance.now() < endMs) {
    for (const vault of vaults) await ask(vault);
    await setTimeout(sleepMs / 3);
  }
  return memory();
}

async function ask(vault: Vault): Promise<void> {
  const end = vault.use();
  const { signal } = new AbortController();
  const caller = { door: 'cli', scopes: allScopes, signal, deadlineMs: 300_000 } as const;
  const waiting = { ...caller, indexWaitMs: 300_000 };
  try {
    await vault.bind(waiting).ask('text', async (store) => {
      const page = { limit: 10, offset: 0 };
      await store.search(wholeVault, { kind: 'text', text: 'note', quoted: false }, page);
      await store.tags(wholeVault);
      await store.named(wholeVault, { ...page, query: 'a', match: 'partial' });
    });
  } finally {
    end();
  }
}

function memory(): number {
  return treeMemoryMb(process.pid) ?? Number.NaN;
}
