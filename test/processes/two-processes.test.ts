import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { generateVault } from '../../bench/generate-vault.ts';
import { isQuick } from '../support/counts.ts';
import { runCli, startCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Several processes on one vault share one index.

function setUp(notes: number) {
  const vault = tempFolder();
  const cache = tempFolder();
  generateVault(vault, { notes });
  return {
    vault,
    cache,
    env: { OBSIDIAN_VAULT_PATH: vault, XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache },
  };
}

/** The index file, once it exists. */
function indexOf(cache: string): string | undefined {
  const found = readdirSync(cache, { recursive: true, encoding: 'utf8' }).find((file) =>
    file.endsWith('index.db'),
  );
  return found === undefined ? undefined : join(cache, found);
}

async function checked(env: Record<string, string>): Promise<unknown[]> {
  const { stdout, stderr, code } = await runCli(['check', '--json'], env);
  expect([code, stderr]).toEqual([0, '']);
  return (JSON.parse(stdout) as { index: unknown[] }).index;
}

describe('two processes on one cold vault', { timeout: 240_000 }, () => {
  it('start together, and both end right', async () => {
    const { env } = setUp(isQuick ? 500 : 1_500);
    const search = ['search', 'the', '--json', '--limit', '5'];
    const [first, second, tags] = await Promise.all([
      runCli(search, env),
      runCli(search, env),
      runCli(['tags', '--json'], env),
    ]);
    expect([first.code, second.code, tags.code]).toEqual([0, 0, 0]);
    expect(second.stdout).toBe(first.stdout);
    expect((JSON.parse(tags.stdout) as { tags: unknown[] }).tags.length).toBeGreaterThan(10);
    expect(await checked(env)).toEqual([]);
  });

  it.skipIf(isQuick)('go on when the one that builds is killed', async () => {
    const { env, cache } = setUp(6_000);
    const builder = startCli(['search', 'the'], env);
    for (let i = 0; i < 500; i++) {
      const file = indexOf(cache);
      const wal = file === undefined ? '' : `${file}-wal`;
      if (existsSync(wal) && statSync(wal).size > 1_000_000) break;
      await sleep(10);
    }
    const other = runCli(['info', '--json'], env);
    await sleep(150);
    expect(builder.exitCode).toBeNull();
    builder.kill('SIGKILL');
    const { stdout, code, stderr } = await other;
    expect([code, stderr]).toEqual([0, '']);
    expect((JSON.parse(stdout) as { files: { note: number } }).files.note).toBe(6_000);
    expect(await checked(env)).toEqual([]);
  });

  it('rebuild an index that was damaged, without a word', async () => {
    const { env, cache } = setUp(300);
    expect((await runCli(['info'], env)).code).toBe(0);
    const file = indexOf(cache);
    expect(file).toBeDefined();
    for (const rubbish of ['not a database', 'x'.repeat(200_000)]) {
      writeFileSync(file ?? '', rubbish);
      const { code, stderr, stdout } = await runCli(['info', '--json'], env);
      expect([code, stderr]).toEqual([0, '']);
      expect((JSON.parse(stdout) as { files: { note: number } }).files.note).toBe(300);
    }
    expect(await checked(env)).toEqual([]);
  });
});
