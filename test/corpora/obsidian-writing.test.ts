import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { undoSelection } from '../../src/engine/operations/history/undo-selection.ts';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { obsidianToolset } from '../../src/tools/obsidian/obsidian-toolset.ts';
import { createService } from '../../src/tools/service/service.ts';
import { tasksDemoCalls } from '../contract/obsidian-calls.ts';
import { unpackVault } from '../support/unpack-vaults.ts';
import { openWrittenFolder, testCaller } from '../support/written-vault.ts';

// Every tool of the obsidian toolset that writes, but for the one that needs the app, on a real
// vault; undo then takes all of it back.

function contentOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.sort().map((file) => [relative(folder, file), readFileSync(file, 'base64')]),
  );
}

it('covers every tool that writes', () => {
  const writing = obsidianToolset().tools.filter(({ effect }) => effect !== 'read');
  const names = writing.map(({ name }) => name);
  const app = ['obsidian_run_command'];
  expect(tasksDemoCalls.map(([tool]) => tool).toSorted()).toEqual(
    names.filter((name) => !app.includes(name)).toSorted(),
  );
});

it('each changes tasks-demo, the index follows, and undo brings every byte back', async () => {
  const folder = await unpackVault('tasks-demo');
  const before = contentOf(folder);
  const { vault, whole, indexFaults, close } = await openWrittenFolder(folder);
  const service = createService(whole, [obsidianToolset()], nodeTimers);
  for (const [tool, args] of tasksDemoCalls) {
    const last = contentOf(folder);
    const outcome = await service.call(tool, args, testCaller());
    expect(outcome.ok ? 'done' : outcome.error.message, tool).toBe('done');
    expect(contentOf(folder), tool).not.toEqual(last);
  }
  expect(await indexFaults()).toEqual([]);
  expect(await undoSelection(vault, { last: 1_000 })).toMatchObject({ left: [] });
  expect(contentOf(folder)).toEqual(before);
  expect(await indexFaults()).toEqual([]);
  await close();
});
