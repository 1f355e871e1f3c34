import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { readConfigFile } from '../install/config-file.ts';
import { installProgram } from '../install/install-command.ts';
import { keepTakenOut } from '../install/taken-out.ts';
import type { Program, Shell } from '../shell/shell.ts';
import { setupProgram } from './setup-command.ts';

/** A home with Claude Code, whose file has this text. */
function homeWith(config: object | string) {
  const text = typeof config === 'string' ? config : JSON.stringify(config, undefined, 2);
  const folder = tempFolder({ '.claude.json': text, 'Notes/.obsidian/app.json': '{}' });
  const file = join(folder, '.claude.json');
  const run = async (program: Program, words: string) => {
    let out = '';
    const stream = new PassThrough().on('data', (data: Buffer) => {
      out += String(data);
    });
    const shell = {
      env: { HOME: folder, USERPROFILE: folder, NO_COLOR: '1' },
      currentFolder: folder,
      stdin: new PassThrough(),
      stdout: stream,
      stderr: stream,
      entryFile: '/x/dist/vaultdoor.js',
      signal: new AbortController().signal,
    } as unknown as Shell;
    const code = await program.run(shell, words.split(' '));
    await new Promise(setImmediate);
    return { out, code };
  };
  return {
    folder,
    file,
    install: (words = '') =>
      run(installProgram, `claude-code --write --vault ${join(folder, 'Notes')}${words}`),
    setup: (words: string) => run(setupProgram, words),
    read: () => JSON.parse(readFileSync(file, 'utf8')),
    edit: (key: string, value: unknown) =>
      writeFileSync(
        file,
        JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), [key]: value }, undefined, 2),
      ),
    files: () => readdirSync(folder).filter((name) => name.startsWith('.claude.json')),
  };
}

const mcpvault = { command: 'npx', args: ['@bitbonsai/mcpvault', '/n'], env: { KEY: 'secret' } };

describe.runIf(process.platform === 'linux')('setup --undo', () => {
  it('removes the section that was made for us and leaves no backup of its own, where the app has written meanwhile', async () => {
    const home = homeWith({ numStartups: 12 });
    await home.install();
    home.edit('numStartups', 13);
    const { out, code } = await home.setup('--undo --yes');
    expect(code).toBe(0);
    expect(home.read()).toEqual({ numStartups: 13 });
    expect(home.files()).toEqual(['.claude.json', '.claude.json.vaultdoor-backup']);
    expect(out).toContain(
      `Left, because something else in the file has changed since: ${home.file}.vaultdoor-backup (`,
    );
  });

  it('says that a backup is left because of an entry that was made by hand', async () => {
    const home = homeWith({});
    const notes = join(home.folder, 'Notes');
    home.edit('mcpServers', {
      notes: { command: 'node', args: ['/x/vaultdoor.js', 'stdio', '--vault', notes] },
    });
    await home.install(' -- --propose');
    const { out } = await home.setup('--undo --yes');
    expect(home.read()).toEqual({ mcpServers: {} });
    expect(home.files()).toHaveLength(2);
    expect(out).toMatch(/Left, because it has "notes" as it was before Vaultdoor changed the file/);
    expect(out).not.toContain('something else');
  });

  it.each([
    ['nothing else has changed', undefined],
    ['something else has changed', 'globalShortcut'],
  ])('puts back what setup has taken out, where %s', async (_, key) => {
    const home = homeWith({ mcpServers: { obsidian: mcpvault } });
    await home.install();
    const { vaultdoor } = home.read().mcpServers;
    await keepTakenOut(await readConfigFile(home.file), 'mcpServers', [['obsidian', mcpvault]]);
    home.edit('mcpServers', { vaultdoor });
    if (key !== undefined) home.edit(key, 'x');
    const { out, code } = await home.setup('--undo --yes');
    expect(code).toBe(0);
    expect(home.read()).toEqual({
      mcpServers: { obsidian: mcpvault },
      ...(key === undefined ? {} : { [key]: 'x' }),
    });
    expect(out).toContain('"obsidian" (mcpvault) is back in Claude Code.');
    expect(out).toContain('+ "obsidian": { … }');
    expect(out).not.toContain('secret');
    expect(home.files()).not.toContain('.claude.json.vaultdoor-taken-out');
  });

  it('puts back only the servers of the vault that is named, and says where the others are', async () => {
    const home = homeWith({});
    await home.install();
    const other = { command: 'npx', args: ['mcpvault', '/elsewhere'] };
    await keepTakenOut(await readConfigFile(home.file), 'mcpServers', [['obsidian', other]]);
    const { out } = await home.setup(`--undo --yes --vault ${join(home.folder, 'Notes')}`);
    expect(home.read()).toEqual({});
    expect(out).toMatch(/"obsidian", which setup had .* is not put back: .*vaultdoor-taken-out\n/);
    const rest = await home.setup('--undo --yes');
    expect(rest.out).toContain('Puts back what setup had taken out of the settings of Claude Code');
    expect(home.read()).toEqual({ mcpServers: { obsidian: other } });
  });

  it('does not bring back what was taken out by hand', async () => {
    const home = homeWith({ mcpServers: { obsidian: mcpvault } });
    await home.install();
    const { vaultdoor } = home.read().mcpServers;
    home.edit('mcpServers', { vaultdoor });
    const { out } = await home.setup('--undo --yes');
    expect(home.read()).toEqual({ mcpServers: {} });
    expect(out).not.toMatch(/\+ "obsidian"|is back/);
  });

  it('says which options setup does not set again, and the command that does', async () => {
    const home = homeWith({});
    const notes = join(home.folder, 'Notes');
    const options = "--read-only --hide 'Daily/**'";
    await home.install(' -- --read-only --hide Daily/** --notify https://n.example/key');
    const before = home.read();
    const { out } = await home.setup('--undo --yes');
    expect(out).toContain(
      `Claude Code had options for "${notes}" that setup does not set again: ${options} --notify '…'. To`,
    );
    const command = `install claude-code --vault ${notes} -- ${options} --notify '…'`;
    expect(out).toContain(`\n  vaultdoor ${command}\n`);
    expect(out).not.toContain('n.example');
    // The command does what it says, once the address is there.
    await home.install(' -- --read-only --hide Daily/** --notify https://n.example/key');
    expect(home.read()).toEqual(before);
    const json = await home.setup('--undo --yes --json');
    expect(JSON.parse(json.out).again).toEqual([`vaultdoor ${command}`]);
    await home.install();
    expect((await home.setup('--undo --yes')).out).not.toContain('does not set again');
  });

  it('fails where the file of an app cannot be read, and does not say that nothing uses Vaultdoor', async () => {
    const home = homeWith('{\n  "mcpServers": {\n    "vaultdoor": {');
    for (const words of ['--undo --yes', '--undo --yes --json']) {
      const { out, code } = await home.setup(words);
      expect(code).toBe(2);
      expect(out).toContain('is not valid JSON (line 3)');
      expect(out).toContain('Repair it and try again. Claude Code may still have Vaultdoor.');
      expect(out).not.toMatch(/No app here uses Vaultdoor|has nothing to take back/);
      expect(out.match(/Repair it/g)).toHaveLength(1);
    }
  });
});
