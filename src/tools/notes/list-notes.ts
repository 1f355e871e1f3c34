import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { vaultFolder } from '../../base/vault-path.ts';
import { listNoteNames } from '../../engine/operations/list/list-files.ts';
import { defineTool } from '../define/define-tool.ts';
import { choice, count, countOr, optionalText } from '../define/note-input.ts';
import { fitItems, nextOffset } from '../wording/fit-answer.ts';

export const listNotesTool = defineTool({
  name: 'list_notes',
  title: 'List notes',
  description:
    'List note names for an overview; a name that several notes share comes as its path. To find a note use search_notes.',
  effect: 'read',
  input: z.object({
    limit: countOr(100, 'At most this many', { max: limits.resultsMax }),
    offset: count('Skip this many'),
    folder: optionalText('Only in this folder'),
    sort: choice(['name', 'modified'], 'modified: latest first'),
  }),
  output: z.object({
    total: z.number(),
    notes: z.array(z.string()).readonly(),
    offset: z.number(),
    next_offset: z.number().optional(),
  }),
  record: ['limit', 'offset', 'folder', 'sort'],
  run: async (vault, { folder = '', offset = 0, ...rest }) => {
    const request = { ...rest, offset, folder: vaultFolder(folder) };
    const { total, names } = await listNoteNames(vault, request);
    const notes = fitItems(names, { total, offset });
    return { total, notes, offset, ...nextOffset({ total, offset, shown: notes.length }) };
  },
});
