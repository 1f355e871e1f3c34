import { someCases } from '../contract/notes-cases.ts';
import { describeCases } from '../contract/run-case.ts';
import { stdioDoor } from '../contract/stdio-door.ts';

describeCases(stdioDoor('2026-07-28'), someCases);
