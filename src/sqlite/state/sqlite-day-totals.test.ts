import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeDayTotals, memoryDayTotals } from '../../../test/support/day-totals-contract.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { VaultState } from '../../engine/ports/vault-state.ts';
import { openDatabase } from '../connection/open-database.ts';
import { openSqliteState } from './sqlite-state-store.ts';

async function opened(file: string): Promise<VaultState> {
  const state = await openSqliteState({ file });
  onTestFinished(() => state.close());
  return state;
}

describeDayTotals('memory', async () => memoryDayTotals());
describeDayTotals('a file', async () => (await opened(':memory:')).dayTotals);

const total = { day: '2026-11-16', notes: 46, bytes: 20_000 };

test('two processes see the same days, and the first keeps its numbers', async () => {
  const file = join(tempFolder(), 'state.db');
  const [one, two] = [await opened(file), await opened(file)];
  await one.dayTotals.put(total);
  await two.dayTotals.put({ ...total, notes: 1 });
  expect(await two.dayTotals.list(9)).toEqual([total]);
});

test('an old history takes them, and keeps its version until it is migrated', async () => {
  const file = join(tempFolder(), 'state.db');
  const old = await openDatabase(file);
  old.exec(readFileSync(new URL('../../../test/support/state-v1.sql', import.meta.url), 'utf8'));
  old.close();
  const { dayTotals } = await opened(file);
  expect(await dayTotals.list(9)).toEqual([]);
  await dayTotals.put(total);
  expect(await (await opened(file)).dayTotals.list(9)).toEqual([total]);
});
