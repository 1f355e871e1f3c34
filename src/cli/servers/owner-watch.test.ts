import { expect, it } from 'vitest';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { limits } from '../../base/limits.ts';
import type { OwnerPage } from '../../oauth/ports/owner-book.ts';
import { OwnerWatch } from './owner-watch.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function pageOf(hash: string | undefined): OwnerPage {
  const passphrase = { salt: '', hash: hash ?? '', n: 1, r: 1, p: 1 };
  const owner = { passphrase, setMs: 0, passkeys: [] };
  return { sessions: [], deviceKey: '', ...(hash === undefined ? {} : { owner }) };
}

it.each<[string, (string | undefined)[], number]>([
  ['the same passphrase', ['a', 'a', 'a'], 0],
  ['another passphrase', ['a', 'b', 'b'], 1],
  ['no owner any more', ['a', undefined, undefined], 1],
  ['the first owner', [undefined, 'a', 'a'], 0],
  ['a book that cannot be read for a while', ['a', 'unreadable', 'a'], 0],
  ['another one after that', ['a', 'unreadable', 'b'], 1],
])('while it is watched, %s', async (_name, hashes, others) => {
  let now = hashes[0];
  const read = async (): Promise<OwnerPage> => {
    if (now === 'unreadable') throw new Error(now);
    return pageOf(now);
  };
  let told = 0;
  const timers = manualTimers();
  const watch = new OwnerWatch({ owner: { read }, timers, onOther: () => told++ });
  await watch.look();
  const stop = watch.start();
  for (const hash of hashes) {
    now = hash;
    timers.advance(limits.consoleLookMs);
    await settled();
  }
  expect(told).toBe(others);
  stop();
  now = 'later';
  timers.advance(limits.consoleLookMs);
  await settled();
  expect(told).toBe(others);
});
