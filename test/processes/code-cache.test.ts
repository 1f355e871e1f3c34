import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appFolders } from '../../src/node/place/app-folders.ts';
import { bareEnv, bundle } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The program copied away from what the build has kept for it. */
function programAlone(): {
  run: (env?: Record<string, string>, words?: readonly string[]) => string;
  code: string;
  program: string;
} {
  const folder = tempFolder();
  const program = join(folder, 'vaultdoor.js');
  copyFileSync(bundle, program);
  const own = { XDG_CACHE_HOME: join(folder, 'cache'), USERPROFILE: folder };
  const run = (env: Record<string, string> = {}, words: readonly string[] = ['help']): string =>
    execFileSync(process.execPath, [program, ...words], {
      env: { ...bareEnv(), ...own, ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  return { run, code: join(appFolders(own, process.platform).cache, 'code'), program };
}

function kept(folder: string): string {
  const [name = '', ...more] = readdirSync(folder);
  expect(more).toEqual([]);
  return join(folder, name);
}

describe('what V8 has compiled', () => {
  it('is kept by the build for this Node, for every thread', () => {
    const names = readdirSync(join(bundle, '..', 'code-cache')).filter((name) =>
      name.includes(`-${process.version}-`),
    );
    const roles = names.map((name) => name.replace(/^.*-(\w+)\.bin$/, '$1')).sort();
    expect(roles).toEqual(['command', 'index', 'main', 'scan', 'state', 'watch']);
  });

  it('is kept at the end of a first run, for its owner alone, and stays as it is after that', () => {
    const { run, code } = programAlone();
    const help = run();
    const file = kept(code);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = statSync(file).mtimeMs;
    expect(run()).toBe(help);
    expect(statSync(file).mtimeMs).toBe(before);
  });

  it.skipIf(process.platform === 'win32')(
    'is kept nowhere, not in this folder, if HOME is empty',
    () => {
      const { program } = programAlone();
      const here = tempFolder();
      const env = { ...bareEnv(), HOME: '', XDG_CACHE_HOME: '' };
      execFileSync(process.execPath, [program, 'help'], { cwd: here, env, stdio: 'ignore' });
      expect(readdirSync(here)).toEqual([]);
    },
  );

  it('grows with every command that is run for the first time', () => {
    const { run, code } = programAlone();
    run();
    const commands = (): string =>
      readFileSync(kept(code), 'latin1').slice(32).split('\n')[0] ?? '';
    expect(commands().trim()).toBe('help');
    const { size } = statSync(kept(code));
    const vault = tempFolder({ 'A.md': '# A\n' });
    const read = (): string =>
      run({ OBSIDIAN_VAULT_PATH: vault, XDG_STATE_HOME: code }, ['read', 'A']);
    expect(read()).toBe('# A\n');
    expect(commands().trim()).toBe('help read');
    const after = statSync(kept(code));
    expect(after.size).toBeGreaterThan(size);
    expect(read()).toBe('# A\n');
    expect(statSync(kept(code)).mtimeMs).toBe(after.mtimeMs);
  });

  it('is made anew where it is damaged', () => {
    const { run, code } = programAlone();
    const help = run();
    const file = kept(code);
    const whole = readFileSync(file);
    for (const damaged of [whole.subarray(0, 1000), whole.subarray(1000, 2000), '']) {
      writeFileSync(file, damaged);
      expect(run()).toBe(help);
      expect(readFileSync(file).length).toBeGreaterThan(whole.length / 2);
    }
  });

  it('is made anew where V8 refuses it, though it is whole', () => {
    const { run, code } = programAlone();
    const help = run();
    const file = kept(code);
    const { length } = readFileSync(file);
    const foreign = Buffer.from('compiled by another V8');
    writeFileSync(file, Buffer.concat([createHash('sha256').update(foreign).digest(), foreign]));
    expect(run()).toBe(help);
    expect(readFileSync(file).length).toBeGreaterThan(length / 2);
  });

  it('is kept in a folder with files of others, of which none is deleted, however old', () => {
    const { run } = programAlone();
    const folder = tempFolder({ 'firmware.bin': 'x', 'backup.tmp': 'x' });
    const old = `${'0'.repeat(16)}-v20.0.0-linux-x64-main.bin`;
    writeFileSync(join(folder, old), '');
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1);
    run({ VAULTDOOR_CODE_CACHE: folder });
    const names = readdirSync(folder);
    expect(names).toHaveLength(3);
    expect(names).toEqual(expect.arrayContaining(['firmware.bin', 'backup.tmp']));
    expect(names).not.toContain(old);
  });

  it('is not kept where nobody wants it or nothing can be written', () => {
    const { run, code } = programAlone();
    const help = run({ VAULTDOOR_CODE_CACHE: 'off' });
    expect(run({ VAULTDOOR_CODE_CACHE: '/dev/null/none' })).toBe(help);
    expect(() => readdirSync(code)).toThrow('ENOENT');
  });
});

describe('what every start compiles', () => {
  it('is little, and has neither zod nor the SDK nor a tool', () => {
    const [, first = '', rest] = readFileSync(bundle, 'latin1').split(/[[,]\(\)=>\{\/\*/);
    expect(first.length).toBeGreaterThan(1_000);
    expect(first.length).toBeLessThan(105_000);
    for (const heavy of ['ZodType', 'McpServer', 'search_notes']) {
      expect(rest).toContain(heavy);
    }
    expect(first).not.toMatch(/ZodType|McpServer/);
  });
});
