import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  type StandInPrograms,
  standInPrograms,
} from '../../../../test/support/stand-in-programs.ts';
import { tempFolder, writeFiles } from '../../../../test/support/temp-folder.ts';
import { limits } from '../../../base/limits.ts';
import { VaultError, type VaultErrorCode } from '../../../base/vault-error.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import type { AppCommand, ObsidianApp } from '../../../engine/ports/obsidian-app.ts';
import { openObsidianCli } from './obsidian-cli.ts';

type ObsidianCliOptions = Parameters<typeof openObsidianCli>[0];

// Every command runs a real child process: a stand-in for the official CLI.

const { signal } = new AbortController();

function appOf(
  programs: StandInPrograms,
  env: Readonly<Record<string, string>> = {},
  options: Partial<ObsidianCliOptions> = {},
): ObsidianApp {
  return openObsidianCli({
    root: '/vaults/Garden',
    platform: 'linux',
    env: { ...programs.env, ...env },
    ...options,
  });
}

/** The app in one of the ways that the stand-in knows. */
const appThat = (
  behaviour: string,
  programs = standInPrograms('obsidian'),
  deadlinesMs: ObsidianCliOptions['deadlinesMs'] = {},
): ObsidianApp => appOf(programs, { STAND_IN_OBSIDIAN: behaviour }, { deadlinesMs });

describe.skipIf(process.platform === 'win32')('the Obsidian CLI', () => {
  it.each<[AppCommand, string]>([
    [{ name: 'tabs' }, '[markdown] Welcome\n[graph] Graph view'],
    [{ name: 'recents' }, 'Welcome.md\nProjects/Garden.md'],
    [{ name: 'commands' }, 'app:open-settings\napp:reload'],
    [{ name: 'commands', values: { filter: 'app:r' } }, 'app:reload'],
    [{ name: 'commands', values: { filter: 'none:' } }, ''],
    [{ name: 'command', values: { id: 'app:reload' } }, 'Executed: app:reload'],
    [{ name: 'open', path: vaultPath('A b.md') }, 'Opened: A b.md'],
  ])('answers %j', async (command, answer) => {
    expect(await appThat('running').run(command, { signal })).toBe(answer);
  });

  it('waits for an answer that takes its time', async () => {
    const command: AppCommand = { name: 'command', values: { id: 'app:reload' } };
    expect(await appThat('slow').run(command, { signal })).toBe('Executed: app:reload');
  });

  it('answers without the banners of an old installer', async () => {
    expect(await appThat('old-installer').run({ name: 'recents' }, { signal })).toBe(
      'Welcome.md\nProjects/Garden.md',
    );
  });

  it.each<[string, AppCommand, VaultErrorCode, RegExp]>([
    [
      'not-running',
      { name: 'tabs' },
      'app_not_running',
      /^Obsidian application is not running\. Please start Obsidian and try again\.$/,
    ],
    ['off', { name: 'tabs' }, 'unavailable', /switched off/],
    ['unknown-vault', { name: 'tabs' }, 'vault_not_found', /Open its folder as a vault/],
    ['running', { name: 'command', values: { id: 'x:y' } }, 'not_found', /List the commands/],
    ['running', { name: 'open', path: vaultPath('missing.md') }, 'not_found', /this file/],
    ['refuses', { name: 'tabs' }, 'unavailable', /could not carry out/],
    ['fails', { name: 'tabs' }, 'unavailable', /exit code 139/],
    ['silent', { name: 'command', values: { id: 'app:reload' } }, 'unavailable', /Obsidian\.com/],
    ['silent', { name: 'open', path: vaultPath('A.md') }, 'unavailable', /Obsidian\.com/],
    ['garbage', { name: 'tabs' }, 'unavailable', /not text/],
    ['huge', { name: 'recents' }, 'too_large', /more than 4194304 bytes; ask for less/],
  ])('that is "%s" fails for %j with %s', async (behaviour, command, code, message) => {
    const running = appThat(behaviour).run(command, { signal });
    await expect(running).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    await expect(running).rejects.toBeInstanceOf(VaultError);
  });

  it('takes silence as an empty list where there may be nothing to say', async () => {
    expect(await appThat('silent').run({ name: 'recents' }, { signal })).toBe('');
  });
});

