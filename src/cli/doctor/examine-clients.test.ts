import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { shellWord } from '../../base/shell-word.ts';
import { clientFiles } from './client-files.ts';
import { examineClients } from './examine-clients.ts';

/** The path of a vault, and of one that is not there, as this system writes them. */
const [vault, gone] =
  process.platform === 'win32' ? ['C:\\n', 'C:\\nonexistent\\Notez'] : ['/n', '/nonexistent/Notez'];

/** A word as it is typed on this system. */
const typed = (word: string): string => shellWord(word, process.platform);

/** What is found where Claude Code has this file, in a home with these other files. */
async function found(config: object | string, beside: Readonly<Record<string, string>> = {}) {
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  const home = tempFolder({ '.claude.json': text, ...beside });
  const env = { CLAUDE_CONFIG_DIR: home };
  const machine = { platform: 'linux', env, home, currentFolder: home, packageNames: [] } as const;
  const files = await clientFiles(machine);
  const looks = new Map([[gone, { fault: 'missing', message: '' } as const]]);
  const listed = [join(home, 'Notez'), home];
  const parts = { env, looks, listed, isServer: false };
  return examineClients(files, parts).filter(({ check }) => check.startsWith('claude-code'));
}

const starts = (...flags: string[]) => ({
  command: process.execPath,
  args: ['vaultdoor', 'stdio', '--vault', vault, ...flags],
});

it('says what an app may do, in short too', async () => {
  const [finding] = await found({ mcpServers: { vaultdoor: starts('--read-only') } });
  expect(finding).toMatchObject({ state: 'ok', inShort: 'may only read' });
  expect(finding?.says.shown).toBe(`"vaultdoor" opens "${vault}" and may only read.`);
  expect(finding?.says.reported).not.toContain(vault);
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
  const mcpvault = { command: 'npx', args: ['-y', '@bitbonsai/mcpvault', vault] };
  const elsewhere = { command: 'npx', args: ['-y', '@bitbonsai/mcpvault', '/other'] };
  const [ours, other, ...more] = await found({
    mcpServers: { vaultdoor: starts(), obsidian: mcpvault, work: elsewhere },
  });
  expect([ours?.state, other?.state, more]).toEqual(['ok', 'warning', []]);
  expect(other?.says.shown).toContain('a second server for the same vault: "obsidian" (mcpvault).');
  expect(other?.change?.shown).toMatch(/setup": it offers to take "obsidian" out\.$/);
  expect(JSON.stringify([other?.says.reported, other?.change?.reported])).not.toContain('obsidian');
});

it.each([
  ['the second', { notes: starts(), vaultdoor: starts() }, 'vaultdoor'],
  ['the one that may do more', { notes: starts(), vaultdoor: starts('--read-only') }, 'notes'],
  ['the one that hides nothing', { notes: starts(), vaultdoor: starts('--hide', 'A') }, 'notes'],
])(
  'names two entries for the same vault, and the command that takes out %s',
  async (_, mcpServers, name) => {
    const [, double, ...more] = await found({ mcpServers });
    expect([double?.state, more]).toEqual(['warning', []]);
    expect(double?.says.shown).toMatch(
      /two entries of Vaultdoor for the same vault, ".+" and ".+":/,
    );
    expect(double?.change?.shown).toBe(
      `Take one out: "vaultdoor uninstall claude-code --name ${name}".`,
    );
    expect(JSON.stringify([double?.says.reported, double?.change?.reported])).not.toContain(
      'notes',
    );
    const other = { ...starts(), args: ['vaultdoor', 'stdio', '--vault', process.cwd()] };
    expect(await found({ mcpServers: { a: starts(), b: other } })).toHaveLength(1);
  },
);

it('says what is hidden from an app', async () => {
  const [finding] = await found({ mcpServers: { vaultdoor: starts('--hide', 'People/**') } });
  expect(finding?.says.shown).toContain(
    `What --hide ${typed('People/**')} names is hidden from it.`,
  );
  expect(finding?.says.reported).not.toContain('People');
  expect(finding?.inShort).toBe('may change notes, some notes hidden');
});

it('names one command that corrects the entry, and adds none', async () => {
  const entry = { command: process.execPath, args: ['vaultdoor', 'stdio', '--propose'] };
  const env = { OBSIDIAN_VAULT_PATH: gone };
  const [lost] = await found({ mcpServers: { 'my notes': { ...entry, env } } });
  expect(lost?.change?.shown).toContain(
    `its options stay: "vaultdoor install claude-code --name ${typed('my notes')} --vault /new/path".`,
  );
  expect(lost?.change?.reported).not.toContain('my notes');
  const [moved] = await found({ mcpServers: { n: { ...entry, env } } }, { 'Notez/a.md': '' });
  expect(moved?.change?.shown).toMatch(/claude-code --name n --vault "?[/C].+[/\\]Notez"*\.$/);
  const [none] = await found({ mcpServers: { n: entry } });
  expect(none?.change?.shown).toContain('--name n --vault /path/of/the/vault');
});

it('names the latest backup that can be used, and when it was made', async () => {
  const before = new Date(2026, 10, 18, 9, 5);
  const [finding] = await found('{"mcpServers": {"vaultdoor": {', {
    '.claude.json.vaultdoor-backup': '{}',
    '.claude.json.vaultdoor-backup-2': '{"mcpServers": {}}',
    '.claude.json.vaultdoor-backup-3': '{"mcpServ',
  });
  expect(finding?.change?.shown).toMatch(/put ".+-backup(-2)?" in its place/);
  const home = tempFolder({
    '.cursor/mcp.json': '{"',
    '.cursor/mcp.json.vaultdoor-backup': '{}',
    '.cursor/mcp.json.vaultdoor-backup-2': '{}',
  });
  const file = join(home, '.cursor/mcp.json.vaultdoor-backup');
  utimesSync(file, before, before);
  utimesSync(`${file}-2`, before, new Date(2026, 10, 18, 12, 30));
  const place = { env: {}, home, currentFolder: home, packageNames: [] };
  const files = await clientFiles({ ...place, platform: 'linux' });
  const parts = { env: {}, looks: new Map(), listed: [], isServer: false };
  const broken = examineClients(files, parts).filter(({ check }) => check.startsWith('cursor'));
  // In the home folder, the file of the project is that of the user.
  expect(broken).toHaveLength(1);
  expect(broken[0]?.change?.shown).toContain(
    `put "${file}-2" in its place: so the file was on 2026-11-18 12:30, and what the app has written since is lost.`,
  );
});

it('names the backup of a file that is empty, and takes one without a backup for new', async () => {
  const backup = { '.claude.json.vaultdoor-backup': '{"mcpServers": {}}' };
  const [empty] = await found('', backup);
  expect(empty?.state).toBe('bad');
  expect(empty?.says.shown).toMatch(/\.claude\.json" is empty, and it was not before\.$/);
  expect(empty?.change?.shown).toMatch(/put ".+-backup" in its place/);
  const [fresh] = await found('');
  expect(fresh?.isAbsent).toBe(true);
});
