import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTasks } from '../../src/engine/operations/list/find-tasks.ts';
import { dayNumber, dayText } from '../../src/engine/text/day-number.ts';
import { nextRecurrence, parseRecurrence } from '../../src/engine/text/recurrence.ts';
import { unpackVault } from '../support/unpack-vaults.ts';
import { openWrittenFolder, type WrittenVault } from '../support/written-vault.ts';

// The vault `tasks-demo` is the demo of the Tasks plugin: its authors wrote tasks in every form, and
// kept what the plugin made of recurring ones.

let folder: string;
let opened: WrittenVault;
beforeAll(async () => {
  folder = await unpackVault('tasks-demo');
  opened = await openWrittenFolder(folder);
});
afterAll(() => opened.close());

/** Every line of the vault that is not in a block of code, found without our scanner. */
function* linesOutsideCode(): Generator<[place: string, line: string]> {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.md')) continue;
    let fence = '';
    const lines = readFileSync(join(folder, name), 'utf8').split('\n');
    for (const [at, line] of lines.entries()) {
      const [, mark = ''] = /^[\s>]*(```+|~~~+)/.exec(line) ?? [];
      if (fence === '' && mark === '') yield [`${name}:${at + 1}`, line];
      else if (fence === '') fence = mark;
      else if (mark.startsWith(fence)) fence = '';
    }
  }
}

const box = /^[\s>]*(?:[-*+]|\d+[.)]) +\[ \] /;

async function openTasksDue(asked: string): Promise<readonly string[]> {
  const page = { limit: 1_000, offset: 0, folder: '', status: 'open' } as const;
  const { total, items } = await findTasks(opened.vault, { ...page, dates: [['due', asked]] });
  expect(total).toBe(items.length);
  return items.map(({ path, line }) => `${path}:${line}`).sort();
}

describe('the vault tasks-demo', () => {
  it('has the open tasks due before 2025 that a search of its lines finds', async () => {
    const due = /(?:📅 ?|[[(] *due:: *)(\d{4})-\d\d-\d\d/u;
    const expected = Array.from(linesOutsideCode()).filter(
      ([, line]) => box.test(line) && Number(due.exec(line)?.[1] ?? 9999) < 2025,
    );
    const found = await openTasksDue('<2025');
    expect(found).toEqual(expected.map(([place]) => place).sort());
    expect(found).toHaveLength(62);
    // Those that stand at the beginning of a line, in the plugin's own spelling: most of them.
    const plain = expected.filter(([, line]) => /^- \[ \] .*📅 20/.test(line));
    expect(plain).toHaveLength(46);
  });

  it('kept what the plugin made of recurring tasks, and the same is worked out here', () => {
    const file = 'Manual Testing/Recurrence handling invalid dates.md';
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    const task = /🔁 ([^📅]*) 📅 (\d{4}-\d\d-\d\d)( ✅)?/u;
    let compared = 0;
    for (const [at, line] of lines.entries()) {
      const [, , next] = task.exec(line) ?? [];
      const [, rule, date, isDone] = task.exec(lines[at + 1] ?? '') ?? [];
      if (next === undefined || rule === undefined || isDone === undefined) continue;
      const recurrence = parseRecurrence(rule);
      const day = recurrence && nextRecurrence(recurrence, dayNumber(date ?? '') ?? 0);
      expect([line, day === undefined ? undefined : dayText(day)]).toEqual([line, next]);
      compared++;
    }
    expect(compared).toBe(30);
  });
});
