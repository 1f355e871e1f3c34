import { z } from 'zod';
import { renameTag } from '../../engine/operations/move/rename-tag.ts';
import { addTags, removeTags } from '../../engine/operations/write/change-tags.ts';
import { defineChange } from './define-change.ts';
import { Force, IfVersion, listOf, NoteName } from './schemas.ts';
import { counted } from './text.ts';

const Tag = z.string().min(1);
const Tags = z.array(Tag).min(1).describe('The tags, with or without "#".');
const TagsOfNote = z.object({ path: z.string(), tags: listOf(z.string()) });

export const addTagsTool = defineChange({
  name: 'tag add',
  title: 'Add tags',
  description: 'Adds tags to the properties of a note.',
  effect: 'write',
  input: z.object({ name: NoteName, tags: Tags, version: IfVersion }),
  result: TagsOfNote,
  record: ['name', 'tags'],
  positional: ['name', 'tags'],
  operation: addTags,
});

export const removeTagsTool = defineChange({
  name: 'tag remove',
  title: 'Remove tags',
  description: 'Takes tags out of the properties of a note.',
  effect: 'write',
  input: z.object({ name: NoteName, tags: Tags, version: IfVersion }),
  result: TagsOfNote,
  record: ['name', 'tags'],
  positional: ['name', 'tags'],
  operation: removeTags,
});

export const renameTagTool = defineChange({
  name: 'tag rename',
  title: 'Rename a tag',
  description: 'Renames a tag in the whole vault, with all tags under it.',
  effect: 'write',
  input: z.object({
    tag: Tag.describe('The tag, with or without "#".'),
    newTag: Tag.describe('What it is called from now on.'),
    force: Force,
  }),
  result: z.object({ notes: z.number(), count: z.number() }),
  record: ['tag', 'newTag', 'force'],
  positional: ['tag', 'newTag'],
  operation: renameTag,
  notes: ({ notes, count }) => [`${counted(count, 'tag')} in ${counted(notes, 'note')}`],
});
