import { agentFindingCases } from './agent-finding-cases.ts';
import { agentNoteCases } from './agent-note-cases.ts';
import { agentOtherCases } from './agent-other-cases.ts';
import { agentRecordCases } from './agent-record-cases.ts';
import type { ContractCase } from './contract-case.ts';

/**
 * What seed 004 and issue 6 ask of the agent toolset, whichever door serves it. What only a
 * configured server lists (vault_sync, adr_publish) has tests of its own.
 */
export const agentCases: readonly ContractCase[] = [
  ...agentNoteCases,
  ...agentFindingCases,
  ...agentOtherCases,
  ...agentRecordCases,
];

/** Three of these: a note that is made, a search, and what is hidden. */
export const fewAgentCases = agentCases.filter(({ id }) => ['A05', 'A10', 'A17'].includes(id));
