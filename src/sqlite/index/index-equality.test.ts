import fc from 'fast-check';
import { expect, it } from 'vitest';
import { counted } from '../../../test/support/counts.ts';
import { dumpOf } from '../../../test/support/index-records.ts';
import {
  contents,
  settle,
  step,
  take,
  Vault,
  vaultOf,
} from '../../../test/support/random-index-changes.ts';
import { fileNameOf, foldName } from '../../base/vault-path.ts';
import { resolveLink } from '../../engine/links/resolve-link.ts';
import type { IndexStore } from '../../engine/ports/index-store.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { openSqliteIndex } from './sqlite-index-store.ts';

const everything = { limit: 1_000, offset: 0 };

/** Every link leads where the pure resolver says, from the names that are there now. */
async function expectLinksResolved(store: IndexStore): Promise<void> {
  const request = { ...everything, folder: '' as const, sort: 'path' as const };
  const kinds = ['note', 'canvas', 'base', 'attachment'] as const;
  const { items: files } = await store.files(wholeVault, { ...request, kinds });
  const byName = (name: string) => files.filter((file) => foldName(fileNameOf(file.path)) === name);
  const found: string[] = [];
  const missing: string[] = [];
  for (const { path: source } of files) {
    for (const link of await store.linksFrom(wholeVault, source)) {
      expect(link.target).toBe(resolveLink({ path: link.path, source }, byName)?.path);
      if (link.target === undefined) missing.push(link.path);
      else found.push(`${source} > ${link.target}`);
    }
  }
  const backwards: string[] = [];
  for (const { path } of files) {
    const { items, total } = await store.linksTo(wholeVault, path, everything);
    expect(items.length).toBe(total);
    for (const { source } of items) backwards.push(`${source} > ${path}`);
  }
  expect(backwards.sort()).toEqual(found.sort());
  const { items } = await store.unresolved(wholeVault, everything);
  expect(items.reduce((sum, { count }) => sum + count, 0)).toBe(missing.length);
}

it('holds the same after any sequence of changes as when built from scratch', async () => {
  await fc.assert(
    fc.asyncProperty(
      contents,
      fc.array(step, { maxLength: 12 }),
      vaultOf,
      async (drawn, steps, last) => {
        const vault = new Vault(drawn);
        const kept = await openSqliteIndex({ file: ':memory:' });
        const fresh = await openSqliteIndex({ file: ':memory:' });
        try {
          for (const [at, taken] of steps.entries()) {
            await take(kept, vault, taken, at);
            await expectLinksResolved(kept);
          }
          await settle(kept, vault, last, steps.length);
          await settle(fresh, vault, last, 0);
          expect(await dumpOf(kept)).toEqual(await dumpOf(fresh));
        } finally {
          await kept.close();
          await fresh.close();
        }
      },
    ),
    { numRuns: counted({ quick: 30, full: 60, soak: 1_000 }) },
  );
});

it('holds something else for another vault', async () => {
  const vault = new Vault({ 'A.md,1': ['B'], 'A.md,2': ['a'] });
  const file = { path: 'A.md', revision: 1, present: true };
  const dumps = await Promise.all(
    [file, { ...file, revision: 2 }, { ...file, path: 'B.md' }].map(async (held) => {
      const store = await openSqliteIndex({ file: ':memory:' });
      await settle(store, vault, [held], 0);
      const lines = await dumpOf(store);
      await store.close();
      return lines.join('\n');
    }),
  );
  expect(new Set(dumps).size).toBe(3);
});
