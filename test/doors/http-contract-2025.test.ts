import { agentCases } from '../contract/agent-cases.ts';
import { contextCases } from '../contract/context-cases.ts';
import { httpDoor } from '../contract/http-door.ts';
import { notesCases } from '../contract/notes-cases.ts';
import { describeCases } from '../contract/run-case.ts';

// The notes tools are the same through every door, and `stdio-contract-2025.test.ts` has all of
// their cases: here is what depends on connections, on options, and on how a client is asked.
const others = notesCases.filter(({ id, options }) => options !== undefined || id.startsWith('NL'));

describeCases(httpDoor('2025-11-25'), [...agentCases, ...contextCases, ...others]);
