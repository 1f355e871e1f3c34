import type { Toolset } from '../define/toolset.ts';
import { adrPublishTool } from './adr-publish.ts';
import { agentVoice } from './agent-voice.ts';
import { backlinksSearchTool } from './backlinks-search.ts';
import { graphNeighborsTool } from './graph-neighbors.ts';
import { agentIntroduction } from './instructions.ts';
import { linkAddTool } from './link-add.ts';
import { noteDeleteTool } from './note-delete.ts';
import { noteReadTool } from './note-read.ts';
import { noteUpsertTool } from './note-upsert.ts';
import { agentPrompts } from './prompts.ts';
import { vaultSearchTool } from './vault-search.ts';
import { vaultSyncTool } from './vault-sync.ts';

/** What whoever starts a server has set up. */
export interface AgentOptions {
  /** Whether there is a copy elsewhere to synchronise with. */
  readonly sync: boolean;
  /** Whether there is a checkout that decisions are published into. */
  readonly publish: boolean;
}

/** The tools of an agent that keeps its own notes: exact paths, appending, structured results. */
export function agentToolset({ sync, publish }: AgentOptions): Toolset {
  return {
    name: 'agent',
    tools: [
      noteReadTool,
      noteUpsertTool,
      noteDeleteTool,
      vaultSearchTool,
      linkAddTool,
      backlinksSearchTool,
      graphNeighborsTool,
      ...(sync ? [vaultSyncTool] : []),
      ...(publish ? [adrPublishTool] : []),
    ],
    voice: agentVoice,
    structured: true,
    prompts: agentPrompts,
    ...agentIntroduction,
  };
}
