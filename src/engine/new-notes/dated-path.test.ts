import { describe, expect, it } from 'vitest';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import type { DatedNoteSettings } from '../settings/note-settings.ts';
import { readDailySettings } from '../settings/note-settings.ts';
import { dailyPath, uniqueNotePath } from './dated-path.ts';

describe('dailyPath', () => {
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
});

const nowMs = new Date(2023, 11, 31, 23, 58, 59, 500).getTime();

const pathFor = (format: string, taken: readonly string[]) => {
  const settings: DatedNoteSettings = {
    file: '',
    folder: '',
    format,
    template: undefined,
    problems: [],
  };
  return uniqueNotePath(settings, { nowMs, isTaken: async (path) => taken.includes(path) });
};

describe('uniqueNotePath', () => {
  it.each([
    ['YYYYMMDDHHmm', [], '202312312358.md'],
    ['YYYYMMDDHHmm', ['202312312358.md'], '202312312359.md'],
    ['YYYYMMDDHHmm', ['202312312358.md', '202312312359.md'], '202401010000.md'],
    ['HHmmss', ['235859.md'], '235900.md'],
    ['YYYY-MM-DD', ['2023-12-31.md'], '2024-01-01.md'],
    ['YYYY/[Z]MM', ['2023/Z12.md'], '2024/Z01.md'],
  ])('takes the next free time, not a counted name (D05): %s', async (format, taken, expected) => {
    expect(await pathFor(format, taken)).toBe(expected);
  });

  it('says so when the format has no other name', async () => {
    await expect(pathFor('[Note]', ['Note.md'])).rejects.toMatchObject({ code: 'already_exists' });
  });
});
