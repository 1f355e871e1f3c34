import { attachDoor } from '../contract/attach-door.ts';
import { notesCases } from '../contract/notes-cases.ts';
import { describeCases } from '../contract/run-case.ts';

describeCases(attachDoor, notesCases);
