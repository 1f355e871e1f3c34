import { expect, it } from 'vitest';
import { signInDoor, TestBrowser } from '../../../test/support/sign-in-door.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';

const { stepLinesMax, stepLinesMs } = limits;

it('strangers cannot fill the log: of each kind of step, some lines a minute are written', async () => {
  const at = await signInDoor();
  const stranger = new TestBrowser(at);
  const ask = async (times: number): Promise<void> => {
    for (let asked = 0; asked < times; asked++) await stranger.get('/owner');
  };
  await ask(stepLinesMax + 40);
  expect(at.log).toHaveLength(stepLinesMax);
  await stranger.begin();
  expect(at.log.at(-1)).toContain('"step":"authorize"');
  at.clock.nowMs += stepLinesMs;
  await ask(2);
  expect(at.log).toHaveLength(stepLinesMax + 3);
  expect(at.log.at(-2)).toContain('"more":40');
  expect(at.log.at(-1)).not.toContain('"more"');
});

it('the log names the book that cannot be read', async () => {
  const at = await signInDoor();
  at.ownerBook.read = async () => {
    throw new VaultError('io_failed', 'owner.json is damaged.');
  };
  expect((await new TestBrowser(at).get('/owner')).status).toBe(503);
  expect(at.log[0]).toMatch(
    /"event":"sign-in failed","code":"io_failed","message":"owner.json is damaged."/,
  );
});
