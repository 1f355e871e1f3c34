import { describe, expect, it } from 'vitest';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import { readDailySettings, readTemplateSettings, readUniqueSettings } from './note-settings.ts';
import { readPeriodSettings } from './period-settings.ts';

const daily = (settings: unknown) =>
  readDailySettings(memoryDisk({ '.obsidian/daily-notes.json': JSON.stringify(settings) }));

describe('readDailySettings', () => {
  const file = '.obsidian/daily-notes.json';
  const defaults = { file, folder: '', format: 'YYYY-MM-DD', template: undefined, problems: [] };

  it("has Obsidian's defaults where nothing is said (D02)", async () => {
    expect(await readDailySettings(memoryDisk({ 'a.md': '' }))).toEqual(defaults);
    expect(await daily({ folder: '', format: ' ', template: '', autorun: true })).toEqual(defaults);
    expect(await daily({ folder: 5, format: null, template: [] })).toEqual(defaults);
    expect(await daily({ folder: '/' })).toEqual(defaults);
  });

  it('reads what the app wrote', async () => {
    const written = { folder: '/Journal/Daily/', format: 'YYYY/MM-DD', template: 'Templates/Day' };
    expect(await daily(written)).toEqual({
      ...written,
      file,
      folder: 'Journal/Daily',
      problems: [],
    });
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

it('takes the template folder of Templater where the app has none', async () => {
  const templater = {
    '.obsidian/plugins/templater-obsidian/data.json': '{"templates_folder":"_meta/templates/"}',
  };
  const folderOf = async (files: Record<string, string>) =>
    (await readTemplateSettings(memoryDisk(files))).folder;
  expect(await folderOf(templater)).toBe('_meta/templates');
  expect(await folderOf({ ...templater, '.obsidian/templates.json': '{"folder":"T"}' })).toBe('T');
});

describe('readPeriodSettings', () => {
  const plugin = '.obsidian/plugins/periodic-notes/data.json';
  const read = (settings: object, period: 'day' | 'week' | 'quarter', more = {}) =>
    readPeriodSettings(memoryDisk({ [plugin]: JSON.stringify(settings), ...more }), period);
  const weekly = { enabled: true, folder: 'Weeks/', format: '', template: 'T/Week.md' };

  it('reads what the plugin wrote, in its old and its new form', async () => {
    const expected = {
      file: plugin,
      folder: 'Weeks',
      format: 'gggg-[W]ww',
      template: 'T/Week.md',
      isPeriodic: true,
    };
    expect(await read({ weekly }, 'week')).toMatchObject(expected);
    const { template: templatePath, ...week } = weekly;
    const sets = [{ id: 'Other' }, { id: 'Mine', week: { ...week, templatePath } }];
    expect(await read({ calendarSets: sets, activeCalendarSet: 'Mine' }, 'week')).toMatchObject(
      expected,
    );
    expect(await read({ quarterly: { enabled: true } }, 'quarter')).toMatchObject({
      format: 'YYYY-[Q]Q',
    });
  });

  it('takes days from the plugin only where it is on and has them', async () => {
    const daily = { enabled: true, format: 'YY', folder: 'P' };
    const app = { '.obsidian/daily-notes.json': '{"folder":"A"}' };
    const on = { '.obsidian/community-plugins.json': '["periodic-notes"]' };
    const off = { '.obsidian/community-plugins.json': '["dataview"]' };
    expect((await read({ daily }, 'day', { ...app, ...on })).folder).toBe('P');
    expect((await read({ daily }, 'day', app)).folder).toBe('P');
    expect((await read({ daily }, 'day', { ...app, ...off })).folder).toBe('A');
    expect((await read({ daily: { ...daily, enabled: false } }, 'day', app)).folder).toBe('A');
    await expect(read({ weekly }, 'week', off)).rejects.toThrow('no weekly notes');
  });

  it('says what is missing where nothing is set', async () => {
    for (const settings of [{}, { weekly: { ...weekly, enabled: false } }, { weekly: 5 }]) {
      await expect(read(settings, 'week')).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('Periodic Notes'),
      });
    }
    await expect(read({ weekly: { ...weekly, folder: '../x' } }, 'week')).rejects.toMatchObject({
      details: { path: plugin },
    });
  });
});
