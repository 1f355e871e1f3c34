import { describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import type { DayTotal, DayTotals } from '../../src/engine/ports/vault-state.ts';

const day = (number: number, notes = number): DayTotal => ({
  day: new Date(Date.UTC(2020, 0, number)).toISOString().slice(0, 10),
  notes,
  bytes: 100 * notes,
});

/** A store, and where there is one a way to put many days at once. */
type OpenedTotals = DayTotals & { fill?(days: readonly DayTotal[]): Promise<void> };

/** What every store of the size of the vault by day does. */
export function describeDayTotals(what: string, open: () => Promise<OpenedTotals>): void {
  describe(`the size by day in ${what}`, () => {
    it('is empty at first', async () => {
      expect(await (await open()).list(9)).toEqual([]);
    });

    it.each<[puts: readonly DayTotal[], max: number, listed: readonly DayTotal[]]>([
      [[day(1)], 9, [day(1)]],
      [[day(1), day(2)], 9, [day(2), day(1)]],
      [[day(2), day(1)], 9, [day(2), day(1)]],
      [[day(1), day(2), day(3)], 2, [day(3), day(2)]],
      [[day(1, 5), day(1, 7)], 9, [day(1, 5)]],
      [[day(1)], 0, []],
    ])('%j, at most %i', async (puts, max, listed) => {
      const totals = await open();
      for (const total of puts) await totals.put(total);
      expect(await totals.list(max)).toEqual(listed);
    });

    it('has the newest days when there are too many', async () => {
      const totals = await open();
      const days = Array.from({ length: limits.totalDaysMax + 2 }, (_, at) => day(at + 1));
      const [first, last] =
        totals.fill === undefined ? [[], days] : [days.slice(0, -2), days.slice(-2)];
      await totals.fill?.(first);
      for (const each of last) await totals.put(each);
      const kept = await totals.list(limits.totalDaysMax + 9);
      expect(kept.length).toBe(limits.totalDaysMax);
      expect(kept.at(-1)).toEqual(day(3));
    });
  });
}

/** The simplest store that does it. */
export function memoryDayTotals(): DayTotals {
  const days = new Map<string, DayTotal>();
  const newestFirst = (): DayTotal[] =>
    Array.from(days.values()).toSorted((a, b) => (a.day < b.day ? 1 : -1));
  return {
    put: async (total) => {
      if (!days.has(total.day)) days.set(total.day, total);
      if (days.size <= limits.totalDaysMax) return;
      const oldest = newestFirst().at(-1);
      if (oldest !== undefined) days.delete(oldest.day);
    },
    list: async (max) => newestFirst().slice(0, max),
  };
}
