import type { Caller, Scopes } from '../../src/base/caller.ts';
import { openedVault } from '../../src/engine/open/vault-source.ts';
import type { NewProposal } from '../../src/engine/ports/proposals.ts';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import { OwnerDesk } from '../../src/tools/owner/owner-desk.ts';
import type { VaultOptions } from './indexed-vault.ts';
import type { MemoryDisk } from './memory-disk.ts';
import { openToolset } from './toolset-service.ts';
import { testCaller } from './written-vault.ts';

/** The scopes of a caller that may only propose. */
export const proposing: Scopes = { effects: ['read', 'propose'], folders: [''], hide: [] };
export const agent = { client: 'agent', scopes: proposing } as const;
export const owner = testCaller();

/** A vault with an agent that calls the notes toolset, the owner's desk, and a clock to drive. */
export async function openDesk(
  files: Readonly<Record<string, string>> | MemoryDisk,
  options: VaultOptions = {},
) {
  const { context: _, ...toolset } = notesToolset({
    tagPolicy: 'enforce',
    history: true,
    contextEveryMs: 0,
  });
  const time = { nowMs: 1_800_000_000_000 };
  const clock = { nowMs: () => ++time.nowMs };
  const notes = await openToolset(files, toolset, { ...options, parts: { clock } });
  const desk = new OwnerDesk({
    source: openedVault(notes.whole),
    timers: nodeTimers,
    toolset: async (name) => (name === 'notes' ? toolset : undefined),
  });
  /** Calls a tool that answers with a proposal, and answers its id. */
  const propose = async (tool: string, args: object, as: Partial<Caller> = agent) => {
    const { ok, text } = await notes.call(tool, args, as);
    const id = /^Proposed (p\d+); the owner decides/.exec(text)?.[1];
    if (!ok || id === undefined) throw new Error(`not proposed: ${text}`);
    return id;
  };
  /** Stores a proposal that no call has made. */
  const store = async (more: Partial<NewProposal>) => {
    const { proposals } = notes.whole.parts;
    const added = await proposals.add({
      asker: { door: 'mcp-stdio', client: 'agent' },
      scopes: proposing,
      toolset: 'notes',
      tool: 'append_note',
      input: { name: 'A', text: 'two' },
      settings: {},
      timeMs: clock.nowMs(),
      plannedMs: clock.nowMs(),
      diff: '',
      basis: [],
      ...more,
    });
    return added.id;
  };
  return { ...notes, desk, propose, store, time };
}
