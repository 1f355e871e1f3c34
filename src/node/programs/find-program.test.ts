import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { findProgram } from './find-program.ts';

describe.skipIf(process.platform === 'win32')('findProgram', () => {
  const found = (names: readonly string[], PATH: string | undefined) =>
    findProgram(names, { platform: 'linux', env: { PATH } });

  it('finds the first that may be run, the better name before the earlier folder', () => {
    const folder = tempFolder({ 'a/x': '', 'b/x': '', 'b/y': '', 'c/y': '' });
    for (const file of ['b/x', 'c/y']) chmodSync(join(folder, file), 0o755);
    mkdirSync(join(folder, 'a/y'));
    const path = ['a', 'b', 'c'].map((name) => join(folder, name)).join(':');
    expect(found(['x'], path)).toBe(join(folder, 'b/x'));
    expect(found(['y', 'x'], path)).toBe(join(folder, 'c/y'));
    expect(found(['z'], path)).toBeUndefined();
  });

  it.each([undefined, '', '.', ':', 'bin:./bin', '/nowhere'])('finds nothing on %j', (path) => {
    expect(found(['node', 'package.json', 'scripts'], path)).toBeUndefined();
  });
});
