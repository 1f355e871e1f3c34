import { describe, expect, it } from 'vitest';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import { limits } from '../../base/limits.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { IgnoreFile, isIgnoreFile } from './ignore-file.ts';

const name = '.vaultdoorignore';

/** The list of a vault with this text, its warnings, and a clock that the test moves on. */
function listOf(text?: string) {
  const disk = memoryDisk(text === undefined ? {} : { [name]: text });
  const warnings: string[] = [];
  const clock = { nowMs: 0 };
  const file = new IgnoreFile({
    disk,
    nowMs: () => clock.nowMs,
    warn: (problem) => warnings.push(problem),
  });
  const later = (): Promise<readonly string[]> => {
    clock.nowMs += limits.ignoreCheckMs;
    return file.globs();
  };
  return { disk, file, warnings, later };
}

describe('a .vaultdoorignore', () => {
  it.each<[string | undefined, string[]]>([
    [undefined, []],
    ['', []],
    ['Private\nJournal/2020\n', ['Private', 'Journal/2020']],
    ['# a comment\r\n\r\n  *.secret.md  \r\n', ['*.secret.md']],
    ['\ufeffPrivate', ['Private']],
    ['a#b', ['a#b']],
  ])('%j hides %j', async (text, globs) => {
    const { file, warnings } = listOf(text);
    expect(await file.globs()).toEqual(globs);
    expect(warnings).toEqual([]);
  });

  it('with "!" says once that this has no effect', async () => {
    const { file, warnings, later } = listOf('Private\n!Private/Open.md\n');
    expect(await file.globs()).toEqual(['Private']);
    expect(await later()).toEqual(['Private']);
    expect(warnings).toEqual([
      'Line 2 of .vaultdoorignore begins with "!", which is not supported.',
    ]);
  });

  it.each([
    ['*.[Mm]d', '['],
    ['Diary/{2020,2021}/**', '{'],
  ])('with %s hides files whose names have it, and says so', async (glob, found) => {
    const { file, warnings } = listOf(`Private\n${glob}\n`);
    expect(await file.globs()).toEqual(['Private', glob]);
    expect(warnings).toEqual([
      `Line 2 of .vaultdoorignore has "${found}", which stands for itself: only *, ** and ? stand for other characters.`,
    ]);
  });

  it('is read again when it has changed, and looked at only now and then', async () => {
    const { disk, file, later } = listOf('a');
    expect(await file.globs()).toEqual(['a']);
    disk.write(name, 'bb');
    expect(await file.globs()).toEqual(['a']);
    expect(await later()).toEqual(['bb']);
    disk.erase(name);
    expect(await later()).toEqual([]);
  });

  it.each([
    ['too long', 'a'.repeat(limits.ignoreFileBytesMax + 1)],
    ['of too many globs', 'a\n'.repeat(limits.ignoreGlobsMax + 1)],
  ])('that is %s serves nothing until it is corrected', async (_, text) => {
    const { disk, file, later } = listOf(text);
    const failure = { code: 'unavailable', message: expect.stringContaining('Nothing is served') };
    await expect(file.globs()).rejects.toMatchObject(failure);
    await expect(file.globs()).rejects.toMatchObject(failure);
    disk.write(name, 'a');
    expect(await later()).toEqual(['a']);
  });
});

it.each([
  ['.vaultdoorignore', true],
  ['.VaultDoorIgnore', true],
  ['a/.vaultdoorignore', false],
  ['vaultdoorignore', false],
])('%s is the list: %s', (path, expected) => {
  expect(isIgnoreFile(vaultPath(path))).toBe(expected);
});
