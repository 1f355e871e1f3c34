import { bridgeDoor } from '../contract/bridge-door.ts';
import { fewDoorCases, notesCases, someDoorCases } from '../contract/notes-cases.ts';
import { describeCases } from '../contract/run-case.ts';
import { counted } from '../support/counts.ts';

const cases = counted({ quick: fewDoorCases, full: someDoorCases, soak: notesCases });

describeCases(bridgeDoor('2025-11-25'), cases);

// What answers in this era is what answers for `stdio`, whose cases all run in it: here is what
// depends on which process remembers a connection.
const ofConnections = counted({ quick: /^NL3$/, full: /^(NC03|NL\d)$/ });

describeCases(
  bridgeDoor('2026-07-28'),
  notesCases.filter(({ id }) => ofConnections.test(id)),
);
