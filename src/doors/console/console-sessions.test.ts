import { expect, it } from 'vitest';
import { openConsoleDoor } from '../../../test/support/console-door.ts';
import { limits } from '../../base/limits.ts';

it('a console ends with the passphrase of the owner, and goes on when there is a first one', async () => {
  const { ask, enter, halves, sessions, owner, time } = await openConsoleDoor();
  owner.mark = '';
  const headers = halves(await enter());
  const status = async () => (await ask('/c/api/me', { headers })).status;
  owner.mark = 'first';
  time.nowMs += limits.consoleUsedMs;
  expect(await status()).toBe(200);
  const key = await sessions.makeKey();
  owner.mark = 'second';
  expect(await status()).toBe(401);
  expect(await sessions.enter(key)).toBeUndefined();
  owner.mark = 'first';
  expect(await status()).toBe(401);
});

it('a console that is not used learns of the first passphrase while others are looked at', async () => {
  const { ask, enter, halves, sessions, owner } = await openConsoleDoor();
  owner.mark = '';
  const headers = halves(await enter());
  owner.mark = 'first';
  const [listed] = await sessions.list();
  owner.mark = 'second';
  expect(await sessions.list()).toEqual([]);
  expect((await ask('/c/api/me', { headers })).status).toBe(401);
  expect(listed).toMatchObject({ sinceMs: 1_000_000, usedMs: 1_000_000 });
});
