import { attachDoor } from '../contract/attach-door.ts';
import { doorCases } from '../contract/notes-cases.ts';
import { describeCases } from '../contract/run-case.ts';

describeCases(attachDoor, doorCases);
