import { expect, it } from 'vitest';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import { readDailySettings } from '../settings/note-settings.ts';
import { dailyPath } from './daily-path.ts';

const timeMs = new Date(2023, 0, 1, 9, 5).getTime();

it.each([
  ['D01', { format: 'YYYY/MMMM/YYYY-MMM-DD' }, '2023/January/2023-Jan-01.md'],
  ['a folder', { folder: 'Journal/' }, 'Journal/2023-01-01.md'],
  ['both', { folder: 'Journal', format: 'YYYY/MM/DD' }, 'Journal/2023/01/01.md'],
  ['slashes around', { format: '/YYYY/MM/' }, '2023/01.md'],
  ['an extension in the format', { format: 'YYYY[.md]' }, '2023.md'],
])('makes the path of a day from settings: %s', async (_, settings, expected) => {
  const disk = memoryDisk({ '.obsidian/daily-notes.json': JSON.stringify(settings) });
  expect(dailyPath(await readDailySettings(disk), timeMs)).toBe(expected);
});

it("puts a day in the vault's root where nothing is said (D02)", async () => {
  expect(dailyPath(await readDailySettings(memoryDisk()), timeMs)).toBe('2023-01-01.md');
});

it('refuses a format that leads outside', async () => {
  const disk = memoryDisk({ '.obsidian/daily-notes.json': '{"format":"[..]/YYYY"}' });
  const settings = await readDailySettings(disk);
  expect(() => dailyPath(settings, timeMs)).toThrow(/"\.\."/);
});
