import { agentCases } from '../contract/agent-cases.ts';
import { httpDoor } from '../contract/http-door.ts';
import { notesCases } from '../contract/notes-cases.ts';
import { describeCases } from '../contract/run-case.ts';

// Of the notes toolset, what depends on options and on how a client is asked; there are no
// connections here that could matter.
const notes = notesCases.filter(({ options }) => options !== undefined);

describeCases(httpDoor('2026-07-28'), [...agentCases, ...notes]);
