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
