import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makesSymlinks } from '../../../test/support/makes-symlinks.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { dropBackups, readBackups } from './backups.ts';
import { readConfigFile, replaceConfigFile } from './config-file.ts';

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

  it('keeps the first version, the last one without our entry, and the last one', async () => {
    const folder = tempFolder({ 'c.json': 'one' });
    const path = join(folder, 'c.json');
    const written = async (...texts: readonly string[]): Promise<readonly string[]> => {
      for (const text of texts) await replaceConfigFile(await readConfigFile(path), text);
      return readBackups(await readConfigFile(path));
    };
    expect(await written('vaultdoor 1', 'vaultdoor 2', 'vaultdoor 3')).toEqual([
      'one',
      'vaultdoor 2',
    ]);
    expect(await written('two', 'vaultdoor 4')).toEqual(['one', 'two']);
    expect(await written('vaultdoor 5', 'vaultdoor 6', 'one')).toEqual([
      'one',
      'two',
      'vaultdoor 6',
    ]);
    expect(readdirSync(folder)).toHaveLength(4);
  });

  it('gives an empty file, as after a crash, the place of no backup', async () => {
    const folder = tempFolder({ 'c.json': '{"theirs": 1}' });
    const path = join(folder, 'c.json');
    await replaceConfigFile(await readConfigFile(path), '{"vaultdoor": 1}');
    await replaceConfigFile(await readConfigFile(path), '{"vaultdoor": 2}');
    const before = await readBackups(await readConfigFile(path));
    writeFileSync(path, '\n');
    await replaceConfigFile(await readConfigFile(path), '{"vaultdoor": 3}');
    expect(await readBackups(await readConfigFile(path))).toEqual(before);
  });

  it('keeps a backup that has servers which the file has lost, as after a crash', async () => {
    const whole =
      '{"mcpServers": {"vaultdoor": {}, "other": {"env": {"KEY": "secret"}}}, "theme": 1}';
    const folder = tempFolder({ 'c.json': '\ufeff{} // before us' });
    const path = join(folder, 'c.json');
    await replaceConfigFile(await readConfigFile(path), whole);
    await replaceConfigFile(await readConfigFile(path), whole.replace('1', '2'));
    const kept = await readBackups(await readConfigFile(path));
    expect(kept).toContain(whole);
    writeFileSync(path, '');
    for (const option of ['1', '2', '3', '4', '5', '6']) {
      const text = `{"mcpServers": {"vaultdoor": {"args": [${option}]}}}`;
      await replaceConfigFile(await readConfigFile(path), text);
    }
    const backups = await readBackups(await readConfigFile(path));
    expect(backups).toEqual([...kept, '{"mcpServers": {"vaultdoor": {"args": [5]}}}']);
  });

  it('keeps it also where the app has begun a new file meanwhile, without an entry of ours', async () => {
    const whole =
      '{"mcpServers": {"vaultdoor": {}, "other": {"env": {"KEY": "secret"}}}, "theme": 1}';
    const path = join(tempFolder({ 'c.json': '{}' }), 'c.json');
    await replaceConfigFile(await readConfigFile(path), whole);
    await replaceConfigFile(await readConfigFile(path), whole.replace('1', '2'));
    writeFileSync(path, '{"theme": 3}');
    for (const option of ['1', '2', '3', '4']) {
      const text = `{"mcpServers": {"vaultdoor": {"args": [${option}]}}, "theme": 3}`;
      await replaceConfigFile(await readConfigFile(path), text);
      expect(await readBackups(await readConfigFile(path))).toContain(whole);
    }
    const last = '{"mcpServers": {"vaultdoor": {"args": [3]}}, "theme": 3}';
    expect(await readBackups(await readConfigFile(path))).toEqual(['{}', whole, last]);
  });

  it('removes the backups that earlier versions have piled up', async () => {
    const pile = [1, 2, 3, 4, 5].map((number) => [
      `c.json.vaultdoor-backup${number === 1 ? '' : `-${number}`}`,
      `vaultdoor ${number}`,
    ]);
    const folder = tempFolder({ 'c.json': 'one', ...Object.fromEntries(pile) });
    await replaceConfigFile(await readConfigFile(join(folder, 'c.json')), 'two');
    expect(await readBackups(await readConfigFile(join(folder, 'c.json')))).toEqual([
      'vaultdoor 1',
      'one',
      'vaultdoor 3',
    ]);
  });

  it('drops the backups of a file that is as it was, but not those with another text', async () => {
    const folder = tempFolder({ 'c.json': 'one' });
    const path = join(folder, 'c.json');
    for (const text of ['vaultdoor 1', 'vaultdoor 2', 'one']) {
      await replaceConfigFile(await readConfigFile(path), text);
    }
    const backup = `${path}.vaultdoor-backup`;
    const file = await readConfigFile(path);
    expect((await dropBackups(file, 'other')).map(({ path }) => path)).toEqual([
      backup,
      `${backup}-2`,
    ]);
    writeFileSync(`${backup}-3`, 'not ours');
    expect(await dropBackups(file, 'one')).toMatchObject([{ path: `${backup}-3` }]);
    expect(readdirSync(folder).sort()).toEqual(['c.json', 'c.json.vaultdoor-backup-3']);
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
  it('takes a missing file for none', async () => {
    const path = join(tempFolder(), 'x/c.json');
    expect((await readConfigFile(path)).text).toBeUndefined();
  });

  it.runIf(makesSymlinks)('refuses a symlink that leads nowhere', async () => {
    const folder = tempFolder();
    symlinkSync(join(folder, 'gone'), join(folder, 'link'));
    await expect(readConfigFile(join(folder, 'link'))).rejects.toThrow(/does not exist/);
  });
});
