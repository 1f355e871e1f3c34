import { fewDoorCases, notesCases, someDoorCases } from '../contract/notes-cases.ts';
import { describeCases } from '../contract/run-case.ts';
import { stdioDoor } from '../contract/stdio-door.ts';
import { counted } from '../support/counts.ts';

const cases = counted({ quick: fewDoorCases, full: someDoorCases, soak: notesCases });

describeCases(stdioDoor('2026-07-28'), cases);
