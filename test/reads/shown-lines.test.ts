import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openRipgrep } from '../../src/node/programs/ripgrep/ripgrep.ts';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { agentToolset } from '../../src/tools/agent/agent-toolset.ts';
import { textsOf } from '../../src/tools/define/outcome.ts';
import type { Toolset } from '../../src/tools/define/toolset.ts';
import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import { obsidianToolset } from '../../src/tools/obsidian/obsidian-toolset.ts';
import { createService } from '../../src/tools/service/service.ts';
import { agentCalls } from '../contract/agent-calls.ts';
import { notesCalls } from '../contract/notes-calls.ts';
import { obsidianCalls } from '../contract/obsidian-calls.ts';
import type { ToolRow } from '../contract/tool-row.ts';
import { keptReads } from '../support/kept-reads.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openWrittenFolder, testCaller, type WrittenVault } from '../support/written-vault.ts';

// Every tool that reads is called as its contract row says. Whenever its answer has a line that
// stands in one file only, the log of what was read must name that file.

const example = fileURLToPath(new URL('../../examples/vault', import.meta.url));
const lineCharsMin = 20;

describe.each<[string, Toolset, readonly ToolRow[]]>([
  ['notes', notesToolset({ tagPolicy: 'off', history: true, contextEveryMs: 0 }), notesCalls],
  ['obsidian', obsidianToolset({ vaults: ['vault'], refusesUndescribed: false }), obsidianCalls],
  ['agent', agentToolset({ sync: false, publish: false, refusesUndescribed: false }), agentCalls],
])('the toolset %s', (_, toolset, rows) => {
  it('logs the file of every line that an answer shows', async () => {
    const folder = tempFolder();
    cpSync(example, folder, { recursive: true });
    const reads = keptReads();
    const lines = openRipgrep({ root: folder, env: process.env, platform: process.platform });
    const vault = await openWrittenFolder(folder, { parts: { reads, lines } });
    const service = createService(vault.whole, [toolset], nodeTimers);
    const caller = testCaller({ door: 'mcp-stdio', connection: 'c1', client: 'test/1' });
    const unlogged: string[] = [];
    const logging = new Set<string>();
    for (const { tool, effect, calls } of rows) {
      for (const [args] of calls) {
        const known = await uniqueLines(vault, folder);
        reads.take();
        const { content } = await service.call(tool, args, caller);
        const entries = reads.take();
        const logged = new Set(entries.flatMap(({ paths }) => paths));
        if (logged.size > 0) logging.add(tool);
        for (const { tool: asked, client, connection } of entries) {
          expect([tool, 'context']).toContain(asked);
          expect([client, connection]).toEqual(['test/1', 'c1']);
        }
        if (effect !== 'read') continue;
        const text = textsOf(content).join('\n').replaceAll('\\n', '\n');
        for (const [line, path] of known) {
          if (text.includes(line) && !logged.has(path)) unlogged.push(`${tool}: ${path}: ${line}`);
        }
      }
    }
    expect(unlogged).toEqual([]);
    expect(logging.size).toBeGreaterThan(3);
    await vault.close();
  });
});

/** Each longer line that stands in one file only, and in no name. */
async function uniqueLines(vault: WrittenVault, folder: string): Promise<Map<string, string>> {
  const { items } = await vault.vault.askNow((store) =>
    store.files(vault.vault.view(), {
      folder: '',
      kinds: ['note'],
      sort: 'path',
      limit: 1_000,
      offset: 0,
    }),
  );
  const found = new Map<string, string>();
  const twice = new Set<string>();
  for (const { path } of items) {
    for (const line of new Set(readFileSync(join(folder, path), 'utf8').split('\n'))) {
      const shown = line.trim();
      if (shown.length < lineCharsMin) continue;
      if (found.has(shown)) twice.add(shown);
      found.set(shown, path);
    }
  }
  for (const line of twice) found.delete(line);
  return found;
}
