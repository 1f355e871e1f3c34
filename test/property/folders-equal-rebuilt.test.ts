import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IndexKeeper } from '../../src/engine/index/index-keeper.ts';
import { compareIndexes } from '../../src/engine/operations/vault/compare-indexes.ts';
import { SharedWatcher } from '../../src/engine/watch/shared-watcher.ts';
import { openNodeDisk } from '../../src/node/disk/node-disk.ts';
import { openLocalScanner } from '../../src/node/scan/local-scanner.ts';
import { openScanSource } from '../../src/node/scan/scan-source.ts';
import { nodeClock } from '../../src/node/system/node-ports.ts';
import { type VaultWatch, watchVault } from '../../src/node/watch/watch-vault.ts';
import { openSqliteIndex } from '../../src/sqlite/index/sqlite-index-store.ts';
import { counted, soakTime } from '../support/counts.ts';
import { tempFolder, writeFiles } from '../support/temp-folder.ts';

// Promise 1, for folders: whatever is made, moved, replaced, removed and linked on a real disk, the
// index that heard of it from the real watcher equals one built from scratch.

const folder = fc.constantFrom('A', 'B', 'A/C', 'A/C/D', 'B/C', 'E.md');
const file = fc
  .tuple(folder, fc.constantFrom('n.md', 'm.md', 'p.png'))
  .map((parts) => parts.join('/'));
const anything = fc.oneof(folder, file);
const text = fc.constantFrom('[[n]] #one', '[[C/n]] [[m]]', '[[E]] ![[p.png]]', 'words');

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('write' as const), to: file, text }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('write' as const), to: folder, text }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('move' as const), from: folder, to: folder }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('move' as const), from: file, to: anything }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), to: anything }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('link' as const),
      to: folder,
      target: fc.constantFrom('outside', 'outside/deep', 'vault/A'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Does one thing to the vault, if the system lets it. */
function carryOut(base: string, change: Step): void {
  if (change.do === 'settle') return;
  const to = join(base, 'vault', change.to);
  try {
    if (change.do === 'remove') rmSync(to, { recursive: true });
    else {
      mkdirSync(dirname(to), { recursive: true });
      if (change.do === 'write') writeFileSync(to, change.text);
      else if (change.do === 'link') symlinkSync(join(base, change.target), to);
      else renameSync(join(base, 'vault', change.from), to);
    }
  } catch {
    // A folder is in the way, or nothing is there: then nothing happens.
  }
}

function openVault(base: string) {
  const root = join(base, 'vault');
  const allowRoots = [join(base, 'outside')];
  const ports = {
    disk: openNodeDisk(root, { allowRoots }),
    scanner: openLocalScanner({ source: openScanSource(root, { allowRoots }), clock: nodeClock }),
    clock: nodeClock,
    timers: {
      after: (ms: number, call: () => void) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
    },
    openStore: () => openSqliteIndex({ file: ':memory:' }),
  };
  let watch: VaultWatch | undefined;
  const watcher = new SharedWatcher({
    start: async (listener) => {
      watch = watchVault({ root, allowRoots, poll: false }, listener);
    },
    flush: async () => watch?.flush(),
    close: async () => watch?.close(),
  });
  return {
    keeper: new IndexKeeper({ ...ports, watcher }),
    rebuilt: () => new IndexKeeper(ports),
    watcher,
  };
}

it('holds after any folders were made, moved, removed and linked', {
  timeout: soakTime(240_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
      const base = tempFolder({ 'outside/deep/n.md': '#out', 'outside/m.md': '[[n]]' });
      writeFiles(join(base, 'vault'), { 'A/n.md': '[[m]]', 'A/C/m.md': '#one', 'B/p.png': '' });
      const { keeper, rebuilt, watcher } = openVault(base);
      try {
        await keeper.settle();
        for (const change of steps) {
          carryOut(base, change);
          if (change.do === 'settle') await keeper.settle();
        }
        await keeper.settle();
        const scratch = rebuilt();
        await scratch.settle();
        expect(await compareIndexes(await keeper.store(), await scratch.store())).toEqual([]);
        await (await scratch.store()).close();
      } finally {
        await watcher.close();
        await keeper.close();
        rmSync(base, { recursive: true, force: true });
      }
    }),
    { numRuns: counted({ quick: 30, full: 60, soak: 1_000 }) },
  );
});
