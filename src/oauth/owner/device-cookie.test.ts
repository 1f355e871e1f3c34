import { describe, expect, it } from 'vitest';
import {
  ownerPassphrase,
  ownerWithPassphrase,
  refusedOf,
  signedIn,
  type TestOwner,
} from '../../../test/support/owner-sign-in.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('the cookie of a known browser', () => {
  const right = { passphrase: ownerPassphrase };

  /** Whether a browser with this cookie comes in although strangers have used up their guesses. */
  async function isKnown({ owner }: Pick<TestOwner, 'owner'>, device: string): Promise<boolean> {
    for (let at = 0; at < 10; at++) await owner.signIn({ passphrase: 'a wrong passphrase' });
    return refusedOf(await owner.signIn({ ...right, device })) === undefined;
  }

  it('holds for 400 days, over restarts, and is renewed at each sign-in', async () => {
    const test = await ownerWithPassphrase();
    const { device } = signedIn(await test.owner.signIn(right));
    test.clock.nowMs += 399 * day;
    expect(await isKnown({ owner: test.again() }, device)).toBe(true);
    const renewed = signedIn(await test.again().signIn({ ...right, device }));
    test.clock.nowMs += day;
    expect(await isKnown({ owner: test.again() }, device)).toBe(false);
    expect(await isKnown({ owner: test.again() }, renewed.device)).toBe(true);
  });

  it('keeps its count when it is renewed', async () => {
    const { owner } = await ownerWithPassphrase();
    const { device } = signedIn(await owner.signIn(right));
    for (let at = 0; at < 9; at++) await owner.signIn({ passphrase: 'wrong', device });
    const renewed = signedIn(await owner.signIn({ ...right, device })).device;
    await owner.signIn({ passphrase: 'wrong', device: renewed });
    expect(refusedOf(await owner.signIn({ ...right, device: renewed }))).toBe('slow');
  });

  it.each<[string, (device: string) => string]>([
    ['another signature', (device) => device.replace(/.{43}$/, 'A'.repeat(43))],
    ['another id', (device) => device.replace(/^.{22}/, 'A'.repeat(22))],
    ['a later time', (device) => device.replace(/\.\w+\./, '.zzzzzzzz.')],
    ['something added', (device) => `${device}A`],
    ['nothing', () => ''],
    ['very much', () => 'A'.repeat(10_000)],
  ])('is nothing with %s', async (_, forge) => {
    const test = await ownerWithPassphrase();
    const { device } = signedIn(await test.owner.signIn(right));
    expect(await isKnown(test, forge(device))).toBe(false);
  });

  it('is nothing after a reset', async () => {
    const test = await ownerWithPassphrase();
    const { device } = signedIn(await test.owner.signIn(right));
    await test.owner.reset();
    await test.owner.setPassphrase(ownerPassphrase);
    expect(await isKnown(test, device)).toBe(false);
  });
});
