import { z } from 'zod';
import { listOrphans, listUnresolved } from '../../engine/operations/list/list-graph.ts';
import { defineTool } from '../define/define-tool.ts';
import { limitOf, listOf, Offset, pageOf } from './schemas.ts';
import { lines, more, plain } from './text.ts';

export const unresolvedTool = defineTool({
  name: 'unresolved',
  title: 'Unresolved links',
  description: 'Lists link targets that no file answers to, with their counts.',
  effect: 'read',
  input: z.object({ limit: limitOf(100), offset: Offset }),
  output: pageOf(z.object({ link: z.string(), count: z.number(), sources: listOf(z.string()) })),
  record: ['limit', 'offset'],
  run: (vault, request) => listUnresolved(vault, request),
  text: (page, paint) =>
    lines([
      ...page.items.map(
        ({ link, count, sources }) =>
          `${paint.faint(String(count).padStart(6))} ${plain(link)} ${paint.faint(`in ${sources.map(plain).join(', ')}`)}`,
      ),
      ...more(page),
    ]),
});

export const orphansTool = defineTool({
  name: 'orphans',
  title: 'Orphans',
  description: 'Lists notes that no other file links to.',
  effect: 'read',
  input: z.object({ limit: limitOf(100), offset: Offset }),
  output: pageOf(z.string()),
  record: ['limit', 'offset'],
  run: (vault, request) => listOrphans(vault, request),
  text: (page) => lines([...page.items.map(plain), ...more(page)]),
});
