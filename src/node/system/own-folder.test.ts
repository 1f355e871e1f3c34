import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { closeOwnFolder, makeOwnFolder } from './own-folder.ts';

const modeOf = (folder: string): number => statSync(folder).mode & 0o777;

describe.skipIf(process.platform === 'win32')('a folder of our own', () => {
  it.each([
    ['made', makeOwnFolder],
    ['made and closed', closeOwnFolder],
  ])('is for its owner alone when it is %s', async (_how, make) => {
    const folder = join(tempFolder(), 'a', 'b');
    await make(folder);
    expect([modeOf(join(folder, '..')), modeOf(folder)]).toEqual([0o700, 0o700]);
  });

  it.each([
    ['stays open where others may use it', makeOwnFolder, 0o755],
    ['is closed where nobody else has a use for it', closeOwnFolder, 0o700],
  ])('that was open %s', async (_what, make, mode) => {
    const folder = join(tempFolder(), 'a');
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    await make(folder);
    expect(modeOf(folder)).toBe(mode);
  });
});
