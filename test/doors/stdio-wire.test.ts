import { describeWireCases } from '../contract/run-wire-case.ts';
import { stdioWire } from '../contract/stdio-wire.ts';
import { wireCases } from '../contract/wire-cases.ts';
import { counted } from '../support/counts.ts';

describeWireCases(
  stdioWire,
  counted({ quick: wireCases.filter((_, index) => index % 5 === 0), full: wireCases }),
);
