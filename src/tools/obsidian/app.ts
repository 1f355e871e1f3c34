import { z } from 'zod';
import {
  listAppCommands,
  listAppRecents,
  listAppTabs,
  openInApp,
  runAppCommand,
} from '../../engine/operations/vault/use-app.ts';
import { defineTool } from '../define/define-tool.ts';
import { filled, noteOf, optionalText } from '../define/note-input.ts';
import { contractNoteInput } from './contract.ts';
import { cutItem, listPage, Offset, pageShape } from './list-page.ts';

export const openNoteTool = defineTool({
  name: 'obsidian_open_note',
  title: 'Open note',
  description: 'Open a note in the Obsidian app',
  effect: 'read',
  existing: 'name',
  ...contractNoteInput({}),
  output: z.object({ path: z.string(), opened: z.literal(true) }),
  record: ['name', 'path'],
  run: async (vault, which) => {
    const { path } = await openInApp(vault, { name: noteOf(which) });
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
    const ids = await listAppCommands(vault, { filter });
    return pageOf('commands', ids.map(cutItem), offset);
  },
});

export const runCommandTool = defineTool({
  name: 'obsidian_run_command',
  title: 'Run command',
  description: 'Run a command of the command palette in the running app',
  // Nobody knows what a command does; some delete files.
  effect: 'destroy',
  input: z.object({ id: filled('Command id', 1_000) }),
  output: z.object({ id: z.string(), executed: z.literal(true) }),
  record: ['id'],
  run: async (vault, { id }) => {
    await runAppCommand(vault, { id });
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
    const tabs = (await listAppTabs(vault)).map(({ type, title }) => ({
      ...(type === undefined ? {} : { type: cutItem(type) }),
      title: cutItem(title),
    }));
    return pageOf('tabs', tabs, offset);
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
  run: async (vault, { offset = 0 }) => pageOf('files', await listAppRecents(vault), offset),
});

function pageOf<Key extends string, Item>(key: Key, all: readonly Item[], offset: number) {
  return listPage(key, { total: all.length, items: all.slice(offset), offset });
}
