import { z } from 'zod';
import { moveFile } from '../../engine/operations/move/move-file.ts';
import { moveFolder } from '../../engine/operations/move/move-folder.ts';
import { renameBlock } from '../../engine/operations/move/rename-block.ts';
import { renameFile } from '../../engine/operations/move/rename-file.ts';
import { renameHeading } from '../../engine/operations/move/rename-heading.ts';
import { defineChange } from './define-change.ts';
import { Bases, Force, IfVersion, Links, NoteName } from './schemas.ts';
import { basesText, counted } from './text.ts';

const Filled = z.string().min(1);

const movingOptions = { links: Links, force: Force };

const Moved = z.object({
  path: z.string(),
  from: z.string(),
  links: z.number(),
  notes: z.number(),
  bases: Bases,
  /** How many files a folder had; absent when a file was moved. */
  moved: z.number().exactOptional(),
});

/** What the tools that give a file or a folder another path have in common. */
const moving = {
  effect: 'write',
  result: Moved,
  notes: ({ moved, bases, ...counts }: z.output<typeof Moved>): string[] => [
    ...(moved === undefined ? [] : [`${counted(moved, 'file')} moved`]),
    ...linksText(counts),
    ...basesText(bases),
  ],
} as const;

export const moveTool = defineChange({
  ...moving,
  name: 'move',
  title: 'Move a file',
  description: 'Moves a note or an attachment, and updates all links to it.',
  input: z.object({
    name: NoteName,
    to: Filled.describe('The new path, or a folder; a folder that does not exist ends with "/".'),
    ...movingOptions,
  }),
  record: ['name', 'to', 'links', 'force'],
  positional: ['name', 'to'],
  examples: ['vaultdoor move Sourdough Archive/', 'vaultdoor move crumb.png Pictures/'],
  operation: moveFile,
});

export const moveFolderTool = defineChange({
  ...moving,
  name: 'move-folder',
  title: 'Move a folder',
  description: 'Moves a folder with everything in it, and updates all links.',
  input: z.object({
    folder: Filled.describe('The folder.'),
    to: Filled.describe('Its new path; with "/" at the end, the folder to move it into.'),
    ...movingOptions,
  }),
  record: ['folder', 'to', 'links', 'force'],
  positional: ['folder', 'to'],
  examples: ['vaultdoor move-folder Recipes Areas/'],
  operation: moveFolder,
});

export const renameTool = defineChange({
  ...moving,
  name: 'rename',
  title: 'Rename a file or folder',
  description: 'Renames a note, an attachment or a folder, and updates all links.',
  input: z.object({
    name: NoteName,
    newName: Filled.describe(
      'The new name, or with "/" the new path; the extension may be left out.',
    ),
    ...movingOptions,
  }),
  record: ['name', 'newName', 'links', 'force'],
  positional: ['name', 'newName'],
  examples: [
    `vaultdoor rename Sourdough 'Rye bread'`,
    'vaultdoor rename Recipes Kitchen --dry-run',
  ],
  operation: renameFile,
});

const inNoteOptions = { force: Force, version: IfVersion };

/** What the tools that rename a heading or a block have in common. */
const renamingInNote = {
  effect: 'write',
  result: z.object({ path: z.string(), links: z.number(), notes: z.number() }),
  notes: linksText,
} as const;

export const renameHeadingTool = defineChange({
  ...renamingInNote,
  name: 'rename-heading',
  title: 'Rename a heading',
  description: 'Changes the text of a heading, and updates all links to it.',
  input: z.object({
    name: NoteName,
    heading: Filled.describe('The heading: its text, "A > B", or "B (2)" for the second B.'),
    newHeading: Filled.describe('Its new text, without "#".'),
    ...inNoteOptions,
  }),
  record: ['name', 'heading', 'newHeading', 'force'],
  positional: ['name', 'heading', 'newHeading'],
  examples: [`vaultdoor rename-heading Sourdough 'Cold rise' 'Long rise'`],
  operation: renameHeading,
});

export const renameBlockTool = defineChange({
  ...renamingInNote,
  name: 'rename-block',
  title: 'Rename a block',
  description: 'Changes the id of a block, and updates all links to it.',
  input: z.object({
    name: NoteName,
    block: Filled.describe('The id, with or without "^".'),
    newBlock: Filled.describe('The new id: letters, digits and dashes.'),
    ...inNoteOptions,
  }),
  record: ['name', 'block', 'newBlock', 'force'],
  positional: ['name', 'block', 'newBlock'],
  examples: ['vaultdoor rename-block Sourdough cold-rise long-rise'],
  operation: renameBlock,
});

/** Says how many links were updated; nothing when none was. */
function linksText({ links, notes }: { links: number; notes: number }): string[] {
  return links === 0 ? [] : [`${counted(links, 'link')} updated in ${counted(notes, 'file')}`];
}
