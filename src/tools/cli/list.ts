import { z } from 'zod';
import { listFiles } from '../../engine/operations/list/list-files.ts';
import type { FileKind } from '../../engine/ports/records.ts';
import { defineTool } from '../define/define-tool.ts';
import { FileSchema, Folder, limitOf, Offset, pageOf } from './schemas.ts';
import { lines, more, plain } from './text.ts';

const kindsOf: Readonly<Record<'notes' | 'attachments' | 'all', readonly FileKind[]>> = {
  notes: ['note'],
  attachments: ['attachment'],
  all: ['note', 'canvas', 'base', 'attachment'],
};

export const listTool = defineTool({
  name: 'list',
  title: 'List files',
  description: 'Lists the notes of the vault or of a folder, with their paths.',
  effect: 'read',
  input: z.object({
    folder: Folder,
    kind: z
      .enum(['notes', 'attachments', 'all'])
      .default('notes')
      .describe('What to list; "all" has canvases and bases too.'),
    sort: z.enum(['path', 'modified']).default('path').describe('Latest first with "modified".'),
    limit: limitOf(1_000),
    offset: Offset,
  }),
  output: pageOf(FileSchema),
  record: ['folder', 'kind', 'sort', 'limit', 'offset'],
  positional: ['folder'],
  run: (vault, { kind, ...request }) => listFiles(vault, { ...request, kinds: kindsOf[kind] }),
  text: (page) => lines([...page.items.map((file) => plain(file.path)), ...more(page)]),
});
