import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { Shell } from '../shell/shell.ts';
import { run } from './run.ts';

// The places of other platforms are tested in client-places.test.ts.
const isLinux = process.platform === 'linux';

/** A home with three vaults, of which the given files tell. */
function homeWith(files: Readonly<Record<string, unknown>>): string {
  const home = realpathSync(tempFolder({ 'A/.obsidian/x': '', 'B/b.md': '', 'C c/c.md': '' }));
  for (const [path, content] of Object.entries(files)) {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(file, text.replaceAll('~', home));
  }
  return home;
}

/** Runs a command in a home; with answers, at a terminal where they are typed. "^C" is Ctrl-C. */
async function typed(
  home: string,
  words: string,
  answers?: readonly string[],
): Promise<{ out: string; err: string; code: number }> {
  const isTTY = answers !== undefined;
  const aborter = new AbortController();
  const [stdin, stdout, stderr] = [0, 1, 2].map(() => Object.assign(new PassThrough(), { isTTY }));
  const left = [...(answers ?? [])];
  let err = '';
  stderr?.on('data', (data: Buffer) => {
    err += String(data);
    if (!/\] $/.test(String(data))) return;
    const answer = left.shift() ?? '';
    if (answer === '^C') aborter.abort();
    else stdin?.write(`${answer}\n`);
  });
  const code = await run({
    argv: words.split(' '),
    env: { HOME: home, NO_COLOR: '1' },
    currentFolder: home,
    stdin,
    stdout,
    stderr,
    version: '1.2.3',
    entryFile: '/x/dist/vaultdoor.js',
    signal: aborter.signal,
  } as unknown as Shell);
  await new Promise(setImmediate);
  return {
    out: String(stdout?.read() ?? '').replaceAll(home, '~'),
    err: err.replaceAll(home, '~'),
    code,
  };
}

const listOf = (...paths: readonly string[]) => ({
  vaults: Object.fromEntries(paths.map((path, at) => [at, { path, ts: 9 - at }])),
});
const obsidian = '.config/obsidian/obsidian.json';
const entry = (path: string) => ({
  mcpServers: {
    vaultdoor: { command: 'vaultdoor', args: ['stdio'], env: { OBSIDIAN_VAULT_PATH: path } },
  },
});
const server =
  '# Written by "vaultdoor setup --server", which may write it anew up to the line "end".\nVAULT_PATH="~/A"\n# end\n';

describe.runIf(isLinux)('a command that names no vault', () => {
  it.each<readonly [string, Record<string, unknown>]>([
    ["Obsidian's list has", { [obsidian]: listOf('~/A', '/gone') }],
    ['an app uses', { '.cursor/mcp.json': entry('~/A') }],
    ['the server of setup serves', { '.config/vaultdoor/server.env': server }],
    [
      'all of them name, once spelled in another way',
      {
        [obsidian]: listOf('~/A'),
        '.cursor/mcp.json': entry('~/B/../A'),
        '.config/vaultdoor/server.env': server,
      },
    ],
  ])('takes the only vault that %s', async (_what, files) => {
    const home = homeWith(files);
    const alone = await typed(home, 'reads --json');
    expect(alone).toMatchObject({ code: 0, err: '' });
    const shown = await typed(home, 'reads', []);
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.err).toMatch(/^Vault: ~\/(B\/..\/)?A\n/);
  });

  const two = { [obsidian]: listOf('~/C c', '~/A'), '.cursor/mcp.json': entry('~/B') };
  it('asks which of several is meant; Enter takes the one that an app uses', async () => {
    const home = homeWith(two);
    const { err, out } = await typed(home, 'install cursor', ['', 'n']);
    expect(err).toBe(
      '\nWhich vault?\n  1  B    ~/B\n  2  C c  ~/C c\n  3  A    ~/A\nType a number. [1] Write ~/.cursor/mcp.json? [Y/n] ',
    );
    expect(out).toContain('Nothing');
    expect((await typed(home, 'install cursor --dry-run', ['9', '3'])).out).toContain('"~/A"');
  });

  it('offers the vault first that is open in Obsidian', async () => {
    const vaults = { a: { path: '~/C c', ts: 9 }, b: { path: '~/A', ts: 1, open: true } };
    const home = homeWith({ ...two, [obsidian]: { vaults } });
    const { err } = await typed(home, 'reads', ['']);
    expect(err).toContain('  1  A    ~/A\n  2  B    ~/B\n  3  C c  ~/C c\n');
  });

  it('asks, or fails, while the vault that is open in Obsidian is not there', async () => {
    const vaults = { a: { path: '~/A', ts: 9 }, b: { path: '~/away', ts: 1, open: true } };
    const home = homeWith({ [obsidian]: { vaults } });
    const alone = await typed(home, 'reads --json');
    expect(alone).toMatchObject({ code: 2 });
    expect(alone.err).toContain('~/away\\", which an app, the server or Obsidian');
    const asked = '\n"~/away" is not there. Use "~/A" instead? [Y/n] ';
    expect((await typed(home, 'reads', [''])).err).toContain(asked);
    expect(await typed(home, 'reads', ['n'])).toMatchObject({ code: 130 });
  });

  it('takes a vault that was moved, where only one can be meant, and says so', async () => {
    const vaults = { a: { path: '~/C c/A', ts: 1, open: true } };
    for (const listed of [{ vaults: { ...vaults, b: { path: '~/A', ts: 9 } } }, { vaults }]) {
      const { err } = await typed(homeWith({ [obsidian]: listed }), 'reads', []);
      expect(err).toMatch(/^"~\/C c\/A" is not there\. Vault: ~\/A\n/);
    }
  });

  it('does nothing after Ctrl-C', async () => {
    const { err, code } = await typed(homeWith(two), 'reads', ['^C']);
    expect(err).toMatch(/\[1\] vaultdoor: Nothing was done\.\n$/);
    expect(code).toBe(130);
  });

  it('lists them where nobody can be asked', async () => {
    const home = homeWith(two);
    const { err, code } = await typed(home, 'list');
    expect(err).toMatch(/^vaultdoor: No vault: give --vault <folder>, /);
    expect(err).toMatch(/ Known here: "~\/B", "~\/C c", "~\/A"\.\n$/);
    expect(code).toBe(2);
    expect((await typed(home, 'list --json', [])).err).toContain('"vaults":["~/B",');
  });

  it('is not served to others without a name, unless a person starts the server', async () => {
    const home = homeWith({ [obsidian]: listOf('~/A') });
    for (const words of ['serve', 'stdio']) {
      expect((await typed(home, words)).err).toMatch(
        /^vaultdoor: No vault: .* Known here: "~\/A"\.\n$/,
      );
    }
  });
});
