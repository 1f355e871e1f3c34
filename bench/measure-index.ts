import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { openVault } from '../src/cli/vaults/compose.ts';

/** The figures of one start of the whole program, with all its threads, on a vault. */
export interface StartFigures {
  /** The time until links, tags and names can be asked for. */
  readonly factsMs: number;
  /** The time until the full text can be searched. */
  readonly textMs: number;
  readonly peakMb: number;
  /** The longest time for which the main thread was blocked. */
  readonly loopMaxMs: number;
}

/** Opens a vault, waits until it is indexed, and closes it. The index is kept in `cache`. */
export async function measureStart(folder: string, cache: string): Promise<StartFigures> {
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const alive = setInterval(() => undefined, 1_000);
  const start = performance.now();
  const vault = openVault(
    { name: 'bench', path: folder },
    {
      entryFile: fileURLToPath(new URL('../dist/vaultdoor.js', import.meta.url)),
      env: { ...process.env, XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache },
      watch: false,
    },
  );
  await vault.parts.keeper.wait('facts', { waitMs: 3_600_000 });
  const factsMs = performance.now() - start;
  await vault.parts.keeper.wait('text', { waitMs: 3_600_000 });
  const textMs = performance.now() - start;
  loop.disable();
  await vault.close();
  clearInterval(alive);
  return {
    factsMs,
    textMs,
    peakMb: process.resourceUsage().maxRSS / 1024,
    loopMaxMs: loop.max / 1e6,
  };
}

export async function main([folder = '', cache = '']: readonly string[]): Promise<void> {
  console.log(JSON.stringify(await measureStart(folder, cache)));
}
