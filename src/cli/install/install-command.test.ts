import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { Shell } from '../shell/shell.ts';
import { installProgram, uninstallProgram } from './install-command.ts';

// The places of other platforms are tested in client-places.test.ts.
const isLinux = process.platform === 'linux';

interface Home {
  readonly folder: string;
  readonly cursor: string;
  readonly vault: string;
}

/** A home with Cursor and two vaults, one of which Obsidian knows. */
function someHome(config?: string): Home {
  const folder = tempFolder({
    '.cursor/x': '',
    'Notes/.obsidian/app.json': '{}',
    'Work/a.md': '',
  });
  const vault = join(folder, 'Notes');
  const known = { vaults: { a: { path: vault, ts: 2 }, b: { path: '/gone', ts: 3 } } };
  mkdirSync(join(folder, '.config/obsidian'), { recursive: true });
  writeFileSync(join(folder, '.config/obsidian/obsidian.json'), JSON.stringify(known));
  const cursor = join(folder, '.cursor/mcp.json');
  if (config !== undefined) writeFileSync(cursor, config);
  return { folder, cursor, vault };
}

/** A configuration with an entry of ours that may also reach a folder outside of the vault. */
function serving(vault: string): string {
  const args = ['/x/dist/vaultdoor.js', 'stdio', '--allow-root', '/srv/Shared'];
  const mine = { command: 'node', args, env: { OBSIDIAN_VAULT_PATH: vault } };
  return JSON.stringify({ mcpServers: { mine } });
}

/** Runs a command in a home; with answers, at a terminal where they are typed. */
async function typed(
  home: Home,
  words: string,
  answers?: readonly string[],
): Promise<{ out: string; code?: number; error?: string }> {
  const out = new PassThrough();
  const stdin = Object.assign(new PassThrough(), { isTTY: answers !== undefined });
  const stdout = Object.assign(out, { isTTY: answers !== undefined });
  const left = [...(answers ?? [])];
  let text = '';
  out.on('data', (data: Buffer) => {
    text += String(data);
    if (/\] $/.test(String(data))) stdin.write(`${left.shift() ?? ''}\n`);
  });
  const shell = {
    argv: [],
    env: { HOME: home.folder, USERPROFILE: home.folder, NO_COLOR: '1' },
    currentFolder: home.folder,
    stdin,
    stdout,
    stderr: stdout,
    version: '1.2.3',
    entryFile: '/x/dist/vaultdoor.js',
    signal: new AbortController().signal,
  } as unknown as Shell;
  const [name, ...argv] = words.split(' ');
  const program = name === 'install' ? installProgram : uninstallProgram;
  try {
    const code = await program.run(shell, argv);
    await new Promise(setImmediate);
    return { out: text, code };
  } catch (error) {
    await new Promise(setImmediate);
    return { out: text, error: error instanceof Error ? error.message : String(error) };
  }
}

const other = '{\n  "mcpServers": {\n    "o": { "env": { "KEY": "secret" } } // mine\n  },\n}\n';

