import { z } from 'zod';
import { moveFile } from '../../engine/operations/move/move-file.ts';
import { moveFolder } from '../../engine/operations/move/move-folder.ts';
import { renameBlock } from '../../engine/operations/move/rename-block.ts';
import { renameFile } from '../../engine/operations/move/rename-file.ts';
import { renameHeading } from '../../engine/operations/move/rename-heading.ts';
import { defineChange } from './define-change.ts';
import { Force, IfVersion, Links, NoteName } from './schemas.ts';
import { counted } from './text.ts';

const Moved = z.object({
  path: z.string(),
  from: z.string(),
  links: z.number(),
  notes: z.number(),
  /** The files of a folder. */
  moved: z.number().exactOptional(),
});
const Referred = z.object({ path: z.string(), links: z.number(), notes: z.number() });

export const moveTool = defineChange({
  name: 'move',
  title: 'Move a file',
  description: 'Moves a note or an attachment; all links follow.',
  effect: 'write',
  input: z.object({
    name: NoteName,
    to: z.string().min(1).describe('The new path, or a folder: one that is there, or "name/".'),
    links: Links,
    force: Force,
  }),
  result: Moved,
  record: ['name', 'to', 'links', 'force'],
  positional: ['name', 'to'],
  operation: moveFile,
  notes: followed,
});

export const moveFolderTool = defineChange({
  name: 'move-folder',
  title: 'Move a folder',
  description: 'Moves a folder with everything in it; all links follow.',
  effect: 'write',
  input: z.object({
    folder: z.string().min(1).describe('The folder.'),
    to: z.string().min(1).describe('Its new path, or, with "/" at the end, the folder it goes to.'),
    links: Links,
    force: Force,
  }),
  result: Moved,
  record: ['folder', 'to', 'links', 'force'],
  positional: ['folder', 'to'],
  operation: moveFolder,
  notes: movedText,
});

export const renameTool = defineChange({
  name: 'rename',
  title: 'Rename a file or folder',
  description: 'Renames a note, an attachment or a folder; all links follow.',
  effect: 'write',
  input: z.object({
    name: NoteName,
    newName: z
      .string()
      .min(1)
      .describe('The new name, or with "/" the new path; the extension may be left out.'),
    links: Links,
    force: Force,
  }),
  result: Moved,
  record: ['name', 'newName', 'links', 'force'],
  positional: ['name', 'newName'],
  operation: renameFile,
  notes: movedText,
});

export const renameHeadingTool = defineChange({
  name: 'rename-heading',
  title: 'Rename a heading',
  description: 'Gives a heading another text, and all links to it.',
  effect: 'write',
  input: z.object({
    name: NoteName,
    heading: z.string().min(1).describe('The heading: its text, or "A > B".'),
    newHeading: z.string().min(1).describe('Its new text, without "#".'),
    force: Force,
    version: IfVersion,
  }),
  result: Referred,
  record: ['name', 'heading', 'newHeading', 'force'],
  positional: ['name', 'heading', 'newHeading'],
  operation: renameHeading,
  notes: followed,
});

export const renameBlockTool = defineChange({
  name: 'rename-block',
  title: 'Rename a block',
  description: 'Gives a block another id, and all links to it.',
  effect: 'write',
  input: z.object({
    name: NoteName,
    block: z.string().min(1).describe('The id, with or without "^".'),
    newBlock: z.string().min(1).describe('The new id: letters, digits and dashes.'),
    force: Force,
    version: IfVersion,
  }),
  result: Referred,
  record: ['name', 'block', 'newBlock', 'force'],
  positional: ['name', 'block', 'newBlock'],
  operation: renameBlock,
  notes: followed,
});

function movedText(moved: z.output<typeof Moved>): string[] {
  const files = moved.moved === undefined ? [] : [`${counted(moved.moved, 'file')} moved`];
  return [...files, ...followed(moved)];
}

function followed({ links, notes }: { links: number; notes: number }): string[] {
  return links === 0 ? [] : [`${counted(links, 'link')} updated in ${counted(notes, 'file')}`];
}
