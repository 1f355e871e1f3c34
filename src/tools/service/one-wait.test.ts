import { expect, it } from 'vitest';
import { z } from 'zod';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { openWrittenVault, testCaller } from '../../../test/support/written-vault.ts';
import { limits } from '../../base/limits.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import { defineTool } from '../define/define-tool.ts';
import { createService } from './service.ts';

it('the time that finding the vault takes is part of the wait for the index', async () => {
  const vaults = await Promise.all([
    openWrittenVault({}),
    openWrittenVault({ 'Only home.md': '' }),
  ]);
  let nowMs = 0;
  const sources = vaults.map(
    (vault, number): VaultSource => ({
      name: `Vault ${number}`,
      clock: { nowMs: () => nowMs },
      open: async () => {
        if (number === 0) nowMs += 3_000;
        return vault.whole;
      },
    }),
  );
  const waits = defineTool({
    name: 'waits',
    title: 'Waits',
    description: 'Tells how long it may wait.',
    effect: 'read',
    input: z.object({ name: z.string() }),
    existing: 'name',
    output: z.object({ ms: z.number().optional() }),
    record: [],
    run: async ({ caller }) => ({ ms: caller.indexWaitMs }),
  });
  const voice = {
    result: (_: unknown, value: unknown) =>
      [{ type: 'text', text: JSON.stringify(value) }] as const,
    failure: () => [],
  };
  const service = createService(
    sources,
    [{ name: 'agent', tools: [waits], voice }],
    manualTimers(),
  );
  const { indexWaitMs: _, ...caller } = testCaller({ deadlineMs: 30_000 });
  const outcome = await service.call('waits', { name: 'Only home' }, caller);
  expect(outcome).toMatchObject({ ok: true, value: { ms: limits.indexWaitMs - 3_000 } });
  await Promise.all(vaults.map((vault) => vault.close()));
});
