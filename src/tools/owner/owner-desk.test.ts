import { describe, expect, it } from 'vitest';
import { testCaller } from '../../../test/support/written-vault.ts';
import { openNotes } from '../../../test/support/notes-service.ts';
import type { Caller, Scopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import { openedVault } from '../../engine/open/vault-source.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { notesToolset } from '../notes/notes-toolset.ts';
import { OwnerDesk } from './owner-desk.ts';

const proposing: Scopes = { effects: ['read', 'propose'], folders: [''], hide: [] };
const agent = { client: 'agent', scopes: proposing } as const;
const owner = testCaller();

/** A vault with an agent that calls the notes toolset, and the owner's desk. */
async function openDesk(files: Readonly<Record<string, string>>) {
  const notes = await openNotes(files);
  const desk = new OwnerDesk({
    source: openedVault(notes.whole),
    timers: nodeTimers,
    toolset: async (name) =>
      name === 'notes'
        ? notesToolset({ tagPolicy: 'enforce', history: true, contextEveryMs: 0 })
        : undefined,
  });
  /** Calls a tool that answers with a proposal, and answers its id. */
  const propose = async (tool: string, args: object, as: Partial<Caller> = agent) => {
    const { ok, text } = await notes.call(tool, args, as);
    const id = /^Proposed (p\d+); the owner decides/.exec(text)?.[1];
    if (!ok || id === undefined) throw new Error(`not proposed: ${text}`);
    return id;
  };
  return { ...notes, desk, propose };
}

describe('accepting', () => {
  it('makes the change as the one who proposed it', async () => {
    const { desk, propose, files, text } = await openDesk({ 'A.md': 'one\n' });
    const id = await propose('append_note', { name: 'A', text: 'two' });
    expect(files()).toEqual({ 'A.md': 'one\n' });
    expect(await desk.proposals({ open: true })).toMatchObject([
      { id, state: 'open', tool: 'append_note', diff: expect.stringContaining('\n+two') },
    ]);
    expect(await desk.accept([id], owner)).toMatchObject([
      {
        outcome: 'made',
        id,
        change: {
          id: 1,
          door: 'mcp-stdio',
          client: 'agent',
          connection: 'c1',
          tool: 'append_note',
          files: [{ path: 'A.md', did: 'changed' }],
        },
      },
    ]);
    expect(text('A.md')).toBe('one\ntwo\n');
    expect(await desk.proposal(id)).toMatchObject({ state: 'accepted', change: 1 });
    expect(await desk.proposals({ open: true })).toEqual([]);
  });
});
