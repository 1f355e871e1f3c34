import { expect, it } from 'vitest';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { allScopes, type Scopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { openedVault } from '../../engine/open/vault-source.ts';
import { listTotals } from '../../engine/operations/vault/list-totals.ts';
import { keepTotals } from './keep-totals.ts';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
const startMs = new Date(2026, 10, 16, 12).getTime();
const dayMs = 24 * 60 * 60_000;

it('keeps the size of a vault once a day, and goes on when a vault is away', async () => {
  let nowMs = startMs;
  const clock = { nowMs: () => nowMs };
  const { whole, vault, disk, keeper, close } = await openWrittenVault(
    { 'A.md': 'four', 'B.md': 'b', 'c.png': 'no note' },
    { parts: { clock } },
  );
  const timers = manualTimers();
  const away = { name: 'away', clock, open: () => Promise.reject(new Error('away')) };
  const stop = keepTotals({ vaults: () => [away, openedVault(whole)], scopes: allScopes }, timers);
  const { dayTotals } = whole.parts;
  const kept = async () => {
    await settled();
    return (await dayTotals.list(9)).map(({ day, notes, bytes }) => `${day} ${notes} ${bytes}`);
  };
  expect(await kept()).toEqual([]);
  timers.advance(limits.dayTotalsFirstMs);
  expect(await kept()).toEqual(['2026-11-16 2 5']);
  disk.write('D.md', 'more');
  await keeper.reconcile();
  timers.advance(limits.dayTotalsEveryMs);
  expect(await kept()).toEqual(['2026-11-16 2 5']);
  expect((await listTotals(vault, { days: 9 })).items).toMatchObject([{ notes: 3, bytes: 9 }]);
  nowMs += dayMs;
  expect((await listTotals(vault, { days: 9 })).items.map(({ day }) => day)).toEqual([
    ...['2026-11-16', '2026-11-17'],
  ]);
  expect((await listTotals(vault, { days: 1 })).items).toMatchObject([{ day: '2026-11-17' }]);
  timers.advance(limits.dayTotalsEveryMs);
  expect(await kept()).toEqual(['2026-11-17 3 9', '2026-11-16 2 5']);
  stop();
  nowMs += dayMs;
  timers.advance(limits.dayTotalsEveryMs);
  expect((await kept()).length).toBe(2);
  await close();
});

it.each<[Scopes['effects'], number]>([
  [['read'], 0],
  [['read', 'propose'], 1],
  [allScopes.effects, 1],
])(
  'of a server with the rights %j opens the vault, and so its state, %d times',
  async (effects, times) => {
    let opened = 0;
    const clock = { nowMs: () => startMs };
    const open = () => {
      opened++;
      return Promise.reject(new Error('away'));
    };
    const timers = manualTimers();
    const vaults = [{ name: 'V', clock, open }];
    const stop = keepTotals({ vaults: () => vaults, scopes: { ...allScopes, effects } }, timers);
    timers.advance(limits.dayTotalsFirstMs);
    expect(opened).toBe(times);
    stop();
  },
);

it('tells nothing to a caller who does not see the whole vault', async () => {
  const { as, close } = await openWrittenVault({ 'A.md': 'a' });
  const scopes = { effects: ['read'] as const, folders: ['Sub'] as never, hide: [] };
  await expect(listTotals(as({ scopes }), { days: 9 })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await close();
});
