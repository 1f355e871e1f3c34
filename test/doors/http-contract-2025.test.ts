import { agentCases } from '../contract/agent-cases.ts';
import { httpDoor } from '../contract/http-door.ts';
import { doorCases } from '../contract/notes-cases.ts';
import { describeCases } from '../contract/run-case.ts';

describeCases(httpDoor('2025-11-25'), [...agentCases, ...doorCases]);