describe.skipIf(process.platform === 'win32')('what the CLI is given', () => {
  const given = async (
    listed: readonly (readonly [id: string, path: string])[],
    { root = '/vaults/Garden', command = { name: 'tabs' } as AppCommand } = {},
  ): Promise<unknown> => {
    const programs = standInPrograms('obsidian');
    const vaults = Object.fromEntries(listed.map(([id, path]) => [id, { path }]));
    const list = JSON.stringify({ vaults });
    writeFiles(programs.folder, { '.config/obsidian/obsidian.json': list });
    await appOf(programs, {}, { root }).run(command, { signal });
    return programs.calls()[0];
  };

  it('is the id of the vault where Obsidian lists it', async () => {
    const listed = [
      ['0a', '/other/Garden'],
      ['1b', '/vaults/Garden'],
    ] as const;
    expect(await given(listed)).toEqual(['vault=1b', 'tabs']);
  });

  it('is the id also when Obsidian lists the vault through a symlink', async () => {
    const root = tempFolder();
    const link = join(tempFolder(), 'Linked');
    symlinkSync(root, link);
    expect(await given([['1b', link]], { root })).toEqual(['vault=1b', 'tabs']);
  });

  it('is the name of the folder where there is no list', async () => {
    expect(await given([['0a', '/other/Flowers']])).toEqual(['vault=Garden', 'tabs']);
  });

  it('is nothing when another vault would be meant by that name', async () => {
    await expect(given([['0a', '/other/Garden']])).rejects.toMatchObject({
      code: 'vault_not_found',
      message: expect.stringContaining('another vault named "Garden"'),
    });
  });

  it('is the path of the file after the command, never its name', async () => {
    const command: AppCommand = { name: 'open', path: vaultPath('a/B c.md'), flags: ['newtab'] };
    expect(await given([], { command })).toEqual([
      'vault=Garden',
      'open',
      'path=a/B c.md',
      'newtab',
    ]);
  });

  it('is nothing when a value cannot be given', async () => {
    const programs = standInPrograms('obsidian');
    const running = appOf(programs).run({ name: 'command', values: { id: 'a\0' } }, { signal });
    await expect(running).rejects.toMatchObject({ code: 'invalid_input' });
    expect(programs.calls()).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('the program of the CLI', () => {
  it('is looked for again as long as it is missing, and when it has gone', async () => {
    const programs = standInPrograms();
    const app = appOf(programs);
    const tabs = (): Promise<string> => app.run({ name: 'tabs' }, { signal });
    await expect(tabs()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('not installed'),
    });
    programs.add('obsidian');
    expect(await tabs()).toContain('Welcome');
    rmSync(join(programs.folder, 'obsidian'));
    await expect(tabs()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is the one that OBSIDIAN_CLI names, wherever it is', async () => {
    const onPath = standInPrograms('obsidian');
    const named = standInPrograms('obsidian');
    const env = { OBSIDIAN_CLI: join(named.folder, 'obsidian'), STAND_IN_OBSIDIAN: 'off' };
    const app = openObsidianCli({
      root: '/v',
      platform: 'linux',
      env: { ...onPath.env, ...env, STAND_IN_LOG: named.env['STAND_IN_LOG'] },
    });
    await expect(app.run({ name: 'tabs' }, { signal })).rejects.toMatchObject({
      message: expect.stringContaining('switched off'),
    });
    expect(named.calls()).toHaveLength(1);
  });

  it.each(['obsidian', './obsidian', '/nowhere/obsidian', '/'])(
    'is none when OBSIDIAN_CLI is %j, even with one on PATH',
    async (OBSIDIAN_CLI) => {
      const app = appOf(standInPrograms('obsidian'), { OBSIDIAN_CLI });
      await expect(app.run({ name: 'tabs' }, { signal })).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('OBSIDIAN_CLI'),
      });
    },
  );

  it('fails in words when the system cannot run it', async () => {
    const programs = standInPrograms('obsidian');
    writeFileSync(join(programs.folder, 'obsidian'), '#!/nowhere/node\n');
    await expect(appOf(programs).run({ name: 'tabs' }, { signal })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('could not be started'),
    });
  });
});

describe.skipIf(process.platform === 'win32')('a CLI that does not end', () => {
  it('is killed at its deadline, though it ignores SIGTERM', async () => {
    const programs = standInPrograms('obsidian');
    const app = appThat('never-ends', programs, { tabs: 2_000 });
    await expect(app.run({ name: 'tabs' }, { signal })).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/^Obsidian did not answer in time\. Only the app knows/),
    });
    const { pid } = pidsOf(programs);
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 30_000 });
    expect(programs.calls()).toContain('SIGTERM');
  });

  it('is not started as the Node that a client made with Electron has started us as', async () => {
    const programs = standInPrograms('obsidian');
    const env = { ELECTRON_RUN_AS_NODE: '1', STAND_IN_OBSIDIAN: 'tells-env' };
    const told = await appOf(programs, env).run({ name: 'tabs' }, { signal });
    expect(told.split('\n')).toContain('STAND_IN_OBSIDIAN');
    expect(told).not.toContain('ELECTRON');
  });

  it('has a deadline of its own for each command', async () => {
    const app = appThat('never-ends', undefined, { tabs: 50, recents: 600_000 });
    const controller = new AbortController();
    const recents = app.run({ name: 'recents' }, { signal: controller.signal });
    const ended = expect(recents).rejects.toMatchObject({ code: 'cancelled' });
    await expect(app.run({ name: 'tabs' }, { signal })).rejects.toMatchObject({ code: 'timeout' });
    controller.abort();
    await ended;
  });

  it('is killed with its children when the call is called off, and the call says why', async () => {
    const programs = standInPrograms('obsidian');
    const controller = new AbortController();
    const running = appThat('waits-for-child', programs).run(
      { name: 'tabs' },
      { signal: controller.signal },
    );
    const ending = new VaultError('timeout', 'The call took too long.');
    const ended = expect(running).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/^Obsidian did not answer in time\. Only the app knows/),
    });
    await vi.waitFor(() => pidsOf(programs), { timeout: 30_000 });
    controller.abort(ending);
    await ended;
    const { pid, child } = pidsOf(programs);
    await vi.waitFor(() => expect([isAlive(pid), isAlive(child)]).toEqual([false, false]), {
      timeout: 30_000,
    });
  });

  it('is answered for when it has ended and only its child goes on', async () => {
    const programs = standInPrograms('obsidian');
    const answer = await appThat('leaves-child', programs).run({ name: 'recents' }, { signal });
    const { child } = pidsOf(programs);
    expect(answer).toBe('Welcome.md\nProjects/Garden.md');
    // It may be the app, started by the CLI.
    expect(isAlive(child)).toBe(true);
    process.kill(child, 'SIGKILL');
  });

  it('has few beside it: more are refused at once, and not for longer than it runs', async () => {
    const app = appThat('never-ends');
    const controller = new AbortController();
    const running = Array.from({ length: limits.appCommandsMax }, () =>
      app.run({ name: 'tabs' }, { signal: controller.signal }),
    );
    const ended = Promise.allSettled(running);
    await expect(app.run({ name: 'tabs' }, { signal })).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringContaining('try again in a moment'),
    });
    controller.abort();
    await ended;
    const { signal: over } = controller;
    await expect(app.run({ name: 'tabs' }, { signal: over })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});

