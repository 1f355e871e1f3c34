import type { Toolset, Voice } from '../define/toolset.ts';
import { listProposalsTool } from '../wording/list-proposals.ts';
import { nextSteps } from '../wording/next-step.ts';
import { failureText } from '../wording/plain-voice.ts';
import { agentIntroduction } from './instructions.ts';
import { backlinksSearchTool, graphNeighborsTool, linkAddTool } from './links.ts';
import { noteDeleteTool, noteReadTool, noteUpsertTool } from './notes.ts';
import { agentPrompts } from './prompts.ts';
import { adrCreateTool, devlogAppendTool } from './records.ts';
import { adrPublishTool, vaultSyncTool } from './sync-and-publish.ts';
import { vaultSearchTool } from './vault-search.ts';

/** Results are answered as JSON, failures as a sentence that says what to do. */
const agentVoice: Voice = {
  result: (_tool, value) => [{ type: 'text', text: JSON.stringify(value) }],
  failure: (error) => [{ type: 'text', text: failureText(error) }],
};

/** Where to go on after a failure. */
const agentAdvice = nextSteps({ search: 'vault_search', read: 'note_read' });

/** Which tools the server was set up for. */
interface AgentOptions {
  /** Whether `--sync` names a remote copy to synchronise with. */
  readonly sync: boolean;
  /** Whether `--adr-repo` names a git checkout to publish decisions into. */
  readonly publish: boolean;
  /** Whether a note with the tag `claude` and without a description is refused. */
  readonly refusesUndescribed?: boolean;
}

/** The tools for an agent that keeps its own notes: exact paths, appending, structured results. */
export function agentToolset({ sync, publish, refusesUndescribed = false }: AgentOptions): Toolset {
  return {
    name: 'agent',
    tools: [
      noteReadTool,
      noteUpsertTool(refusesUndescribed),
      noteDeleteTool,
      vaultSearchTool,
      linkAddTool,
      backlinksSearchTool,
      graphNeighborsTool,
      adrCreateTool,
      devlogAppendTool,
      ...(sync ? [vaultSyncTool] : []),
      ...(publish ? [adrPublishTool] : []),
    ],
    forProposers: [listProposalsTool],
    voice: agentVoice,
    advice: agentAdvice,
    structured: true,
    prompts: agentPrompts,
    ...agentIntroduction,
  };
}
