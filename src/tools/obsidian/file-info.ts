import { z } from 'zod';
import { countWords, fileInfo, readOutline } from '../../engine/operations/read/file-info.ts';
import { defineTool } from '../define/define-tool.ts';
import { given, noteInput, noteOf } from '../define/note-input.ts';
import { firstOf } from '../wording/fit-answer.ts';
import { contractData, contractNoteInput } from './contract.ts';
import { cutItem, listPage, Offset, pageShape, restFrom } from './list-page.ts';

const namesMax = 200;

export const fileInfoTool = defineTool({
  name: 'obsidian_file_info',
  title: 'File info',
  description: 'Show the path, size, times, tags and aliases of a note or other file',
  effect: 'read',
  existing: 'name',
  ...contractNoteInput({}),
  output: z.object({
    path: z.string(),
    name: z.string(),
    extension: z.string(),
    kind: z.enum(['note', 'canvas', 'base', 'attachment']),
    bytes: z.number(),
    created: z.string(),
    modified: z.string(),
    tags: z.array(z.string()).readonly().optional(),
    aliases: z.array(z.string()).readonly().optional(),
    version: z.string().optional(),
  }),
  record: ['name', 'path'],
  run: async (vault, which) => {
    const info = await fileInfo(vault, { name: noteOf(which) });
    const { path, name, extension, kind, bytes, createdMs, modifiedMs } = info;
    return {
      path,
      name,
      extension,
      kind,
      bytes,
      created: new Date(createdMs).toISOString(),
      modified: new Date(modifiedMs).toISOString(),
      ...given({
        tags: info.tags && firstOf(info.tags, namesMax),
        aliases: info.aliases && firstOf(info.aliases, namesMax),
        version: info.version,
      }),
    };
  },
  ...contractData,
});

export const outlineTool = defineTool({
  name: 'obsidian_outline',
  title: 'Outline',
  description: 'List the headings of a note with their lines',
  effect: 'read',
  existing: 'name',
  ...noteInput({ offset: Offset }),
  output: z.object({
    path: z.string(),
    ...pageShape('headings', z.object({ level: z.number(), text: z.string(), line: z.number() })),
  }),
  record: ['name', 'path', 'offset'],
  run: async (vault, { offset = 0, ...which }) => {
    const request = { name: noteOf(which), ...restFrom(offset) };
    const { path, total, items: headings } = await readOutline(vault, request);
    const items = headings.map(({ level, text, line }) => ({ level, text: cutItem(text), line }));
    return listPage('headings', { total, items, offset }, { path });
  },
});

export const wordCountTool = defineTool({
  name: 'obsidian_word_count',
  title: 'Word count',
  description: 'Count the words and characters of a note, properties aside',
  effect: 'read',
  existing: 'name',
  ...noteInput({}),
  output: z.object({ path: z.string(), words: z.number(), characters: z.number() }),
  record: ['name', 'path'],
  run: (vault, which) => countWords(vault, { name: noteOf(which) }),
});
