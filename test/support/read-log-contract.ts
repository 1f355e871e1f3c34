import { describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { vaultFolder } from '../../src/base/vault-path.ts';
import type { ReadEntry, ReadLog } from '../../src/engine/ports/read-log.ts';
import type { ManualTimers } from './manual-timers.ts';

export const noonMs = Date.parse('2026-11-17T12:00:00Z');

export function readEntry(changes: Partial<ReadEntry> = {}): ReadEntry {
  const who = { door: 'mcp-stdio', client: 'Claude Code/1', connection: 'c1' } as const;
  return { timeMs: noonMs, tool: 'read_note', paths: ['A.md'], bytes: 3, ...who, ...changes };
}

export const readPaths = async (log: ReadLog, filter: object = {}): Promise<string[]> =>
  (await log.entries({ limit: 1_000_000, ...filter })).items.flatMap(({ paths }) => paths);

/** The log as one process has it, with the timers that it writes by. */
interface Opened {
  readonly log: ReadLog;
  readonly timers: ManualTimers;
}

/** What every log of reads does. `make` makes an empty one, and answers how a process opens it. */
export function describeReadLog(name: string, make: () => () => Opened | Promise<Opened>): void {
  describe(`the log of reads in ${name}`, () => {
    it('answers the newest first, by client, path and time', async () => {
      const { log } = await make()();
      const at = (minutes: number, changes: Partial<ReadEntry>): ReadEntry =>
        readEntry({ timeMs: noonMs + minutes * 60_000, ...changes });
      log.add(at(2, { paths: ['Diary/Mai.md', 'B.md'], client: 'Cursor/2' }));
      log.add(at(1, { paths: ['Diary.md'] }));
      log.add(at(3, { paths: ['Diary/Deep/x.md'] }));
      await log.close();
      const { client: _, ...unnamed } = readEntry({ paths: ['u.md'], timeMs: noonMs + 4 * 60_000 });
      log.add(unnamed);
      await log.close();
      expect(await readPaths(log)).toEqual([
        'u.md',
        'Diary/Deep/x.md',
        'Diary/Mai.md',
        'B.md',
        'Diary.md',
      ]);
      expect(await readPaths(log, { client: 'CURSOR' })).toEqual(['Diary/Mai.md', 'B.md']);
      const inside = { path: vaultFolder('Diary/') };
      expect(await readPaths(log, inside)).toEqual(['Diary/Deep/x.md', 'Diary/Mai.md', 'B.md']);
      expect(await readPaths(log, { path: vaultFolder('Diary.md') })).toEqual(['Diary.md']);
      expect(await readPaths(log, { sinceMs: noonMs + 3 * 60_000 })).toEqual([
        'u.md',
        'Diary/Deep/x.md',
      ]);
      expect(await log.entries({ limit: 2 })).toMatchObject({ more: true, items: [unnamed, {}] });
      expect(await log.entries({ limit: 4 })).toMatchObject({ more: false });
    });

    it('is shared by processes that write at the same time', async () => {
      const open = make();
      const logs = await Promise.all(Array.from({ length: 4 }, () => open()));
      for (let round = 0; round < 25; round++) {
        for (const [n, { log, timers }] of logs.entries()) {
          for (let at = 0; at < 20; at++) log.add(readEntry({ paths: [`${n}/${round}/${at}.md`] }));
          timers.advance(limits.readLogWriteEveryMs);
        }
        await new Promise(setImmediate);
      }
      await Promise.all(logs.map(({ log }) => log.close()));
      const { log } = await open();
      expect(new Set(await readPaths(log)).size).toBe(4 * 25 * 20);
    });
  });
}
