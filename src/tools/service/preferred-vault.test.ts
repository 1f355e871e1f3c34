import { expect, it } from 'vitest';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { openWrittenVault, testCaller } from '../../../test/support/written-vault.ts';
import { textsOf } from '../define/outcome.ts';
import { notesToolset } from '../notes/notes-toolset.ts';
import { createService } from './service.ts';

it('the vault that a caller prefers is taken for a new note, but not for an undo', async () => {
  const opened = { Work: await openWrittenVault({}), Home: await openWrittenVault({}) };
  const sources = Object.entries(opened).map(([name, { whole }]) => ({
    name,
    clock: { nowMs: () => 0 },
    open: async () => whole,
  }));
  const toolset = notesToolset({ tagPolicy: 'off', history: true, contextEveryMs: 0 });
  const service = createService(sources, [toolset], manualTimers());
  const call = async (tool: string, args: object): Promise<string> => {
    const caller = testCaller({ door: 'mcp-stdio', connection: 'c1', prefers: 'Home' });
    const { ok, content } = await service.call(tool, args, caller);
    return `${ok ? 'ok' : 'failed'}: ${textsOf(content).join('')}`;
  };
  expect(await call('create_note', { name: 'New' })).toContain('"vault":"Home"');
  // The ids of changes are those of one vault.
  expect(await call('undo_change', { id: 1 })).toMatch(/^failed: .*with "vault"/);
  expect(await call('undo_change', {})).toMatch(/^failed: .*with "vault"/);
  expect(opened.Home.files()).toHaveProperty(['New.md']);
  expect(await call('undo_change', { id: 1, vault: 'Home' })).toContain('"undone":[1]');
  await Promise.all(Object.values(opened).map((vault) => vault.close()));
});