describe.runIf(isLinux)('install', () => {
  it('is a dry run where no person is, and shows no value of others', async () => {
    const home = someHome(other);
    const { out, code } = await typed(home, 'install cursor --vault Notes');
    expect(code).toBe(0);
    expect(out).toContain(`+        "OBSIDIAN_VAULT_PATH": "${home.vault}"`);
    expect(out).toContain('this was a dry run. Add --yes to write it.');
    expect(out).toContain('("…" stands for a value that is not shown. Lines without + and - stay');
    expect(out).not.toContain('secret');
    expect(readFileSync(home.cursor, 'utf8')).toBe(other);
    expect(readdirSync(join(home.folder, '.cursor')).sort()).toEqual(['mcp.json', 'x']);
  });

  it('writes when asked to, keeps the old file, and uninstall gives it back', async () => {
    const home = someHome(other);
    chmodSync(home.cursor, 0o600);
    const { out } = await typed(home, 'install cursor --vault Notes --vault Work --write');
    const backup = `${home.cursor}.vaultdoor-backup`;
    expect(out).toContain(`added "vaultdoor" for ${home.vault} in ${home.cursor}\n`);
    expect(out).toContain('added "vaultdoor-work"');
    expect(out).toContain(backup);
    expect(out).toContain('restart Cursor');
    expect(readFileSync(backup, 'utf8')).toBe(other);
    expect(statSync(home.cursor).mode & 0o777).toBe(0o600);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    const written = readFileSync(home.cursor, 'utf8');
    expect(written).toContain('"/x/dist/vaultdoor.js"');

    const again = await typed(home, 'install cursor --vault Notes --write');
    expect(again.out).toContain('unchanged "vaultdoor"');
    expect(readFileSync(home.cursor, 'utf8')).toBe(written);

    await typed(home, 'install cursor --vault Notes --write -- --read-only');
    expect(readFileSync(`${backup}-2`, 'utf8')).toBe(written);
    const gone = await typed(home, 'uninstall cursor --write');
    expect(gone.out).toContain('removed "vaultdoor-work"');
    expect(readFileSync(home.cursor, 'utf8')).toBe(other);
    expect(gone.out).toContain('No backup is left');
    expect(readdirSync(join(home.folder, '.cursor')).sort()).toEqual(['mcp.json', 'x']);
  });

  it.each([
    ['y', true],
    ['n', false],
    ['', true],
  ])('asks a person, and takes %j for an answer', async (answer, written) => {
    const home = someHome('{}');
    const { out, code } = await typed(home, 'install cursor --vault Notes', [answer]);
    expect(code).toBe(0);
    expect(out).toContain(`Write ${home.cursor}? [Y/n] `);
    expect(readFileSync(home.cursor, 'utf8') !== '{}').toBe(written);
    expect(out.includes('Nothing was written.')).toBe(!written);
    const more = await typed(home, 'install cursor --vault Notes -- --read-only', [answer]);
    expect(more.out).toContain(`  its options${written ? '' : ' would be'}: --read-only\n`);
  });

  it('adds options to those of the entry, and takes none away unasked', async () => {
    const home = someHome('{}');
    const install = (words: string) => typed(home, `install cursor --vault Notes ${words}`);
    const args = (): unknown =>
      JSON.parse(readFileSync(home.cursor, 'utf8')).mcpServers.vaultdoor.args.slice(2);
    await install('--write -- --read-only --hide A/**');
    const more = await install('--write -- --hide B/**');
    expect(args()).toEqual(['--read-only', '--hide', 'A/**', '--hide', 'B/**']);
    expect(more.out).toContain("  its options: --read-only --hide 'A/**' --hide 'B/**'\n");
    expect(more.out).toContain('+        "B/**"');
    expect(more.out).not.toContain('no longer');
    const other = await install('--write -- --propose');
    expect(args()).toEqual(['--propose', '--hide', 'A/**', '--hide', 'B/**']);
    expect(other.out).toContain('  no longer: --read-only\n');
    expect((await install('-- --sync pull --sync-remote x:')).error).toMatch(/--tools agent/);
    const none = await install('--write --replace-options');
    expect(args()).toEqual([]);
    expect(none.out).toContain("  no longer: --propose --hide 'A/**' --hide 'B/**'\n");
  });

  it('gives an entry whose vault was renamed the new path, and keeps its limits', async () => {
    const home = someHome('{}');
    mkdirSync(join(home.folder, 'Notez'));
    await typed(home, 'install cursor --vault Notez --yes -- --propose');
    rmdirSync(join(home.folder, 'Notez'));
    const { out } = await typed(home, 'install cursor --vault Notes --yes');
    expect(JSON.parse(readFileSync(home.cursor, 'utf8')).mcpServers).toMatchObject({
      vaultdoor: { args: ['/x/dist/vaultdoor.js', 'stdio', '--propose'] },
    });
    expect(out).toContain(
      `"vaultdoor" was for "${join(home.folder, 'Notez')}", which does not exist. It keeps its options: --propose\n`,
    );
    expect(out).toContain('  its options: --propose\n');
  });

  it('shows the options of an entry that it corrects before it asks', async () => {
    const home = someHome();
    writeFileSync(home.cursor, serving(join(home.folder, 'Notez')));
    const { out } = await typed(home, 'install cursor --vault Notes', ['n']);
    expect(out).toMatch(/It keeps its options: --allow-root \/srv\/Shared\nWrite .*\?/);
  });

  it.each([
    ['another name in the same folder', 'HOME/Scratch', 'Notes'],
    ['another number', 'HOME/Notes-1', 'Notes-2'],
    ['a longer name', 'HOME/Notes of Ann', 'Notes'],
    ['a drive that is away', '/mnt/vaultdoor-no-such-drive', 'vaultdoor-no-such-drive'],
  ])('adds an entry beside that of a vault which is gone: %s', async (_, gone, vault) => {
    const home = someHome();
    const path = join(home.folder, vault);
    mkdirSync(path, { recursive: true });
    const before = serving(gone.replace('HOME', home.folder));
    writeFileSync(home.cursor, before);
    const { out } = await typed(home, `install cursor --vault ${vault} --yes`);
    const { mine, vaultdoor } = JSON.parse(readFileSync(home.cursor, 'utf8')).mcpServers;
    expect(mine).toEqual(JSON.parse(before).mcpServers.mine);
    expect(vaultdoor).toMatchObject({
      args: ['/x/dist/vaultdoor.js', 'stdio'],
      env: { OBSIDIAN_VAULT_PATH: path },
    });
    expect(out).toMatch(/! "mine" is for ".+", which does not exist, and stays as it is\./);
  });

  it('says where an option of "vaultdoor stdio" goes', async () => {
    const { error } = await typed(someHome(), 'install cursor --hide A');
    expect(error).toContain(
      'There is no option "--hide"; it goes behind "--": "vaultdoor install cursor -- --hide …"',
    );
  });

  it('makes a missing file, and the folder of a missing client only with --write', async () => {
    const home = someHome();
    expect((await typed(home, 'install cursor --vault Notes', ['y'])).code).toBe(0);
    expect(JSON.parse(readFileSync(home.cursor, 'utf8'))).toHaveProperty('mcpServers.vaultdoor');
    const missing = await typed(home, 'install vscode --vault Notes', ['y']);
    expect(missing.error).toMatch(/^VS Code does not seem to be installed/);
    await typed(home, 'install vscode --vault Notes --write');
    const file = join(home.folder, '.config/Code/User/mcp.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty(
      'servers.vaultdoor.type',
      'stdio',
    );
  });

  it('writes the file of a project', async () => {
    const home = someHome();
    const { out } = await typed(home, 'install claude-code --project --vault Notes --write');
    expect(out).toContain('paths of this machine');
    const config = JSON.parse(readFileSync(join(home.folder, '.mcp.json'), 'utf8'));
    expect(config).toHaveProperty('mcpServers.vaultdoor.env.OBSIDIAN_VAULT_PATH', home.vault);
    const none = await typed(home, 'install claude-desktop --project --vault Notes');
    expect(none.error).toMatch(/leave out --project/);
  });

  it('never writes what it does not understand, and says what to paste', async () => {
    const home = someHome('{ "mcpServers": oops }');
    const { out, error } = await typed(home, 'install cursor --vault Notes --write');
    expect(error).toMatch(/not valid JSON \(line 1, column 17\)/);
    expect(out).toContain(`"OBSIDIAN_VAULT_PATH": "${home.vault}"`);
    expect(readFileSync(home.cursor, 'utf8')).toBe('{ "mcpServers": oops }');
    writeFileSync(home.cursor, Buffer.from([0x7b, 0xff, 0x7d]));
    expect((await typed(home, 'install cursor --vault Notes --write')).error).toMatch(/UTF-8/);
    expect(readdirSync(join(home.folder, '.cursor')).sort()).toEqual(['mcp.json', 'x']);
  });

  it('never shows how to paste an entry over that of another server', async () => {
    const home = someHome(other);
    const { out, error } = await typed(home, 'install cursor --vault Notes --name o --write');
    expect(error).toMatch(/another server called "o"/);
    expect(out).toBe('');
  });

  it('shows nothing of an entry that it removes for somebody', async () => {
    const home = someHome('{"mcpServers": {"o": {"command": "x", "args": ["secret"]}}}');
    for (const words of ['uninstall cursor --name o', 'uninstall cursor --name o --json']) {
      const { out } = await typed(home, words);
      expect(out).toContain('-{');
      expect(out).not.toContain('secret');
    }
  });

  it('knows a vault by a symlink to it', async () => {
    const home = someHome();
    symlinkSync(home.vault, join(home.folder, 'link'));
    await typed(home, 'install cursor --vault Notes --write');
    const { out } = await typed(home, 'install cursor --vault link --write');
    expect(out).toContain('unchanged "vaultdoor"');
    expect((await typed(home, 'uninstall cursor --vault link --write')).out).toContain('removed');
  });

  it('follows a symlink and leaves it one', async () => {
    const home = someHome();
    const real = join(home.folder, 'dotfiles.json');
    writeFileSync(real, '{}');
    symlinkSync(real, home.cursor);
    await typed(home, 'install cursor --vault Notes --write');
    expect(realpathSync(home.cursor)).toBe(real);
    expect(readFileSync(real, 'utf8')).toContain('vaultdoor');
  });

  it.each([
    [
      'install emacs',
      /There is no app "emacs"; none has .*\. There are claude-desktop, claude-code/,
    ],
    ['install claude', /There is no app "claude"; claude-desktop or claude-code may be meant\./],
    ['install cursr', /There is no app "cursr"; cursor may be meant\./],
    ['install cursor --write --dry-run', /contradict/],
    ['install cursor --yes --dry-run', /--yes and --dry-run contradict/],
    ['install cursor --vault /nonexistent', /cannot be opened/],
    ['install cursor --name a.b --vault Notes', /--name takes/],
    ['install cursor --vault Notes --vault Work --name x', /one by one/],
    ['install cursor --vault Notes --write -- --raed-only', /no option "--raed-only"/],
    ['install cursor --vault Notes --name __proto__', /--name takes/],
    ['install cursor --vault Notes -- --vault Work', /--vault before "--"/],
    ['install cursor --vault Notes -- --allow-root x', /absolute path/],
    ['install cursor --vault Notes -- --timeout frob=2', /not a tool of this server/],
    ['install --frob', /^There is no option "--frob"\. "vaultdoor install --help" lists/],
    ['install --vault Notes --write', /^Name an app: claude-desktop/],
    ['uninstall cursor -- --read-only', /leave "--" out/],
    ['uninstall cursor --name x', /no server called "x"/],
  ])('refuses "%s"', async (words, message) => {
    expect((await typed(someHome('{}'), words)).error).toMatch(message);
  });
});

describe.runIf(isLinux)('without a client', () => {
  it('says where their files are, and what is there', async () => {
    const home = someHome('{}');
    await typed(home, 'install cursor --vault Notes --write');
    const { out } = await typed(home, 'install');
    expect(out).toMatch(
      /claude-desktop {2}.*claude_desktop_config\.json\n +Claude Desktop does not/,
    );
    expect(out).toContain(`cursor          ${home.cursor}\n                has vaultdoor\n`);
    const listed = JSON.parse((await typed(home, 'install --json')).out);
    expect(listed).toHaveLength(4);
  });
});

describe.runIf(isLinux)('as JSON', () => {
  it('tells programs the same, and asks nothing', async () => {
    const home = someHome('{}');
    const { out } = await typed(home, 'install cursor --vault Notes --json', []);
    expect(JSON.parse(out)).toMatchObject({
      written: false,
      files: [{ file: home.cursor, entries: [{ name: 'vaultdoor', did: 'added' }] }],
    });
    expect(readFileSync(home.cursor, 'utf8')).toBe('{}');
  });
});
