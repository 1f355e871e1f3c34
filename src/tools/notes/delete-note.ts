import { z } from 'zod';
import { deleteFile } from '../../engine/operations/move/delete-file.ts';
import { defineTool } from '../define/define-tool.ts';
import { flag, given, IfVersion, noteInput, noteOf } from '../define/note-input.ts';
import { firstOf } from '../wording/fit-answer.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';

const Place = z.object({ path: z.string(), line: z.number() });

export const deleteNoteTool = defineTool({
  name: 'delete_note',
  title: 'Delete note',
  description:
    'Move a note to .trash; links to it become text, embeds stay. Only when the user asks.',
  effect: 'destroy',
  existing: 'name',
  ...noteInput({ dry_run: flag('Only show the diff') }, { version: IfVersion }),
  output: writingSchema({
    deleted: z.boolean(),
    trash: z.string(),
    unlinked: z.number(),
    /** Where links to it became plain text. */
    files: z.array(Place).readonly(),
    files_total: z.number(),
    /** Links that could not become plain text, and still name the deleted note. */
    left: z
      .array(Place.extend({ kind: z.enum(['embed', 'canvas', 'base', 'link']) }))
      .readonly()
      .optional(),
  }),
  record: ['name', 'path'],
  run: async (vault, { name, path, dry_run: dryRun = false, version }) => {
    const report = await vault.change(deleteFile, {
      ...given({ version }),
      name: noteOf({ name, path }),
      links: 'unlink',
      trash: 'local',
      dryRun,
    });
    const { where = '.trash', unlinked, left } = report;
    const changed = withoutLeft(report.linkedFrom, left);
    return writingAnswer(report, {
      deleted: !report.dryRun,
      trash: where,
      unlinked,
      files: firstOf(changed),
      files_total: changed.length,
      ...(left.length === 0 ? {} : { left: firstOf(left) }),
    });
  },
});

/** The places of links without those that were left as they are. */
function withoutLeft(
  links: readonly z.output<typeof Place>[],
  left: readonly z.output<typeof Place>[],
): readonly z.output<typeof Place>[] {
  const key = ({ path, line }: z.output<typeof Place>): string => `${line}:${path}`;
  const counts = new Map<string, number>();
  for (const place of left) counts.set(key(place), (counts.get(key(place)) ?? 0) + 1);
  return links.filter((place) => {
    const count = counts.get(key(place)) ?? 0;
    counts.set(key(place), count - 1);
    return count <= 0;
  });
}
