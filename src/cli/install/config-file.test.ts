import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { readBackups, readConfigFile, replaceConfigFile } from './config-file.ts';

describe('replaceConfigFile', () => {
  it('keeps what another program wrote meanwhile', async () => {
    const folder = tempFolder({ 'c.json': '{}' });
    const path = join(folder, 'c.json');
    const file = await readConfigFile(path);
    writeFileSync(path, '{"theirs": 1}');
    await expect(replaceConfigFile(file, '{"ours": 1}')).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(readFileSync(path, 'utf8')).toBe('{"theirs": 1}');
    expect(readdirSync(folder).sort()).toEqual(['c.json', 'c.json.vaultdoor-backup']);
  });

  it('does not replace a file that came meanwhile', async () => {
    const path = join(tempFolder(), 'c.json');
    const file = await readConfigFile(path);
    writeFileSync(path, 'theirs');
    await expect(replaceConfigFile(file, 'ours')).rejects.toMatchObject({ code: 'conflict' });
    expect(readFileSync(path, 'utf8')).toBe('theirs');
  });

  it('keeps every version once, and overwrites no backup', async () => {
    const folder = tempFolder({ 'c.json': 'one', 'c.json.vaultdoor-backup': 'an older one' });
    const path = join(folder, 'c.json');
    for (const text of ['two', 'one', 'three']) {
      await replaceConfigFile(await readConfigFile(path), text);
    }
    expect(await readBackups(await readConfigFile(path))).toEqual(['an older one', 'one', 'two']);
  });

  it('leaves no backup where nothing could be written', async () => {
    const folder = tempFolder({ 'c.json': '{}', [`.~vd-${process.pid}.tmp/in-the-way`]: '' });
    const file = await readConfigFile(join(folder, 'c.json'));
    await expect(replaceConfigFile(file, 'ours')).rejects.toThrow(/c\.json/);
    expect(readdirSync(folder).sort()).toEqual([`.~vd-${process.pid}.tmp`, 'c.json']);
  });

  it('writes a byte order mark as it was read', async () => {
    const path = join(tempFolder({ 'c.json': '\ufeff{}' }), 'c.json');
    const file = await readConfigFile(path);
    expect(file.text).toBe('\ufeff{}');
    await replaceConfigFile(file, `${file.text}\n`);
    expect([...readFileSync(path)]).toEqual([0xef, 0xbb, 0xbf, 0x7b, 0x7d, 0x0a]);
  });
});

describe('readConfigFile', () => {
  it('takes a missing file for none, and refuses a symlink that leads nowhere', async () => {
    const folder = tempFolder();
    expect((await readConfigFile(join(folder, 'x/c.json'))).text).toBeUndefined();
    symlinkSync(join(folder, 'gone'), join(folder, 'link'));
    await expect(readConfigFile(join(folder, 'link'))).rejects.toThrow(/does not exist/);
  });
});
