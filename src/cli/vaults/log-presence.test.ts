import { expect, it } from 'vitest';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { logPresence } from './log-presence.ts';

it('says once that the vault has gone, once that it is back, and nothing after the end', async () => {
  const timers = manualTimers();
  const lines: string[] = [];
  const logger = {
    log: (level: string, event: string, values = {}) =>
      void lines.push([level, event, ...Object.values(values)].join(' ')),
  };
  let isThere = true;
  const check = async (): Promise<void> => {
    if (!isThere) throw new VaultError('vault_not_found', 'Connect the drive.');
  };
  const end = logPresence({ check }, { name: 'Mine', logger, timers });
  const pass = async (): Promise<void> => {
    timers.advance(limits.presenceEveryMs);
    await new Promise(setImmediate);
  };
  await pass();
  expect(lines).toEqual([]);
  isThere = false;
  for (const _ of '123') await pass();
  expect(lines).toEqual(['warn vault gone Mine Connect the drive.']);
  isThere = true;
  for (const _ of '123') await pass();
  expect(lines.slice(1)).toEqual(['warn vault back Mine']);
  end();
  isThere = false;
  await pass();
  expect(lines).toHaveLength(2);
});
