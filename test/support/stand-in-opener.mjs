#!/usr/bin/env node
// A stand-in for `xdg-open` and its like: notes the address that it was given, and whether there is
// a program for it.
//
// STAND_IN_OPENER  "opens" unless given; "knows-none" as without a program for the address;
//                  "becomes-app" runs on, as `xdg-open` does without a desktop around it
// STAND_IN_LOG     a file that gets one line of JSON for every start: the arguments

import { appendFileSync } from 'node:fs';

const args = process.argv.slice(2);
const log = process.env.STAND_IN_LOG;
if (log) appendFileSync(log, `${JSON.stringify(args)}\n`);
switch (process.env.STAND_IN_OPENER ?? 'opens') {
  case 'knows-none':
    process.exitCode = 3;
    break;
  case 'becomes-app':
    if (log) appendFileSync(log, `${JSON.stringify({ pid: process.pid })}\n`);
    setInterval(() => undefined, 60_000);
    break;
}
