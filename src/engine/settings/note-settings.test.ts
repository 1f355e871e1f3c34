import { describe, expect, it } from 'vitest';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import { readDailySettings, readTemplateSettings, readUniqueSettings } from './note-settings.ts';

const daily = (settings: unknown) =>
  readDailySettings(memoryDisk({ '.obsidian/daily-notes.json': JSON.stringify(settings) }));

describe('readDailySettings', () => {
  const defaults = { folder: '', format: 'YYYY-MM-DD', template: undefined, problems: [] };

  it("has Obsidian's defaults where nothing is said (D02)", async () => {
    expect(await readDailySettings(memoryDisk({ 'a.md': '' }))).toEqual(defaults);
    expect(await daily({ folder: '', format: ' ', template: '', autorun: true })).toEqual(defaults);
    expect(await daily({ folder: 5, format: null, template: [] })).toEqual(defaults);
    expect(await daily({ folder: '/' })).toEqual(defaults);
  });

  it('reads what the app wrote', async () => {
    const written = { folder: '/Journal/Daily/', format: 'YYYY/MM-DD', template: 'Templates/Day' };
    expect(await daily(written)).toEqual({ ...written, folder: 'Journal/Daily', problems: [] });
  });

  it('says when a file is broken, and when a folder cannot be', async () => {
    const broken = await readDailySettings(memoryDisk({ '.obsidian/daily-notes.json': '{' }));
    expect(broken).toEqual({
      ...defaults,
      problems: [expect.stringContaining('daily-notes.json')],
    });
    await expect(daily({ folder: '../elsewhere' })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { path: '.obsidian/daily-notes.json' },
    });
  });
});

it('reads settings of unique notes', async () => {
  expect(await readUniqueSettings(memoryDisk())).toMatchObject({ format: 'YYYYMMDDHHmm' });
  const disk = memoryDisk({ '.obsidian/zk-prefixer.json': '{"folder":"Zettel","format":"x"}' });
  expect(await readUniqueSettings(disk)).toMatchObject({ folder: 'Zettel', format: 'x' });
});

it('reads settings of templates', async () => {
  const defaults = { folder: undefined, dateFormat: 'YYYY-MM-DD', timeFormat: 'HH:mm' };
  expect(await readTemplateSettings(memoryDisk())).toMatchObject(defaults);
  const written = { folder: 'Templates', dateFormat: 'D.M.YY', timeFormat: 'h:mm a' };
  const disk = memoryDisk({ '.obsidian/templates.json': JSON.stringify(written) });
  expect(await readTemplateSettings(disk)).toMatchObject(written);
});
