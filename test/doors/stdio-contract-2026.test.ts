import { contextCases } from '../contract/context-cases.ts';
import { notesCases } from '../contract/notes-cases.ts';
import { describeCases } from '../contract/run-case.ts';
import { stdioDoor } from '../contract/stdio-door.ts';

// The tools are the same in both eras, and `every-tool.test.ts` runs each of them in both: here is
// what depends on connections, on options, and on how a client is asked.
const others = notesCases.filter(({ id, options }) => options !== undefined || id.startsWith('NL'));

describeCases(stdioDoor('2026-07-28'), [...contextCases, ...others]);
