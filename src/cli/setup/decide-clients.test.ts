import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { Machine } from '../install/client-places.ts';
import type { Shell } from '../shell/shell.ts';
import { findClients } from './found-clients.ts';
import { setupProgram } from './setup-command.ts';

/** What `setup` would do for Cursor, whose file has these servers; HOME stands for the home folder. */
async function planned(servers: object, ...words: readonly string[]) {
  const home = tempFolder({ 'Notes/.obsidian/app.json': '{}', 'Work/a.md': '', '.cursor/x': '' });
  const config = JSON.stringify({ mcpServers: servers }).replaceAll('HOME', home);
  writeFileSync(join(home, '.cursor/mcp.json'), config);
  let out = '';
  let err = '';
  const stdout = new PassThrough().on('data', (data: Buffer) => {
    out += String(data);
  });
  const stderr = new PassThrough().on('data', (data: Buffer) => {
    err += String(data);
  });
  const shell = {
    env: { HOME: home, USERPROFILE: home },
    currentFolder: home,
    stdin: new PassThrough(),
    stdout,
    stderr,
    entryFile: '/x/dist/vaultdoor.js',
    signal: new AbortController().signal,
  } as unknown as Shell;
  const vault = ['--vault', join(home, 'Notes')];
  await setupProgram.run(shell, ['--json', '--client', 'cursor', ...vault, ...words]);
  await new Promise(setImmediate);
  const { allow, files, warnings } = JSON.parse(out);
  return { allow, entries: files[0].entries, warnings, err, home };
}

const mcpvault = (...flags: readonly string[]) => ({
  command: 'npx',
  args: ['-y', '@bitbonsai/mcpvault@latest', 'HOME/Notes/', ...flags],
});
const ours = (path: string, ...flags: readonly string[]) => ({
  command: 'vaultdoor',
  args: ['stdio', '--vault', path, ...flags],
});

describe.runIf(process.platform === 'linux')('what a new app may do', () => {
  it.each<readonly [string, Readonly<Record<string, object>>, string]>([
    ['nothing', {}, 'change'],
    ['a server that only reads', { obsidian: mcpvault('--read-only') }, 'read'],
    ['a server that also writes', { obsidian: mcpvault() }, 'change'],
    ['one of each', { obsidian: mcpvault('--read-only'), more: mcpvault() }, 'change'],
    [
      'one that only reads another vault',
      { obsidian: { command: 'npx', args: ['mcpvault', 'HOME/Work', '--read-only'] } },
      'change',
    ],
    ['an entry of ours for another vault', { w: ours('HOME/Work', '--read-only') }, 'change'],
    ['an entry of ours for a vault that is gone', { w: ours('/gone/Old', '--propose') }, 'propose'],
    [
      'an entry of ours for this vault',
      { obsidian: mcpvault('--read-only'), ours: ours('HOME/Notes') },
      'change',
    ],
  ])('where it has %s', async (_, servers, right) => {
    expect((await planned(servers)).allow).toBe(right);
  });

  it('is said where it is less than usual, and can be more', async () => {
    const servers = { obsidian: mcpvault('--read-only') };
    expect((await planned(servers)).err).toContain(
      '"obsidian" may only read, so this may not do more. With --allow, it may.',
    );
    const more = await planned(servers, '--allow', 'change');
    expect([more.allow, more.err]).toEqual(['change', '']);
  });
});

describe.runIf(process.platform === 'linux')('a vault that was renamed', () => {
  it('keeps its entry, with its options', async () => {
    const { allow, entries, home } = await planned({
      mine: ours('HOME/Notez', '--propose', '--hide', 'People/**'),
    });
    expect(allow).toBe('propose');
    expect(entries).toEqual([
      {
        name: 'mine',
        vault: join(home, 'Notes'),
        did: 'updated',
        movedFrom: join(home, 'Notez'),
        options: ['--propose', '--hide', 'People/**'],
      },
    ]);
  });

  it('gets an entry beside one that may be on a drive which is not there, and that is said', async () => {
    const { entries, warnings } = await planned({ mine: ours('/gone/Notes', '--hide', 'A') });
    expect(entries).toMatchObject([{ name: 'vaultdoor', did: 'added' }]);
    expect(warnings.join()).toContain('correct that entry, with its options (--hide A), in place');
  });
});

