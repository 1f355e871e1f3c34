import { z } from 'zod';
import { deleteFile } from '../../engine/operations/move/delete-file.ts';
import { firstOf } from './change-text.ts';
import { defineChange } from './define-change.ts';
import { Force, IfVersion, listOf, NoteName } from './schemas.ts';
import { counted } from './text.ts';

const Place = z.object({ path: z.string(), line: z.number() });

export const deleteTool = defineChange({
  name: 'delete',
  title: 'Delete a file',
  description:
    "Moves a note or an attachment to the trash. The vault's settings say which trash. Links that still lead to the file are listed.",
  effect: 'destroy',
  input: z.object({
    name: NoteName,
    links: z
      .enum(['keep', 'unlink'])
      .exactOptional()
      .describe(
        'What to do with links to it: keep them, or replace each link by its text ("unlink").',
      ),
    permanent: z
      .boolean()
      .exactOptional()
      .describe('Delete it for good; only the history can bring it back.'),
    trash: z
      .enum(['local'])
      .exactOptional()
      .describe('Use the .trash folder of the vault, whatever its settings say.'),
    force: Force,
    version: IfVersion,
  }),
  result: z.object({
    path: z.string(),
    trash: z.enum(['local', 'system', 'none']),
    where: z.string().optional(),
    linkedFrom: listOf(Place),
    unlinked: z.number(),
    left: listOf(Place.extend({ kind: z.enum(['embed', 'canvas', 'base', 'link']) })),
  }),
  record: ['name', 'links', 'permanent', 'trash', 'force'],
  positional: ['name'],
  examples: ['vaultdoor delete Swifts', 'vaultdoor delete Sourdough --links unlink --dry-run'],
  operation: deleteFile,
  preview: ({ linkedFrom, unlinked, left }) =>
    unlinked + left.length > 0 || linkedFrom.length === 0
      ? []
      : [`${counted(linkedFrom.length, 'link')} to it would lead nowhere`],
  notes: ({ trash, where, linkedFrom, unlinked, left }) => [
    ...whereText(trash, where),
    ...(unlinked > 0 ? [`${counted(unlinked, 'link')} turned into text`] : []),
    ...places(left.map((link) => `${link.kind} left in ${link.path}:${link.line}`)),
    ...(unlinked + left.length > 0 ? [] : linksLost(linkedFrom)),
  ],
});

/** Says where the file is now. */
function whereText(trash: 'local' | 'system' | 'none', where = 'the trash'): string[] {
  if (trash === 'none') return ['it is in no trash: only the history can bring it back'];
  return [trash === 'local' ? `it is in the trash: ${where}` : `it is in ${where}`];
}

/** Says how many links lead nowhere now, and where they are. */
function linksLost(links: readonly z.output<typeof Place>[]): string[] {
  if (links.length === 0) return [];
  return [
    `${counted(links.length, 'link')} to it ${links.length === 1 ? 'leads' : 'lead'} nowhere now:`,
    ...places(links.map(({ path, line }) => `  ${path}:${line}`)),
  ];
}

/** The lines without repetitions, the first of them if there are many. */
function places(all: readonly string[]): string[] {
  return firstOf([...new Set(all)]);
}
