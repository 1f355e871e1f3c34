import { describeWireCases } from '../contract/run-wire-case.ts';
import { stdioWire } from '../contract/stdio-wire.ts';
import { wireCases } from '../contract/wire-cases.ts';

describeWireCases(stdioWire, wireCases);
