import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import type { ChangeRow } from '../../engine/change/change-row.ts';
import { listNoteChanges } from '../../engine/operations/history/list-changes.ts';
import { ChangeNameShape } from '../define/change-name-input.ts';
import { defineTool } from '../define/define-tool.ts';
import { count, countOr, optionalText } from '../define/note-input.ts';
import { firstOf, fitItems, nextOffset } from '../wording/fit-answer.ts';
import { sinceMs } from '../wording/since.ts';
import { filesInOrder } from '../wording/writing-answer.ts';

/** The arguments that lists of tools show; `path` is accepted too. */
const shape = {
  limit: countOr(20, 'At most this many', { min: 1, max: limits.searchResultsMax }),
  offset: count('Skip this many'),
  since: optionalText('2h, 3d, or 2026-11-09T18:30'),
  name: optionalText('Only of this note'),
};

/** What a change did to a file, as list_changes and undo_change show it. */
export const ShownFile = z.object({
  path: z.string(),
  did: z.enum(['created', 'changed', 'moved', 'deleted']),
  from: z.string().optional(),
});

export const listChangesTool = defineTool({
  name: 'list_changes',
  title: 'List changes',
  description:
    'List changes made through vaultdoor, newest first, to see or undo them. Edits made in Obsidian itself are not among them.',
  effect: 'read',
  input: z.object({ ...shape, path: optionalText('Exactly this file') }),
  published: z.object(shape),
  output: z.object({
    total: z.number(),
    changes: z
      .array(
        z.object({
          id: ChangeNameShape,
          time: z.string(),
          tool: z.string(),
          client: z.string().optional(),
          session: z.string().optional(),
          files: z.array(ShownFile).readonly(),
          files_total: z.number(),
          undoes: z.array(ChangeNameShape).readonly().optional(),
          undone_by: ChangeNameShape.optional(),
        }),
      )
      .readonly(),
    next_offset: z.number().optional(),
    hint: z.string().optional(),
  }),
  record: ['limit', 'offset', 'since', 'name', 'path'],
  run: async (vault, { limit, offset = 0, since, name, path }) => {
    const when = sinceMs(since, vault.vault.parts.clock.nowMs());
    const note = path === undefined ? name : { path };
    const { total, items } = await listNoteChanges(vault, { name: note, limit, offset, ...when });
    const changes = fitItems(items.map(shownChange), { total, offset });
    return {
      total,
      changes,
      ...nextOffset({ total, offset, shown: changes.length }),
      ...(total === 0 && note !== undefined ? { hint: noChangesHint } : {}),
    };
  },
});

const noChangesHint =
  'History has no change of a note with this name or path. For a note that was deleted, renamed or moved, give its whole old path; leave out name to list all changes.';

function shownChange(change: ChangeRow) {
  const { id, timeMs, tool, client, connection, undoes, undoneBy, files } = change;
  const shown = filesInOrder(files).map(shownFile);
  return {
    id,
    time: new Date(timeMs).toISOString(),
    tool,
    ...(client === undefined ? {} : { client }),
    ...(connection === undefined ? {} : { session: connection }),
    files: firstOf(shown),
    files_total: files.length,
    ...(undoes === undefined ? {} : { undoes: firstOf(undoes, undoes.length) }),
    ...(undoneBy === undefined ? {} : { undone_by: undoneBy }),
  };
}

/** A file of a change without its versions. */
export function shownFile({ path, did, from }: z.output<typeof ShownFile>) {
  return { path, did, ...(from === undefined ? {} : { from }) };
}
