import { attachDoor } from '../contract/attach-door.ts';
import { someCases } from '../contract/notes-cases.ts';
import { describeCases } from '../contract/run-case.ts';

describeCases(attachDoor, someCases);
