import { attachDoor } from '../contract/attach-door.ts';
import { fewDoorCases, notesCases, someDoorCases } from '../contract/notes-cases.ts';
import { describeCases } from '../contract/run-case.ts';
import { counted } from '../support/counts.ts';

const cases = counted({ quick: fewDoorCases, full: someDoorCases, soak: notesCases });

describeCases(attachDoor, cases);
