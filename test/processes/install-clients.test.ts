import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundle, runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const clients = [
  ['claude-desktop', '.config/Claude/claude_desktop_config.json', 'mcpServers'],
  ['claude-code', '.claude.json', 'mcpServers'],
  ['cursor', '.cursor/mcp.json', 'mcpServers'],
  ['vscode', '.config/Code/User/mcp.json', 'servers'],
] as const;

// The places of other platforms are tested in client-places.test.ts.
describe.runIf(process.platform === 'linux')('the built program', () => {
  it.each(clients)('installs itself into %s and leaves no trace', async (client, path, section) => {
    const home = tempFolder({ 'My Notes/.obsidian/app.json': '{}' });
    const vault = join(home, 'My Notes');
    const file = join(home, path);
    const before = `{\n\t// settings\n\t"theme": "dark",\n\t"${section}": {},\n}\n`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, before);
    const env = { HOME: home, OBSIDIAN_VAULT_PATH: vault };

    const shown = await runCli(['install', client], env);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain(`+\t\t\t\t"OBSIDIAN_VAULT_PATH": "${vault}"`);
    expect(readFileSync(file, 'utf8')).toBe(before);

    const written = await runCli(['install', client, '--write', '--', '--read-only'], env);
    expect(written).toMatchObject({ code: 0, stderr: '' });
    const text = readFileSync(file, 'utf8');
    const config = JSON.parse(text.replace('// settings', '').replace(/,(?=\s*\}\s*$)/, ''));
    const { type, ...entry } = config[section].vaultdoor;
    expect(type).toBe(client === 'vscode' ? 'stdio' : undefined);
    expect(entry).toEqual({
      command: expect.stringMatching(/^\/.*node/),
      args: [bundle, 'stdio', '--read-only'],
      env: { OBSIDIAN_VAULT_PATH: vault },
    });

    expect(await runCli(['uninstall', client, '--write'], env)).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('says what it needs when no vault is named', async () => {
    const home = tempFolder({ '.cursor/mcp.json': '{}' });
    const { code, stderr } = await runCli(['install', 'cursor', '--write'], { HOME: home });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^vaultdoor: No vault: give --vault/);
  });
});
