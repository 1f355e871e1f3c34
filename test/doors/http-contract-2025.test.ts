import { agentCases, fewAgentCases } from '../contract/agent-cases.ts';
import { httpDoor } from '../contract/http-door.ts';
import { doorCases, fewDoorCases, notesCases } from '../contract/notes-cases.ts';
import { describeCases } from '../contract/run-case.ts';
import { counted } from '../support/counts.ts';

const cases = counted({
  quick: [...fewAgentCases, ...fewDoorCases],
  full: [...agentCases, ...doorCases],
  soak: [...agentCases, ...notesCases],
});

describeCases(httpDoor('2025-11-25'), cases);