describe.skipIf(process.platform === 'win32')('showing a file in the app', () => {
  const note = vaultPath('Plans & ideas/Ä #1.md');

  it('goes through the CLI where there is one', async () => {
    const programs = standInPrograms('obsidian', 'xdg-open');
    expect(await appOf(programs).open(note, { signal, newTab: true })).toEqual({ by: 'cli' });
    expect(programs.calls()).toEqual([['vault=Garden', 'open', `path=${note}`, 'newtab']]);
  });

  it('says so when the app is not running, and opens no address behind the back of the CLI', async () => {
    const programs = standInPrograms('obsidian', 'xdg-open');
    const app = appThat('not-running', programs);
    await expect(app.open(note, { signal })).rejects.toMatchObject({ code: 'app_not_running' });
    expect(programs.calls()).toHaveLength(1);
  });

  it.each([
    [{ newTab: false }, ''],
    [{ newTab: true }, '&paneType=tab'],
  ])('gives the address to the opener where there is no CLI, %j', async (options, end) => {
    const programs = standInPrograms('xdg-open');
    expect(await appOf(programs).open(note, { signal, ...options })).toEqual({ by: 'uri' });
    const [[address]] = programs.calls() as [[string]];
    expect(address).toBe(
      `obsidian://open?path=%2Fvaults%2FGarden%2FPlans%20%26%20ideas%2F%C3%84%20%231.md${end}`,
    );
  });

  it.each<[string, readonly 'xdg-open'[], Record<string, string>]>([
    ['without an opener', [], {}],
    ['without a display', ['xdg-open'], { DISPLAY: '' }],
    ['without a program for the address', ['xdg-open'], { STAND_IN_OPENER: 'knows-none' }],
  ])('says that the app is not running %s', async (_what, names, env) => {
    await expect(
      appOf(standInPrograms(...names), env).open(note, { signal }),
    ).rejects.toMatchObject({
      code: 'app_not_running',
      message: 'Obsidian application is not running. Please start Obsidian and try again.',
    });
  });

  it('leaves an opener alone that has become the app', async () => {
    const programs = standInPrograms('xdg-open');
    const app = appOf(programs, { STAND_IN_OPENER: 'becomes-app' });
    expect(await app.open(note, { signal })).toEqual({ by: 'uri' });
    const { pid } = pidsOf(programs);
    expect(isAlive(pid)).toBe(true);
    process.kill(pid, 'SIGKILL');
  });
});

/** What the stand-in noted about its processes; fails while it has not. */
function pidsOf(programs: StandInPrograms): { readonly pid: number; readonly child: number } {
  const noted = programs.calls().find((call) => !Array.isArray(call) && typeof call === 'object');
  expect(noted).toBeDefined();
  return noted as { pid: number; child: number };
}

/** A process that has ended but that nobody has asked about yet is not alive. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
