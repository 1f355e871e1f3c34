import { afterEach, describe, expect, it } from 'vitest';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import { readDaily } from '../read/read-daily.ts';
import { dailyNote } from './daily-note.ts';

type DailyNoteRequest = Parameters<typeof dailyNote>[1];

let vault: MemoryVault;
afterEach(() => vault.close());

const settings = (daily: object) => ({ '.obsidian/daily-notes.json': JSON.stringify(daily) });

describe('dailyNote', () => {
  const template = '---\ncreated: {{date}} # of the day\n---\n# {{title}}\n\n## Log\n';
  const templated = {
    ...settings({ folder: 'Days', template: 'Templates/Day' }),
    'Templates/Day.md': template,
  };
  const fresh = '---\ncreated: 2023-01-01 # of the day\n---\n# 2023-01-01\n\n## Log\n';
  const onDay = { date: '2023-01-01' };

  it.each<[string, Record<string, string>, DailyNoteRequest, string, string]>([
    ['in the root without settings (D02)', {}, onDay, '2023-01-01.md', ''],
    [
      'where a format with folders puts it (D01)',
      settings({ format: 'YYYY/MMMM/YYYY-MMM-DD' }),
      onDay,
      '2023/January/2023-Jan-01.md',
      '',
    ],
    ['from a template named without .md (D03, D04)', templated, onDay, 'Days/2023-01-01.md', fresh],
    [
      'and appends to it',
      templated,
      { ...onDay, content: '- x' },
      'Days/2023-01-01.md',
      `${fresh}- x\n`,
    ],
    [
      'and adds to a section',
      templated,
      { ...onDay, content: '- x', section: 'log' },
      'Days/2023-01-01.md',
      `${fresh}- x\n`,
    ],
    [
      'and prepends to it, after the properties',
      templated,
      { ...onDay, content: 'x', prepend: true },
      'Days/2023-01-01.md',
      fresh.replace('---\n# ', '---\nx\n# '),
    ],
    [
      'in the folder as it is spelled on disk',
      { ...settings({ folder: 'days' }), 'Days/old.md': '' },
      onDay,
      'Days/2023-01-01.md',
      '',
    ],
  ])('makes a note %s', async (_, files, request, path, text) => {
    vault = await openWrittenVault(files);
    const answer = await vault.change(dailyNote, request);
    expect(answer).toMatchObject({ path, created: true, warnings: [] });
    expect(vault.text(path)).toBe(text);
  });

  it('adds to a note that is there, whatever its case, and makes no second one', async () => {
    vault = await openWrittenVault({ ...templated, 'days/2023-01-01.md': 'mine' });
    const before = vault.disk.paths();
    const answer = await vault.change(dailyNote, { ...onDay, content: 'more' });
    expect(answer).toMatchObject({ path: 'days/2023-01-01.md', created: false });
    expect(vault.text('days/2023-01-01.md')).toBe('mine\nmore\n');
    expect(await vault.change(dailyNote, onDay)).toMatchObject({ created: false, files: [] });
    expect(vault.disk.paths()).toEqual(before);
  });

  it('is of today unless told', async () => {
    vault = await openWrittenVault(settings({ format: 'YYYY-MM' }));
    expect(await vault.change(dailyNote, {})).toMatchObject({ path: '2023-11.md', created: true });
  });

  it('touches nothing in a dry run', async () => {
    vault = await openWrittenVault(templated);
    const before = vault.files();
    const answer = await vault.change(dailyNote, { ...onDay, dryRun: true });
    expect(answer).toMatchObject({ path: 'Days/2023-01-01.md', created: true, dryRun: true });
    expect(answer.diff).toContain('+# 2023-01-01');
    expect(vault.files()).toEqual(before);
  });

  it('warns of a template that is missing, or that the caller may not see', async () => {
    vault = await openWrittenVault({ ...templated, ...settings({ template: 'Gone' }) });
    const warnings = [expect.stringContaining('without a template')];
    expect(await vault.change(dailyNote, onDay)).toMatchObject({ created: true, warnings });
    await vault.close();
    vault = await openWrittenVault(templated);
    const limited = vault.as({ scopes: { ...allScopes, hide: ['Templates/**'] } });
    expect(await limited.change(dailyNote, { ...onDay, dryRun: false })).toMatchObject({
      created: true,
      warnings,
    });
    expect(vault.text('Days/2023-01-01.md')).toBe('');
  });

  it('refuses what cannot be meant, and leaves nothing behind', async () => {
    vault = await openWrittenVault({ ...settings({ format: 'YYYY-MM-DD HH:mm' }), 'a.md': '' });
    const before = vault.files();
    const refused = async (request: DailyNoteRequest) =>
      expect(vault.change(dailyNote, request)).rejects.toMatchObject({ code: 'invalid_input' });
    await refused({ date: 'someday' });
    await refused({ content: 'x', prepend: true, section: 'Log' });
    await refused(onDay); // A colon in a name.
    expect(vault.files()).toEqual(before);
  });

  it('makes no note for a section that is not there', async () => {
    vault = await openWrittenVault(templated);
    const before = vault.files();
    const request = { ...onDay, content: 'x', section: 'Nowhere' };
    await expect(vault.change(dailyNote, request)).rejects.toMatchObject({ code: 'not_found' });
    expect(vault.files()).toEqual(before);
  });
});

