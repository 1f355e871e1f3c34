import { doorCases } from '../contract/notes-cases.ts';
import { describeCases } from '../contract/run-case.ts';
import { stdioDoor } from '../contract/stdio-door.ts';

describeCases(stdioDoor('2025-11-25'), doorCases);
