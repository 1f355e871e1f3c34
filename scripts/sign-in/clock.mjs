// Loaded into the built server with `--import`: moves its clock, so that tokens end while a test
// waits seconds. The file that CLOCK_FILE names has the milliseconds by which the clock is ahead. A
// server reads it again at SIGUSR2, and says so.
import { readFileSync } from 'node:fs';
import process from 'node:process';

const RealDate = Date;
let aheadMs = 0;

function read() {
  aheadMs = Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));
}

read();
process.on('SIGUSR2', () => {
  read();
  process.stderr.write(`clock ahead by ${aheadMs}\n`);
});

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + aheadMs);
    else super(...given);
  }

  static now() {
    return RealDate.now() + aheadMs;
  }
};
