import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appFolders } from '../../src/node/place/app-folders.ts';
import { makesSymlinks } from '../support/makes-symlinks.ts';
import { cliEnv, runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Vaults and settings that people really have, through the program as it ships.

function setUp(files: Readonly<Record<string, string>>) {
  const vault = tempFolder(files);
  const cache = tempFolder();
  return {
    vault,
    env: { OBSIDIAN_VAULT_PATH: vault, XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache },
  };
}

describe('an odd vault', { timeout: 120_000 }, () => {
  it('may be empty', async () => {
    const { env } = setUp({});
    expect((await runCli(['info', '--json'], env)).code).toBe(0);
    expect(await runCli(['list'], env)).toEqual({
      stdout: '',
      stderr: 'vaultdoor: There are no such files.\n',
      code: 0,
    });
  });

  it.runIf(makesSymlinks)(
    'may have its settings elsewhere: they are not followed, and the vault is read',
    async () => {
      const { vault, env } = setUp({ 'a.md': '#one' });
      const elsewhere = tempFolder({ 'app.json': '{"userIgnoreFilters":["a"]}' });
      symlinkSync(elsewhere, join(vault, '.obsidian'));
      expect((await runCli(['tags'], env)).stdout).toBe('1  #one\n');
      const { stdout } = await runCli(['check', '--json'], env);
      expect((JSON.parse(stdout) as { settings: string[] }).settings).not.toEqual([]);
    },
  );

  it('may exclude files by an expression that would take for ever', async () => {
    const name = `${'a'.repeat(41)}!`;
    const settings = JSON.stringify({ userIgnoreFilters: ['/^(a+)+$/'] });
    const { env } = setUp({ [`${name}.md`]: '#one', '.obsidian/app.json': settings });
    expect((await runCli(['list'], env)).stdout).toBe(`${name}.md\n`);
  });

  it.runIf(makesSymlinks)('may have notes elsewhere, once that is allowed', async () => {
    const { vault, env } = setUp({ 'a.md': '[[far]]' });
    const elsewhere = tempFolder({ 'far.md': '#far' });
    symlinkSync(elsewhere, join(vault, 'linked'));
    expect((await runCli(['tags'], env)).stdout).toBe('');
    expect((await runCli(['read', 'linked/far.md'], env)).code).toBe(5);
    const allowed = ['--allow-root', elsewhere];
    expect((await runCli(['tags', ...allowed], env)).stdout).toBe('1  #far\n');
    expect((await runCli(['read', 'far', ...allowed], env)).stdout).toBe('#far');
  });

  it('may be named so that our own files would lie in it: that is refused', async () => {
    const { vault, env } = setUp({ 'a.md': '' });
    const inside = { ...env, XDG_CACHE_HOME: join(vault, 'cache'), USERPROFILE: vault };
    const { code, stderr } = await runCli(['list'], inside);
    expect([code, stderr]).toEqual([2, expect.stringContaining('would write into the vault')]);
  });

  it('may be read although its state cannot be kept anywhere', async () => {
    const { env } = setUp({ 'sub/a.md': 'some words' });
    const file = join(tempFolder({ file: '' }), 'file'); // No folder can be made in it.
    const nowhere = { ...env, XDG_STATE_HOME: file };
    const [read, search, append] = await Promise.all([
      runCli(['read', 'a'], nowhere),
      runCli(['search', 'words'], nowhere),
      runCli(['append', 'a', 'more'], nowhere),
    ]);
    expect([read.stdout, read.code]).toEqual(['some words', 0]);
    expect(search.stdout).toContain('sub/a.md');
    expect([append.code, append.stderr]).toEqual([7, expect.stringContaining('cannot write to')]);
  });

  it('may lose its cache at any time', async () => {
    const { env } = setUp({ 'a.md': '#one' });
    for (let i = 0; i < 2; i++) {
      expect((await runCli(['tags'], env)).stdout).toBe('1  #one\n');
      rmSync(appFolders(cliEnv(env), process.platform).cache, { recursive: true });
    }
  });

  it('may hold names and bytes of every kind', async () => {
    const { env } = setUp({
      'e\u0301.md': '[[é]] [[É]]',
      'Case.md': '',
      'case.md': '[[case]]',
      'bom.md': '\ufeff---\ntags: [bom]\n---\n',
      'crlf.md': '---\r\ntags: [crlf]\r\n---\r\n[[Case]]\r\n',
      'nul.md': 'a\0b [[x\0y]] #t\0ag',
      'broken.canvas': '{"nodes":[',
      '__proto__.md': '[[__proto__]] #constructor',
      '学.md': '你好，世界',
    });
    const { stdout, code } = await runCli(['check', '--json'], env);
    expect([code, (JSON.parse(stdout) as { index: unknown[] }).index]).toEqual([0, []]);
    expect((await runCli(['search', '你好，世界'], env)).stdout).toContain('学.md');
    expect((await runCli(['links', 'é'], env)).stdout.match(/e\u0301\.md/g)).toHaveLength(2);
  });
});
