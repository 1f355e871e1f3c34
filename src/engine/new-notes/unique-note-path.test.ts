import { describe, expect, it } from 'vitest';
import type { DatedNoteSettings } from '../settings/note-settings.ts';
import { uniqueNotePath } from './unique-note-path.ts';

const nowMs = new Date(2023, 11, 31, 23, 58, 59, 500).getTime();

const pathFor = (format: string, taken: readonly string[]) => {
  const settings: DatedNoteSettings = { folder: '', format, template: undefined, problems: [] };
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
