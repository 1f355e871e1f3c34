import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../../test/support/failure-of.ts';
import { makesSymlinks } from '../../../../test/support/makes-symlinks.ts';
import { tempFolder, writeFiles } from '../../../../test/support/temp-folder.ts';
import { readCheckoutFile, writeCheckoutFile } from './checkout-file.ts';

const file = 'docs/adr/ADR-001-x.md';
const bytes = new TextEncoder().encode('new');

describe('readCheckoutFile', () => {
  it.each<[string, Readonly<Record<string, string>>, string | undefined]>([
    ['a file that is there', { [file]: 'text' }, 'text'],
    ['one that is not', { 'docs/adr/y.md': '' }, undefined],
    ['one whose folders are not', {}, undefined],
  ])('reads %s', async (_, files, text) => {
    const read = await readCheckoutFile(tempFolder(files), file);
    expect(read && Buffer.from(read).toString()).toBe(text);
  });

  it.runIf(makesSymlinks).each([
    ['docs', 'adr/ADR-001-x.md'],
    ['docs/adr', 'ADR-001-x.md'],
    [file, 'ADR-001-x.md'],
  ])('refuses it when "%s" is a symlink', async (link, inside) => {
    const outside = tempFolder({ [inside]: 'outside' });
    const checkout = tempFolder();
    if (link !== 'docs') writeFiles(checkout, { 'docs/x': '' });
    if (link === file) writeFiles(checkout, { 'docs/adr/x': '' });
    symlinkSync(link === file ? join(outside, inside) : outside, join(checkout, link));
    const { code, details } = await failureOf(readCheckoutFile(checkout, file));
    expect([code, details]).toEqual(['conflict', { file: link }]);
  });

  it('refuses a file where a folder should be', async () => {
    const checkout = tempFolder({ 'docs/adr': 'a file' });
    expect(await failureOf(readCheckoutFile(checkout, file))).toMatchObject({ code: 'conflict' });
  });
});

describe('writeCheckoutFile', () => {
  it('makes the file and its folders, and leaves nothing else', async () => {
    const checkout = tempFolder();
    await writeCheckoutFile(checkout, file, bytes);
    expect(readFileSync(join(checkout, file), 'utf8')).toBe('new');
    expect(readdirSync(join(checkout, 'docs/adr'))).toEqual(['ADR-001-x.md']);
  });

  it.skipIf(process.platform === 'win32')('keeps the mode of a file that it replaces', async () => {
    const checkout = tempFolder({ [file]: 'old' });
    chmodSync(join(checkout, file), 0o640);
    await writeCheckoutFile(checkout, file, bytes);
    expect(statSync(join(checkout, file)).mode & 0o777).toBe(0o640);
  });

  it('removes it when there is nothing to write', async () => {
    const checkout = tempFolder({ [file]: 'old' });
    await writeCheckoutFile(checkout, file, undefined);
    expect(await readCheckoutFile(checkout, file)).toBeUndefined();
  });
});