describe.runIf(process.platform === 'linux')('the vault to set up', () => {
  /**
   * What `setup` says and asks at a terminal with this file of Cursor, where these answers are typed and
   * no others.
   */
  async function asked(
    config: string,
    files: Readonly<Record<string, string>>,
    answers: readonly string[] = [],
    words: readonly string[] = ['--client', 'cursor'],
  ) {
    const home = tempFolder({ '.cursor/mcp.json': '', ...files });
    writeFileSync(join(home, '.cursor/mcp.json'), config.replaceAll('HOME', home));
    let shown = '';
    const stream = () =>
      Object.assign(new PassThrough(), { isTTY: true }).on('data', (data: Buffer) => {
        shown += String(data);
        if (!String(data).endsWith(' ')) return;
        const answer = left.shift();
        setImmediate(() => {
          if (answer === undefined) stdin.end();
          else stdin.write(`${answer}\n`);
        });
      });
    const left = answers.map((answer) => answer.replace('HOME', home));
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const shell = {
      env: { HOME: home, NO_COLOR: '1' },
      currentFolder: home,
      stdin,
      stdout: stream(),
      stderr: stream(),
      entryFile: '/x/dist/vaultdoor.js',
      signal: new AbortController().signal,
    } as unknown as Shell;
    await setupProgram.run(shell, words).catch((error: Error) => {
      shown += error.message;
    });
    await new Promise(setImmediate);
    return shown.replaceAll(home, '~');
  }
  const config = (path: string) => JSON.stringify({ mcpServers: { v: ours(path) } });

  it('is the one that an app uses, where Obsidian has none', async () => {
    const shown = await asked(config('HOME/Notes'), { 'Notes/a.md': '' });
    expect(shown).toContain('Use the vault "Notes" (~/Notes)?');
  });

  it('is the one that the vault of an app may be now, if that is gone', async () => {
    const shown = await asked(config('HOME/Notes'), { 'Cloud/Notes/.obsidian/app.json': '{}' });
    expect(shown).toContain('The vault that an app uses, "~/Notes", is not there any more.');
    expect(shown).toContain('Use the vault "Notes" (~/Cloud/Notes)?');
  });

  it('is asked for by that name where nothing is found', async () => {
    const shown = await asked(config('HOME/Notes'), {});
    expect(shown).toMatch(/"~\/Notes", is not there any more\.\n\nWhere is it now\?/);
    expect(shown).not.toContain('Obsidian has no vault here yet');
  });

  describe('which has another name than the one that is gone', () => {
    const question = 'Is "Home" the vault that was "/gone/Old" before?';
    const home = { 'Home/.obsidian/app.json': '{}' };
    const hiding = JSON.stringify({
      mcpServers: { v: ours('/gone/Old', '--propose', '--hide', 'People/**') },
    });

    it('is asked for, and the entry is corrected with what it hides', async () => {
      const shown = await asked(hiding, home, ['HOME/Home', 'y', '', 'n']);
      expect(shown).toContain(`${question} Then what you have set for it stays`);
      expect(shown).toContain('It keeps its options: --propose --hide');
      expect(shown).toMatch(/propose changes\. .+ This is how it is now\./);
      expect(shown).not.toMatch(/stays as it is|Adds Vaultdoor/);
    });

    it('gets an entry of its own after "no", and what the other hides is said', async () => {
      const shown = await asked(hiding, home, ['HOME/Home', 'n', '', 'n']);
      expect(shown).toContain('Adds Vaultdoor to the settings of Cursor');
      expect(shown).toContain("with its options (--propose --hide 'People/**'), in place of");
    });

    it.each([
      ['may be on a drive that is away', config('/media/you/Stick/Old')],
      ['is one of two', JSON.stringify({ mcpServers: { a: ours('/gone/A'), b: ours('/gone/B') } })],
      [
        'is not the only one',
        JSON.stringify({ mcpServers: { a: ours('/gone/A'), b: ours('HOME/Home') } }),
      ],
    ])('is not asked for where the other %s', async (_, servers) => {
      const shown = await asked(servers, home, ['HOME/Home', '', 'n']);
      expect(shown).toContain('What may Cursor do?');
      expect(shown).not.toContain('the vault that was');
    });
  });

  it.each([
    [
      ['/gone/A'],
      'The vault in Obsidian\'s list, "/gone/A", is not there any more.\n\nWhere is it now?',
    ],
    [
      ['/gone/A', '/gone/B'],
      'such as "/gone/A", are not there any more.\n\nWhere are your notes now?',
    ],
    [[], 'Where are your notes? Obsidian has no vault here yet.'],
  ])('is asked for where the list of Obsidian has %j', async (paths, text) => {
    const vaults = Object.fromEntries(paths.map((path, ts) => [ts, { path, ts: 9 - ts }]));
    const list = { '.config/obsidian/obsidian.json': JSON.stringify({ vaults }) };
    expect(await asked('{}', list)).toContain(text);
  });

  it('is not asked for where the only app has a broken file, also if that is not named', async () => {
    const shown = await asked('{"mcpServers" {}}', { 'Notes/.obsidian/app.json': '{}' }, [], []);
    expect(shown).toMatch(/"~\/\.cursor\/mcp\.json" is not valid JSON \(line 1, column 15\)/);
    expect(shown).not.toMatch(/Use the vault|Where|left out/);
  });

  it('is not asked for where the file of the app is broken: its backup is named', async () => {
    const backup = { '.cursor/mcp.json.vaultdoor-backup': '{"mcpServers": {}}' };
    const shown = await asked('{"', { 'Notes/.obsidian/app.json': '{}', ...backup });
    expect(shown).toMatch(
      /\(line 1, column 2\); .+ Its latest backup, from [\d: -]+, is "~\/\.cursor\/mcp\.json\.vaultdoor-backup"\.$/,
    );
  });
});