describe('the note of a longer period', () => {
  const periodic = {
    '.obsidian/plugins/periodic-notes/data.json': JSON.stringify({
      weekly: { enabled: true, folder: 'Weeks', template: 'Templates/Week' },
      monthly: { enabled: true, format: 'YYYY/MMMM' },
    }),
    'Templates/Week.md': '# {{title}}\n{{monday:YYYY-MM-DD}} <% tp.file.folder() %>\n',
  };

  it('is made where the Periodic Notes plugin wants it, and found again', async () => {
    vault = await openWrittenVault(periodic);
    const week = { date: '2023-01-04', period: 'week' } as const;
    expect(await readDaily(vault.vault, week)).toEqual({ path: 'Weeks/2023-W01.md' });
    const answer = await vault.change(dailyNote, { ...week, content: '- x' });
    expect(answer).toMatchObject({ path: 'Weeks/2023-W01.md', created: true });
    const text = '# 2023-W01\n2023-01-02 Weeks\n- x\n';
    expect(vault.text('Weeks/2023-W01.md')).toBe(text);
    const again = { ...week, date: '2023-01-06' };
    expect(await readDaily(vault.vault, again)).toMatchObject({ text });
    const month = { date: '2023-01-04', period: 'month', content: 'm' } as const;
    expect(await vault.change(dailyNote, month)).toMatchObject({ path: '2023/January.md' });
  });

  it('is refused where the vault has no settings for it', async () => {
    vault = await openWrittenVault(periodic);
    const before = vault.files();
    const year = { period: 'year', content: 'x' } as const;
    const refused = { code: 'invalid_input', details: { period: 'year' } };
    await expect(vault.change(dailyNote, year)).rejects.toMatchObject(refused);
    await expect(readDaily(vault.vault, year)).rejects.toMatchObject(refused);
    expect(vault.files()).toEqual(before);
  });
});

it('makes no daily note from a template that would run JavaScript', async () => {
  vault = await openWrittenVault({
    ...settings({ template: 'Day' }),
    'Day.md': '# {{title}}\n<%* tR += "x" %>\n',
  });
  const before = vault.files();
  await expect(vault.change(dailyNote, { content: 'x' })).rejects.toMatchObject({
    code: 'invalid_input',
    details: { path: 'Day.md', line: 2, command: '<%* … %>' },
  });
  expect(vault.files()).toEqual(before);
});

describe('readDaily', () => {
  it('answers the text of a note that is there, and the path of one that is not', async () => {
    vault = await openWrittenVault({
      ...settings({ folder: 'Days' }),
      'days/2023-01-01.md': 'mine',
    });
    expect(await readDaily(vault.vault, { date: '2023-01-01' })).toMatchObject({
      path: 'days/2023-01-01.md',
      text: 'mine',
    });
    expect(await readDaily(vault.vault, { date: '2023-01-02' })).toEqual({
      path: 'Days/2023-01-02.md',
    });
  });
});
