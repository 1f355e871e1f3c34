import { describe, expect, it } from 'vitest';
import { changesByDay } from './changes-by-day.ts';
import { sizeRows } from './size-rows.ts';

const today = '2026-11-16';
const of = (
  day: string,
  client: string,
  changes: number,
  door: 'mcp-stdio' | 'mcp-http' = 'mcp-http',
) => ({ day, client, door, changes, files: 1 });

describe('changes by day', () => {
  it('has every day, the busiest client first', () => {
    const { days, clients, total } = changesByDay(
      [
        of(today, 'cursor-vscode', 2),
        of('2026-11-15', 'claude-ai', 7),
        { day: today, door: 'console', changes: 1, files: 1 },
      ],
      today,
    );
    expect(days.length).toBe(90);
    expect(days[0]?.day).toBe('2026-08-19');
    expect(days.at(-1)).toEqual({ day: today, changes: [0, 2, 1] });
    expect(days.at(-2)?.changes).toEqual([7, 0, 0]);
    expect(clients.map(({ name }) => name)).toEqual(['Claude', 'Cursor', 'You']);
    expect(total).toBe(10);
  });

  it('names an app as Activity does: by its door, too', () => {
    const counts = [of(today, 'claude-ai', 3, 'mcp-stdio'), of(today, 'claude-ai', 2)];
    const { clients, days } = changesByDay(counts, today);
    expect(clients.map(({ name }) => name)).toEqual(['Claude Desktop', 'Claude']);
    expect(days.at(-1)?.changes).toEqual([3, 2]);
  });

  it('puts rare clients together, and gives no colour twice', () => {
    const counts = Array.from('abcdefgh', (name, at) => of(today, name, 10 - at));
    const { clients, days } = changesByDay(counts, today);
    expect(clients.map(({ name }) => name)).toEqual([...'abcde', 'others']);
    expect(new Set(clients.map(({ colour }) => colour)).size).toBe(6);
    expect(days.at(-1)?.changes).toEqual([10, 9, 8, 7, 6, 5 + 4 + 3]);
  });

  it('leaves out what is older or later', () => {
    const counts = [of('2026-01-01', 'a', 1), of('2026-11-17', 'a', 1)];
    expect(changesByDay(counts, today)).toMatchObject({ total: 0 });
  });
});

const steps = (notes: readonly number[]) =>
  notes.map((count, at) => ({ from: at === 0 ? 0 : 256 * 2 ** (at - 1), notes: count }));

describe('sizes of notes', () => {
  it.each<[notes: readonly number[], rows: readonly string[]]>([
    [[0, 0], []],
    [
      [8, 27, 5, 0],
      ['under 256 B 8', '256–512 B 27', '512 B–1 kB 5'],
    ],
    [
      [0, 0, 5, 0, 1],
      ['512 B–1 kB 5', '1–2 kB 0', '2 kB and more 1'],
    ],
    [
      [1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
      ['under 512 B 2', '512 B–2 kB 2', '2–8 kB 2', '8–32 kB 2', '32 kB and more 2'],
    ],
    [
      [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0],
      ['256 B–1 kB 2', '1–4 kB 2', '4–16 kB 2', '16–64 kB 2', '64–128 kB 1'],
    ],
  ])('%j', (notes, rows) => {
    expect(sizeRows(steps(notes)).map((row) => `${row.label} ${row.notes}`)).toEqual(rows);
  });
});
