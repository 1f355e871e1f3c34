import { z } from 'zod';
import { listTagged, listTags } from '../../engine/operations/list/list-tags.ts';
import { defineTool } from '../define/define-tool.ts';
import { FileSchema, limitOf, listOf, Offset, pageOf } from './schemas.ts';
import { lines, more, plain } from './text.ts';

export const tagsTool = defineTool({
  name: 'tags',
  title: 'Tags',
  description: 'Lists all tags with their counts, or the notes that have one tag.',
  effect: 'read',
  input: z.object({
    tag: z
      .string()
      .min(1)
      .optional()
      .describe('List the notes that have this tag or one under it.'),
    limit: limitOf(1_000),
    offset: Offset,
  }),
  output: z.union([
    z.object({
      total: z.number(),
      tags: listOf(z.object({ tag: z.string(), files: z.number(), count: z.number() })),
    }),
    pageOf(FileSchema).extend({ tag: z.string() }),
  ]),
  record: ['tag', 'limit', 'offset'],
  positional: ['tag'],
  run: async (vault, { tag, limit, offset }) => {
    if (tag === undefined) {
      const all = await listTags(vault);
      return { total: all.length, tags: all.slice(offset, offset + limit) };
    }
    return { tag, ...(await listTagged(vault, { tag, limit, offset })) };
  },
  text: (answer, paint) =>
    'tags' in answer
      ? lines([
          ...answer.tags.map(
            ({ tag, count }) => `${paint.faint(String(count).padStart(6))} ${plain(tag)}`,
          ),
          ...more({ total: answer.total, items: answer.tags }),
        ])
      : lines([...answer.items.map((file) => plain(file.path)), ...more(answer)]),
});
