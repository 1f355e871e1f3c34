import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { Shell } from '../shell/shell.ts';
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
