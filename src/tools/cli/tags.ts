import { z } from 'zod';
import { listTagged, listTags } from '../../engine/operations/list/list-tags.ts';
import { renameTag } from '../../engine/operations/move/rename-tag.ts';
import { addTags, removeTags } from '../../engine/operations/write/change-tags.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import { defineChange } from './define-change.ts';
import {
  Bases,
  FileSchema,
  Force,
  IfVersion,
  limitOf,
  listOf,
  NoteName,
  Offset,
  pageOf,
} from './schemas.ts';
import { table } from './table.ts';
import { basesText, counted, lines, listRemarks, plain } from './text.ts';

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
      .describe('List the notes that have this tag or one nested under it.'),
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
  examples: ['vaultdoor tags', 'vaultdoor tags cooking'],
  run: async (vault, { tag, limit, offset }) => {
    if (tag === undefined) {
      const all = await listTags(vault);
      return { total: all.length, tags: all.slice(offset, offset + limit) };
    }
    return { tag, ...(await listTagged(vault, { tag, limit, offset })) };
  },
  text: (answer, paint) =>
    'tags' in answer
      ? lines(
          table(
            [{ title: 'uses', align: 'right', paint: paint.faint }, { title: 'tag' }],
            answer.tags.map(({ tag, count }) => [String(count), plain(tag)]),
            paint,
          ),
        )
      : lines(answer.items.map((file) => plain(file.path))),
  remarks: (answer) =>
    'tags' in answer
      ? listRemarks('There are no tags.')({ total: answer.total, items: answer.tags })
      : listRemarks('There is no such tag in use.')(answer),
});

const Tag = z.string().min(1);
const Tags = z.array(Tag).min(1).describe('The tags, with or without "#".');

export const addTagsTool = tagsOfNoteTool({
  name: 'tag add',
  title: 'Add tags',
  description: 'Adds tags to the properties of a note.',
  examples: ['vaultdoor tag add Swifts birds summer'],
  operation: addTags,
});

export const removeTagsTool = tagsOfNoteTool({
  name: 'tag remove',
  title: 'Remove tags',
  description: 'Removes tags from the properties of a note.',
  examples: ['vaultdoor tag remove Sourdough cooking/bread'],
  operation: removeTags,
});

export const renameTagTool = defineChange({
  name: 'tag rename',
  title: 'Rename a tag',
  description: 'Renames a tag in the whole vault, and the tags nested under it.',
  effect: 'write',
  input: z.object({
    tag: Tag.describe('The tag, with or without "#".'),
    newTag: Tag.describe('Its new name.'),
    force: Force,
  }),
  result: z.object({ notes: z.number(), count: z.number(), bases: Bases }),
  record: ['tag', 'newTag', 'force'],
  positional: ['tag', 'newTag'],
  examples: [
    'vaultdoor tag rename cooking kitchen',
    'vaultdoor tag rename cooking kitchen --dry-run',
  ],
  operation: renameTag,
  notes: ({ notes, count, bases }) => [
    `${counted(count, 'tag')} in ${counted(notes, 'note')}`,
    ...basesText(bases),
  ],
});

/** A tool that changes the tags of a note. */
function tagsOfNoteTool(tool: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly examples: readonly string[];
  readonly operation: typeof addTags;
}): AnyTool {
  return defineChange({
    ...tool,
    effect: 'write',
    input: z.object({ name: NoteName, tags: Tags, version: IfVersion }),
    result: z.object({ path: z.string(), tags: listOf(z.string()) }),
    record: ['name', 'tags'],
    positional: ['name', 'tags'],
  });
}