it.runIf(process.platform === 'linux')(
  'an app that is named and not here is answered alike where no other is here',
  async () => {
    for (const files of [{}, { '.cursor/mcp.json': '{}' }]) {
      const home = tempFolder({ 'Notes/a.md': '', ...files });
      const shell = {
        env: { HOME: home },
        currentFolder: home,
        stdin: new PassThrough(),
        stdout: new PassThrough(),
        stderr: new PassThrough(),
        entryFile: '/x/dist/vaultdoor.js',
      } as unknown as Shell;
      const words = ['--yes', '--vault', join(home, 'Notes'), '--client', 'claude-code'];
      await expect(setupProgram.run(shell, words)).rejects.toThrow(
        `Claude Code was not found: there is no "${join(home, '.claude')}". Start it once and try again.`,
      );
    }
  },
);

it.runIf(process.platform === 'linux')(
  'setup warns of a file that is empty, and names its backup',
  async () => {
    const home = tempFolder({ '.cursor/mcp.json.vaultdoor-backup': '{"mcpServers": {}}' });
    writeFileSync(join(home, '.cursor/mcp.json'), '');
    const machine = { platform: 'linux', env: {}, home, currentFolder: home, packageNames: [] };
    const [cursor] = await findClients(machine as Machine);
    expect(cursor?.fault).toBeUndefined();
    expect(cursor?.empty.join()).toMatch(
      /mcp\.json" is empty\. Its latest backup, from .+-backup"\.$/,
    );
  },
);
