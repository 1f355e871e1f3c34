import { afterEach, describe, expect, it } from 'vitest';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import { renameNamed } from './rename-named.ts';

let opened: MemoryVault | undefined;
afterEach(() => opened?.close());

type Files = Readonly<Record<string, string>>;

const files: Files = {
  'Plan.md': '# Plan\n\n## Old part\n\n### Deep\n\ntext ^id\n',
  'Box/Sub/In.md': '#old\n',
  'Links.md':
    '---\ntags: [old/child]\n---\n[[Plan]] [[Plan#Old part]] [[Plan#^id]] [[Box/Sub/In]] #Old\n',
};

async function vaultWith(given: Files): Promise<MemoryVault> {
  opened = await openWrittenVault(given);
  return opened;
}

describe('what a name means', () => {
  it.each<[string, string, object, Files]>([
    [
      'Box/',
      'Crate/',
      { what: 'folder', path: 'Crate', moved: 1, links: 1 },
      { 'Crate/Sub/In.md': '#old\n' },
    ],
    [
      'box/sub/',
      'Other',
      { what: 'folder', path: 'Box/Other', moved: 1 },
      { 'Box/Other/In.md': '#old\n' },
    ],
    ['Box/Sub/', '/Sub/', { what: 'folder', path: 'Sub' }, { 'Sub/In.md': '#old\n' }],
    ['Box/Sub/', '/', { what: 'folder', path: 'Sub' }, { 'Sub/In.md': '#old\n' }],
    ['Box/Sub/', 'New/Deep/', { path: 'New/Deep' }, { 'New/Deep/In.md': '#old\n' }],
    [
      '#old',
      '#new',
      { what: 'tag', notes: 2, count: 3, joined: 0 },
      {
        'Box/Sub/In.md': '#new\n',
        'Links.md': files['Links.md']?.replace(/old\/|Old$/gim, 'new') ?? '',
      },
    ],
    [
      'Plan#Old part',
      'New part',
      { what: 'heading', path: 'Plan.md', links: 1, notes: 1 },
      { 'Plan.md': '# Plan\n\n## New part\n\n### Deep\n\ntext ^id\n' },
    ],
    [
      'Plan#Old part > Deep',
      'Deeper',
      { what: 'heading' },
      { 'Plan.md': '# Plan\n\n## Old part\n\n### Deeper\n\ntext ^id\n' },
    ],
    [
      'Plan#Old part#Deep',
      'Plan#Deeper',
      { what: 'heading' },
      { 'Plan.md': '# Plan\n\n## Old part\n\n### Deeper\n\ntext ^id\n' },
    ],
    [
      'Plan#^id',
      '^new',
      { what: 'block', links: 1 },
      { 'Plan.md': '# Plan\n\n## Old part\n\n### Deep\n\ntext ^new\n' },
    ],
    ['Plan#^id', 'Plan#^new', { what: 'block' }, {}],
    ['Plan', 'Idea', { what: 'note', path: 'Idea.md', oldHeading: 'Plan', links: 3 }, {}],
    ['Box/Sub/In', 'Out', { what: 'note', path: 'Box/Sub/Out.md' }, {}],
  ])('%s to %s', async (name, newName, expected, after) => {
    const vault = await vaultWith(files);
    const plan = await vault.change(renameNamed, { name, newName, dryRun: true });
    expect(plan.diff).toBeDefined();
    expect(vault.files()).toEqual(files);
    expect(await vault.change(renameNamed, { name, newName })).toMatchObject(expected);
    if (name !== '#old') expect(vault.files()).toMatchObject(after);
    else expect(vault.text('Box/Sub/In.md')).toBe('#new\n');
    expect(await vault.indexFaults()).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['C# notes', 'D', 'D.md'],
    ['#old', 'new', 'new.md'],
    ['C', 'B', 'B.md'],
  ])('a file that is called "%s" is that file', async (name, newName, path) => {
    const vault = await vaultWith({ 'C.md': '', 'C# notes.md': '# In', '#old.md': '#old' });
    expect(await vault.change(renameNamed, { name, newName })).toMatchObject({
      what: 'note',
      path,
    });
  });

  it('a heading may be in a note whose name has "#" in it, or have one itself', async () => {
    const vault = await vaultWith({ 'C.md': '# About C# things\n', 'C# notes.md': '# In\n' });
    await vault.change(renameNamed, { name: 'C# notes#In', newName: 'Out' });
    await vault.change(renameNamed, { name: 'C#About C# things', newName: 'About' });
    expect(vault.files()).toEqual({ 'C.md': '# About\n', 'C# notes.md': '# Out\n' });
  });

  it('a path means that file alone', async () => {
    const vault = await vaultWith({ 'A.md': '# B\n' });
    const request = { name: { path: 'A.md#B' }, newName: 'C' };
    await expect(vault.change(renameNamed, request)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('is refused, and nothing changes:', () => {
  const wrong = '0'.repeat(64) as Version;
  it.each<[string, string, string, RegExp, Version?]>([
    ['Box', 'Crate', 'not_found', /"Box" is a folder; .* give it as "Box\/"/],
    ['Nowhere/', 'New/', 'not_found', /no folder "Nowhere"/],
    ['Box/', 'Taken', 'already_exists', /not merged; .* "Taken\/Box\/"/],
    ['Box/', 'Box/Sub/', 'invalid_input', /into itself/],
    ['Box/', 'Box/Sub/Box/', 'invalid_input', /into itself/],
    ['/', 'New/', 'invalid_input', /vault itself/],
    ['Plan.md/', 'New/', 'not_a_folder', /is a file/],
    ['Box/', '../Out/', 'outside_vault', /./],
    ['#none', '#new', 'not_found', /no note .*"#none"/i],
    ['#old', 'two words', 'invalid_input', /cannot be a tag/],
    ['#old', '#1984', 'invalid_input', /cannot be a tag/],
    ['# Plan', 'x', 'invalid_input', /cannot be a tag/],
    ['Plan#None', 'x', 'not_found', /Old part/],
    ['Plan#', 'x', 'invalid_input', /cannot be empty/],
    ['Plan#Old part', '## x', 'invalid_input', /without the "#"/],
    ['Plan#^none', '^x', 'not_found', /no block/],
    ['Plan#^id', 'a b', 'invalid_input', /letters, digits/],
    ['Plam#Old part', 'x', 'not_found', /Closest: "Plan"/],
    ['Box/', 'Crate/', 'invalid_input', /version/, wrong],
    ['#old', '#new', 'invalid_input', /version/, wrong],
    ['Plan#Old part', 'x', 'conflict', /./, wrong],
    ['Plan#^id', '^x', 'conflict', /./, wrong],
    ['Plan', 'x', 'conflict', /./, wrong],
  ])('%s to %s: %s', async (name, newName, code, message, version) => {
    const before = { ...files, 'Taken/x.md': '' };
    const vault = await vaultWith(before);
    const request = { name, newName, ...(version === undefined ? {} : { version }) };
    await expect(vault.change(renameNamed, request)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    expect(vault.files()).toEqual(before);
  });
});

it('moves a folder into one that exists when the new name ends in a slash', async () => {
  const vault = await vaultWith({ 'Areas/x.md': '', 'Projects/Pond/In.md': '', 'L.md': '[[In]]' });
  const answer = await vault.change(renameNamed, { name: 'Projects/Pond/', newName: 'Areas/' });
  expect(answer).toMatchObject({ what: 'folder', path: 'Areas/Pond' });
  expect(vault.files()).toMatchObject({ 'Areas/Pond/In.md': '', 'Areas/x.md': '' });
});

it('says how many notes had the tag that another becomes', async () => {
  const vault = await vaultWith({ 'a.md': '#old', 'b.md': '#new', 'c.md': '#new/x #old' });
  const answer = await vault.change(renameNamed, { name: '#old', newName: '#New' });
  expect(answer).toMatchObject({ notes: 2, joined: 1 });
});

it.each([
  ['#a/b', '#a', 1],
  ['#e', '#c', 0],
])('counts no nested tags when %s becomes %s', async (name, newName, joined) => {
  const vault = await vaultWith({ '1.md': '#a', '2.md': '#a/b', '3.md': '#c/d', '4.md': '#e' });
  expect(await vault.change(renameNamed, { name, newName })).toMatchObject({ notes: 1, joined });
});

it('tells a heading of the old name only when it is the first one, and the name has changed', async () => {
  const given = { 'A.md': '# Other\n# A\n', 'B.md': '---\nx: 1\n---\n# b\n', 'C.md': '# C\n' };
  const vault = await vaultWith(given);
  const rename = (name: string, newName: string) =>
    vault.change(renameNamed, { name, newName }) as Promise<{ oldHeading?: string }>;
  expect((await rename('A', 'X')).oldHeading).toBeUndefined();
  expect((await rename('B', 'Y')).oldHeading).toBe('b');
  expect((await rename('C', 'Sub/C')).oldHeading).toBeUndefined();
});

it('does not touch a folder with notes that the caller may not see', async () => {
  const vault = await vaultWith({ 'Box/a.md': '', 'Box/Hidden/b.md': 'quagga', 'n.md': '#old' });
  const scopes = { ...vault.vault.caller.scopes, hide: ['Box/Hidden/**'] };
  const limited = vault.as({ scopes });
  const move = limited.change(renameNamed, { name: 'Box/', newName: 'Crate/' });
  await expect(move).rejects.toMatchObject({ code: 'forbidden' });
  const away = limited.change(renameNamed, { name: 'Box/Hidden/', newName: 'Seen/' });
  await expect(away).rejects.toMatchObject({ code: 'not_found' });
  expect(vault.disk.paths()).toContain(vaultPath('Box/Hidden/b.md'));
});

it('renames a tag only in notes that the caller may see', async () => {
  const vault = await vaultWith({ 'a.md': '#old', 'Hidden/b.md': '#old #secret' });
  const limited = vault.as({ scopes: { ...vault.vault.caller.scopes, hide: ['Hidden/**'] } });
  const answer = await limited.change(renameNamed, { name: '#old', newName: '#new' });
  expect(answer).toMatchObject({ notes: 1, count: 1 });
  expect(vault.files()).toEqual({ 'a.md': '#new', 'Hidden/b.md': '#old #secret' });
  const secret = limited.change(renameNamed, { name: '#secret', newName: '#new' });
  await expect(secret).rejects.toMatchObject({ code: 'not_found' });
});
