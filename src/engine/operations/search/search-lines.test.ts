import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../../../test/support/failure-of.ts';
import { tempFolder, writeFiles } from '../../../../test/support/temp-folder.ts';
import { openWrittenFolder, type WrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes, type Scopes } from '../../../base/caller.ts';
import { limits } from '../../../base/limits.ts';
import { vaultFolder } from '../../../base/vault-path.ts';
import { openRipgrep } from '../../../node/programs/ripgrep/ripgrep.ts';
import { searchLines } from './search-lines.ts';

const { env, platform } = process;
const files = {
  '.obsidian/app.json': '{"userIgnoreFilters":["Archive/"]}',
  '.obsidian/notes.md': 'apple',
  'Home.md': '---\ntags: apple\n---\nan apple',
  'Mine/a.md': 'apple',
  'Mine/Deep/b.canvas': '{"text":"apple"}',
  'Mine/c.base': 'filters: apple',
  'Mine/d.txt': 'apple',
  'Minestrone/e.md': 'apple',
  'Secret/f.md': 'apple',
  'Archive/g.md': 'apple',
};
let root: string;
let opened: WrittenVault;

beforeAll(async () => {
  root = join(tempFolder({}, afterAll), 'vault');
  writeFiles(root, files);
  opened = await openWrittenFolder(root, {
    parts: { lines: openRipgrep({ root, env, platform }) },
  });
});
afterAll(() => opened.close());

async function find(
  request: { readonly pattern?: string; readonly glob?: string },
  scopes: Partial<Omit<Scopes, 'folders'>> & { readonly folders?: readonly string[] } = {},
): Promise<readonly string[]> {
  const { folders = [''], ...rest } = scopes;
  const seen = { ...allScopes, ...rest, folders: folders.map(vaultFolder) };
  const { lines } = await searchLines(opened.as({ scopes: seen }), {
    pattern: 'apple',
    ...request,
  });
  return lines.map(({ path, line }) => `${path}:${line}`);
}

const mine = ['Mine/Deep/b.canvas:1', 'Mine/a.md:1', 'Mine/c.base:1'];

describe('searchLines', () => {
  it.each<[Parameters<typeof find>[1], string | undefined, readonly string[]]>([
    [{}, undefined, ['Home.md:2', 'Home.md:4', ...mine, 'Minestrone/e.md:1', 'Secret/f.md:1']],
    [{ folders: ['Mine'] }, undefined, mine],
    [{ folders: ['Mine'] }, '*', mine],
    [{ folders: ['Mine'] }, 'Secret/*', []],
    [{ folders: ['Mine'] }, '!Home.md', mine],
    [{ folders: ['Mine/Deep', 'Secret'] }, undefined, ['Mine/Deep/b.canvas:1', 'Secret/f.md:1']],
    [{ folders: ['None'] }, undefined, []],
    [{ hide: ['Secret', 'Mine*'] }, undefined, ['Home.md:2', 'Home.md:4']],
    [{ hide: ['Secret', 'Mine*'] }, '{Secret,Mine}/**', []],
    [{}, 'Mine/*.txt', []],
    [{}, 'Archive/*', []],
    [{}, '.obsidian/*', []],
  ])(
    'shows a caller with %j of the glob %j what it may see: %j',
    async (scopes, glob, expected) => {
      expect(await find(glob === undefined ? {} : { glob }, scopes)).toEqual(expected);
    },
  );

  it('finds what is on disk, whatever the index knows', async () => {
    writeFiles(root, { 'Mine/new.md': 'a quince' });
    expect(await find({ pattern: 'quince' })).toEqual(['Mine/new.md:1']);
  });

  it.each([
    { pattern: 'a'.repeat(limits.queryCharsMax + 1) },
    { pattern: 'a'.repeat(1_000_000) },
    { glob: '*'.repeat(limits.queryCharsMax + 1) },
  ])('refuses what is too long', async (request) => {
    expect((await failureOf(find(request))).code).toBe('too_large');
  });

  it('says when lines cannot be searched', async () => {
    const without = await openWrittenFolder(root);
    const failure = await failureOf(searchLines(without.vault, { pattern: 'a' }));
    await without.close();
    expect(failure.code).toBe('unavailable');
  });

  it('takes no longer than its caller waits', async () => {
    // Enough to look through for ripgrep not to be done before the time is even looked at.
    writeFileSync(join(root, 'Long.md'), 'many words in a row '.repeat(200_000));
    const pattern = '(?:\\w+ ){40}zzz';
    const running = searchLines(opened.as({ deadlineMs: 1 }), { pattern });
    expect(await failureOf(running)).toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('longer than 1 ms'),
    });
    rmSync(join(root, 'Long.md'));
  });

  it('finds no vault where it is gone, and finds it again', async () => {
    // On Windows it cannot be moved until the ripgrep that was ended above is gone from it.
    await vi.waitFor(() => renameSync(root, `${root}-away`), 20_000);
    expect((await failureOf(find({}))).code).toBe('vault_not_found');
    renameSync(`${root}-away`, root);
    expect(await find({ glob: 'Secret/*' })).toEqual(['Secret/f.md:1']);
  });
});
