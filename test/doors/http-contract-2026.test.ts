import { agentCases, fewAgentCases } from '../contract/agent-cases.ts';
import type { ContractCase } from '../contract/contract-case.ts';
import { httpDoor } from '../contract/http-door.ts';
import { fewDoorCases, notesCases } from '../contract/notes-cases.ts';
import { describeCases } from '../contract/run-case.ts';
import { counted } from '../support/counts.ts';

// Of the notes toolset, what depends on options and on how a client is asked; there are no
// connections here that could matter.
const hasOptions = ({ options }: ContractCase): boolean => options !== undefined;

const cases = counted({
  quick: [...fewAgentCases, ...fewDoorCases.filter(hasOptions)],
  full: [...agentCases, ...notesCases.filter(hasOptions)],
});

describeCases(httpDoor('2026-07-28'), cases);
