import { bridgeDoor } from '../contract/bridge-door.ts';
import { doorCases, someCases } from '../contract/notes-cases.ts';
import { describeCases } from '../contract/run-case.ts';

describeCases(bridgeDoor('2025-11-25'), someCases);

// What answers in this era is what answers for `stdio`, whose cases all run in it: here is what
// depends on which process remembers a connection.
describeCases(
  bridgeDoor('2026-07-28'),
  doorCases.filter(({ id }) => /^(NC03|NL\d)$/.test(id)),
);
