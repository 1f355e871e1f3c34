// Tests `vaultdoor doctor` in environments in which one thing is really broken, and in one in which
// everything is in order, in a real terminal. Every line must be seen to warn or to be BAD by a real
// cause; every report is searched for what is private; and nothing may be changed on the disk.
import process from 'node:process';
import { others, stores } from './doctor/broken-files.mjs';
import { broken, vaults } from './doctor/broken-machines.mjs';
import { tryInOrder } from './doctor/in-order.mjs';

/** Runs pieces of work three at a time: the machine has two cores, and some only wait. */
async function atOnce(works) {
  const left = [...works];
  const worker = async () => {
    for (let work = left.shift(); work !== undefined; work = left.shift()) await work();
  };
  await Promise.all([worker(), worker(), worker()]);
}

const beganMs = Date.now();
await atOnce([tryInOrder, ...vaults.toReversed(), ...broken, ...stores, ...others]);
process.stdout.write(`${Math.round((Date.now() - beganMs) / 1000)} seconds\n`);
