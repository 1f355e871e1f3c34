import { z } from 'zod';
import { VaultError } from '../../base/vault-error.ts';
import { findNote } from '../../engine/notes/find-note.ts';
import type { ObsidianApp } from '../../engine/ports/obsidian-app.ts';
import { notRunningMessage } from '../../engine/ports/obsidian-app.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { defineTool } from '../define/define-tool.ts';
import { filled, noteOf, optionalText } from '../define/note-input.ts';
import { seedNoteInput } from './contract.ts';
import { cutItem, listPage, Offset, pageShape } from './list-page.ts';

export const openNoteTool = defineTool({
  name: 'obsidian_open_note',
  title: 'Open note',
  description: 'Open a note in the Obsidian app',
  effect: 'read',
  existing: 'name',
  ...seedNoteInput({}),
  output: z.object({ path: z.string(), opened: z.literal(true) }),
  record: ['name', 'path'],
  run: async (vault, which) => {
    const path = await findNote(vault, noteOf(which));
    await appOf(vault).open(path, { signal: vault.caller.signal });
    return { path, opened: true as const };
  },
});

export const commandsTool = defineTool({
  name: 'obsidian_commands',
  title: 'List commands',
  description: 'List the command ids of the command palette; needs the running app',
  effect: 'read',
  input: z.object({ filter: optionalText('Beginning of the id'), offset: Offset }),
  output: z.object(pageShape('commands', z.string())),
  record: ['filter', 'offset'],
  run: async (vault, { filter, offset = 0 }) => {
    checkWhole(vault);
    const { signal } = vault.caller;
    const printed = await appOf(vault).run({ name: 'commands', values: { filter } }, { signal });
    return pageOf('commands', linesOf(printed).flatMap(commandId), offset);
  },
});

export const runCommandTool = defineTool({
  name: 'obsidian_run_command',
  title: 'Run command',
  description: 'Run a command of the command palette in the running app',
  // What a command does is not known: some delete files.
  effect: 'destroy',
  input: z.object({ id: filled('Command id', 1_000) }),
  output: z.object({ id: z.string(), executed: z.literal(true) }),
  record: ['id'],
  run: async (vault, { id }) => {
    checkWhole(vault);
    const { signal } = vault.caller;
    await appOf(vault).run({ name: 'command', values: { id } }, { signal });
    return { id, executed: true as const };
  },
});

export const tabsTool = defineTool({
  name: 'obsidian_tabs',
  title: 'List tabs',
  description: 'List the open tabs of the running app',
  effect: 'read',
  input: z.object({ offset: Offset }),
  output: z.object(pageShape('tabs', z.object({ type: z.string().optional(), title: z.string() }))),
  record: ['offset'],
  run: async (vault, { offset = 0 }) => {
    checkWhole(vault);
    const printed = await appOf(vault).run({ name: 'tabs' }, { signal: vault.caller.signal });
    return pageOf('tabs', linesOf(printed).map(tabOf), offset);
  },
});

export const recentsTool = defineTool({
  name: 'obsidian_recents',
  title: 'List recent files',
  description: 'List the files that were opened last in the running app',
  effect: 'read',
  input: z.object({ offset: Offset }),
  output: z.object(pageShape('files', z.string())),
  record: ['offset'],
  run: async (vault, { offset = 0 }) => {
    const printed = await appOf(vault).run({ name: 'recents' }, { signal: vault.caller.signal });
    const seen = linesOf(printed).filter((path) => vault.sees(path));
    return pageOf('files', seen, offset);
  },
});

function appOf(vault: BoundVault): ObsidianApp {
  const { app } = vault.vault.parts;
  if (app === undefined) throw new VaultError('app_not_running', notRunningMessage);
  return app;
}

/** What the app shows and does knows nothing of what is hidden from a caller. */
function checkWhole(vault: BoundVault): void {
  const { folders, hide } = vault.caller.scopes;
  if (folders.includes('') && hide.length === 0) return;
  throw new VaultError(
    'forbidden',
    'The app shows and changes the whole vault, and this connection sees only a part of it.',
  );
}

function linesOf(printed: string): readonly string[] {
  return printed.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}

/** The id that a line begins with; none for a sentence. */
function commandId(line: string): readonly string[] {
  const id = line.replace(/\t.*$/, '');
  return id.includes(':') || !id.includes(' ') ? [cutItem(id)] : [];
}

/** `[markdown] Welcome`, and what follows a tab is the tab's id. */
function tabOf(line: string) {
  const { type, title = line } = /^\[(?<type>[^\]]*)\] ?(?<title>[^\t]*)/.exec(line)?.groups ?? {};
  return { ...(type === undefined ? {} : { type: cutItem(type) }), title: cutItem(title) };
}

function pageOf<Key extends string, Item>(key: Key, all: readonly Item[], offset: number) {
  return listPage(key, { total: all.length, items: all.slice(offset), offset });
}
