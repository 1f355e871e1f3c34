import { doorCases, fewDoorCases, notesCases } from '../contract/notes-cases.ts';
import { describeCases } from '../contract/run-case.ts';
import { stdioDoor } from '../contract/stdio-door.ts';
import { counted } from '../support/counts.ts';

const cases = counted({ quick: fewDoorCases, full: doorCases, soak: notesCases });

describeCases(stdioDoor('2025-11-25'), cases);
