import { describe, expect, it } from 'vitest';
import { openToolset } from '../../../test/support/toolset-service.ts';
import { allScopes } from '../../base/caller.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { AppCommand, ObsidianApp } from '../../engine/ports/obsidian-app.ts';
import { obsidianToolset } from './obsidian-toolset.ts';

const printed: Readonly<Record<string, string>> = {
  commands: 'app:reload\napp:open-settings\tOpen settings\ndaily-notes\nNo other commands.',
  command: 'Executed: app:reload',
  tabs: '[markdown] A note\tid1\n[graph] Graph view\nsomething else',
  recents: 'A note.md\n\nPrivate/B.md',
};

/** An app that prints what the documented CLI does, and keeps what it was asked. */
class PrintingApp implements ObsidianApp {
  readonly asked: unknown[] = [];

  async run(command: AppCommand): Promise<string> {
    this.asked.push(command);
    return printed[command.name] ?? '';
  }

  async open(path: string) {
    this.asked.push(path);
    return { by: 'cli' } as const;
  }
}

const files = { 'A note.md': '', 'Private/B.md': '' };

async function openWith(app?: ObsidianApp) {
  return openToolset(files, obsidianToolset(), app === undefined ? {} : { parts: { app } });
}

const everything: readonly [tool: string, args: object][] = [
  ['obsidian_open_note', { name: 'A note' }],
  ['obsidian_commands', {}],
  ['obsidian_run_command', { id: 'app:reload' }],
  ['obsidian_tabs', {}],
  ['obsidian_recents', {}],
];

describe('what only the app can do', () => {
  it.each<[string, object, unknown, object]>([
    ['obsidian_open_note', { name: 'a note' }, 'A note.md', { path: 'A note.md', opened: true }],
    [
      'obsidian_commands',
      { filter: 'app' },
      { name: 'commands', values: { filter: 'app' } },
      { total: 3, commands: ['app:reload', 'app:open-settings', 'daily-notes'] },
    ],
    [
      'obsidian_run_command',
      { id: 'app:reload' },
      { name: 'command', values: { id: 'app:reload' } },
      { id: 'app:reload', executed: true },
    ],
    [
      'obsidian_tabs',
      {},
      { name: 'tabs' },
      {
        total: 3,
        tabs: [
          { type: 'markdown', title: 'A note' },
          { type: 'graph', title: 'Graph view' },
          { title: 'something else' },
        ],
      },
    ],
    ['obsidian_recents', {}, { name: 'recents' }, { total: 2, files: Object.keys(files) }],
  ])('%s %j asks it and tells what it said', async (tool, args, asked, data) => {
    const app = new PrintingApp();
    const tools = await openWith(app);
    const { text, json } = await tools.call(tool, args);
    expect(json, text).toEqual({ success: true, data });
    expect(app.asked).toEqual([asked]);
    await tools.close();
  });

  it.each(everything)(
    '%s says in the words of the seed that it cannot be reached',
    async (...call) => {
      const tools = await openWith();
      const { code, text } = await tools.call(...call);
      expect([code, text]).toEqual([
        'app_not_running',
        'Obsidian application is not running. Please start Obsidian and try again.',
      ]);
      await tools.close();
    },
  );

  it('passes on what the app refuses', async () => {
    const failing: ObsidianApp = {
      run: () =>
        Promise.reject(new VaultError('not_found', 'Obsidian does not know this command.')),
      open: () => Promise.reject(new VaultError('timeout', 'Too late.')),
    };
    const tools = await openWith(failing);
    expect((await tools.call('obsidian_run_command', { id: 'x' })).code).toBe('not_found');
    expect((await tools.call('obsidian_open_note', { name: 'A note' })).code).toBe('timeout');
    await tools.close();
  });

  it('opens no note that is not there, without asking the app', async () => {
    const app = new PrintingApp();
    const tools = await openWith(app);
    expect((await tools.call('obsidian_open_note', { name: 'None' })).code).toBe('not_found');
    expect((await tools.call('obsidian_open_note', { name: '.obsidian/x' })).code).toBe(
      'not_found',
    );
    expect(app.asked).toEqual([]);
    await tools.close();
  });

  it.each([
    { ...allScopes, hide: ['Private'] },
    { ...allScopes, folders: ['Public' as never] },
  ])('shows nothing of the rest of the vault to someone who sees %j', async (scopes) => {
    const app = new PrintingApp();
    const tools = await openWith(app);
    const calls = { commands: {}, run_command: { id: 'app:reload' }, tabs: {} };
    for (const [name, args] of Object.entries(calls)) {
      const tool = `obsidian_${name}`;
      const { code } = await tools.call(tool, args, { scopes });
      expect([tool, code]).toEqual([tool, 'forbidden']);
    }
    expect(app.asked).toEqual([]);
    const { text } = await tools.call('obsidian_recents', {}, { scopes });
    expect(text).not.toContain('Private');
    expect((await tools.call('obsidian_open_note', { name: 'B' }, { scopes })).code).toBe(
      'not_found',
    );
    await tools.close();
  });
});
