import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { openSystemTrash } from './system-trash.ts';

const nowMs = new Date(2026, 1, 3, 4, 5, 6).getTime();
const bytes = (text: string) => new TextEncoder().encode(text);

function open(env: Record<string, string>, platform: NodeJS.Platform = 'linux') {
  return openSystemTrash({
    root: '/home/ann/My vault',
    env,
    platform,
    clock: { nowMs: () => nowMs },
  });
}

/** Every file of a trash with its text. */
function contents(trash: string): Record<string, string> {
  const names = ['files', 'info'].flatMap((folder) =>
    readdirSync(join(trash, folder)).map((name) => `${folder}/${name}`),
  );
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(trash, name), 'utf8')]));
}

// The trash of Linux desktops; other systems have none here.
const onLinux = test.skipIf(process.platform === 'win32');

onLinux(
  'a file is there with where it was and when it was deleted, for its owner only',
  async () => {
    const data = tempFolder();
    const put = await open({ XDG_DATA_HOME: data }).put(vaultPath('F/50% ä#?.md'), bytes('text'));
    expect(put?.where).toBe('the trash of the system, as "50% ä#?.md"');
    expect(contents(join(data, 'Trash'))).toEqual({
      'files/50% ä#?.md': 'text',
      'info/50% ä#?.md.trashinfo':
        '[Trash Info]\nPath=/home/ann/My%20vault/F/50%25%20%C3%A4%23%3F.md\nDeletionDate=2026-02-03T04:05:06\n',
    });
    for (const folder of ['Trash', 'Trash/files', 'Trash/info']) {
      expect(statSync(join(data, folder)).mode & 0o777).toBe(0o700);
    }
    expect(statSync(join(data, 'Trash/files/50% ä#?.md')).mode & 0o777).toBe(0o600);
  },
);

onLinux('what is put there can be taken back, and only that', async () => {
  const data = tempFolder();
  const trash = open({ XDG_DATA_HOME: data });
  await trash.put(vaultPath('a.md'), bytes('one'));
  const second = await trash.put(vaultPath('F/a.md'), bytes('two'));
  expect(Object.keys(contents(join(data, 'Trash')))).toContain('files/a.2.md');
  await second?.takeBack();
  await second?.takeBack();
  expect(contents(join(data, 'Trash'))).toMatchObject({ 'files/a.md': 'one' });
  expect(Object.keys(contents(join(data, 'Trash')))).toHaveLength(2);
});

onLinux('twenty files of one name at once are all there', async () => {
  const data = tempFolder();
  const trash = open({ XDG_DATA_HOME: data });
  const texts = Array.from({ length: 20 }, (_, i) => String(i));
  await Promise.all(texts.map((text) => trash.put(vaultPath(`${text}/a.md`), bytes(text))));
  const found = Object.entries(contents(join(data, 'Trash')));
  expect(found.filter(([name]) => name.startsWith('info/'))).toHaveLength(20);
  const files = found.flatMap(([name, text]) => (name.startsWith('files/') ? [text] : []));
  expect(files.sort()).toEqual(texts.sort());
});

onLinux('a file in the trash that lost its information is not touched', async () => {
  const data = tempFolder({ 'Trash/files/a.md': 'lost' });
  await open({ XDG_DATA_HOME: data }).put(vaultPath('a.md'), bytes('new'));
  expect(contents(join(data, 'Trash'))).toEqual({
    'files/a.md': 'lost',
    'files/a.2.md': 'new',
    'info/a.2.md.trashinfo': expect.stringContaining('My%20vault/a.md'),
  });
});

onLinux.each([
  ['a name as long as a disk allows', `${'ä'.repeat(126)}.md`],
  ['a long name without an extension', 'x'.repeat(255)],
  ['an extension as long as a disk allows', `a.${'x'.repeat(253)}`],
])('%s fits twice', async (_, name) => {
  const data = tempFolder();
  const trash = open({ XDG_DATA_HOME: data });
  await trash.put(vaultPath(name), bytes('one'));
  await trash.put(vaultPath(name), bytes('two'));
  expect(readdirSync(join(data, 'Trash/files'))).toHaveLength(2);
});

onLinux(
  'without XDG_DATA_HOME, or one that is not absolute, it is in the home folder',
  async () => {
    const home = tempFolder();
    await open({ HOME: home }).put(vaultPath('a.md'), bytes(''));
    await open({ HOME: home, XDG_DATA_HOME: 'here' }).put(vaultPath('b.md'), bytes(''));
    const names = readdirSync(join(home, '.local/share/Trash/files'));
    expect(names.sort()).toEqual(['a.md', 'b.md']);
  },
);

onLinux('there is none on other platforms, nor where its folder cannot be made', async () => {
  const data = tempFolder();
  for (const platform of ['darwin', 'win32'] as const) {
    const trash = open({ XDG_DATA_HOME: data }, platform);
    expect(await trash.put(vaultPath('a.md'), bytes(''))).toBeUndefined();
  }
  expect(readdirSync(data)).toEqual([]);
  writeFileSync(join(data, 'Trash'), '');
  expect(await open({ XDG_DATA_HOME: data }).put(vaultPath('a.md'), bytes(''))).toBeUndefined();
});
