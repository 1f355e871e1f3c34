import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { clientFiles } from './client-files.ts';
import { examineClients } from './examine-clients.ts';

/** What is found where Claude Code has this file. */
async function found(config: object) {
  const home = tempFolder({ '.claude.json': JSON.stringify(config) });
  const env = { CLAUDE_CONFIG_DIR: home };
  const machine = { platform: 'linux', env, home, currentFolder: home, packageNames: [] } as const;
  const files = await clientFiles(machine);
  const parts = { env, looks: new Map(), listed: [], isServer: false };
  return examineClients(files, parts).filter(({ check }) => check.startsWith('claude-code'));
}

const starts = (...flags: string[]) => ({
  command: process.execPath,
  args: ['vaultdoor', 'stdio', '--vault', '/n', ...flags],
});

it('says what an app may do, in short too', async () => {
  const [finding] = await found({ mcpServers: { vaultdoor: starts('--read-only') } });
  expect(finding).toMatchObject({ state: 'ok', inShort: 'may only read' });
  expect(finding?.says.shown).toBe('"vaultdoor" opens "/n" and may only read.');
  expect(finding?.says.reported).not.toContain('/n');
});

it('warns of an entry that holds in one folder only, because setup does not change it', async () => {
  const [none, local] = await found({ projects: { '/code': { mcpServers: { notes: starts() } } } });
  expect(none?.isAbsent).toBe(true);
  expect(local?.says.shown).toContain('In the folder "/code", Claude Code has an entry "notes"');
  expect(local?.says.shown).toContain('which may change notes');
  expect(local?.change?.shown).toContain('claude mcp remove --scope local notes');
  expect(JSON.stringify([local?.says.reported, local?.change?.reported])).not.toMatch(
    /code"|notes"/,
  );
});

it('names another server for the same vault, and what to do about it', async () => {
  const mcpvault = { command: 'npx', args: ['-y', '@bitbonsai/mcpvault', '/n'] };
  const elsewhere = { command: 'npx', args: ['-y', '@bitbonsai/mcpvault', '/other'] };
  const [ours, other, ...more] = await found({
    mcpServers: { vaultdoor: starts(), obsidian: mcpvault, work: elsewhere },
  });
  expect([ours?.state, other?.state, more]).toEqual(['ok', 'warning', []]);
  expect(other?.says.shown).toContain('a second server for the same vault: "obsidian" (mcpvault).');
  expect(other?.change?.shown).toMatch(/setup": it offers to take "obsidian" out\.$/);
  expect(JSON.stringify([other?.says.reported, other?.change?.reported])).not.toContain('obsidian');
});
