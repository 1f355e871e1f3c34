import { z } from 'zod';
import { isGrantId } from '../../base/caller.ts';
import type { ChangeName } from '../../base/change-name.ts';
import { limits } from '../../base/limits.ts';
import type { ChangeRow } from '../../engine/change/change-row.ts';
import { decide } from '../../engine/decide/decide.ts';
import { listNoteChanges } from '../../engine/operations/history/list-changes.ts';
import { showChange } from '../../engine/operations/history/show-change.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { ChangeNameInput, ChangeNameShape } from '../define/change-name-input.ts';
import { defineTool } from '../define/define-tool.ts';
import { count, countOr, optionalText } from '../define/note-input.ts';
import { clientTitle } from '../wording/client-title.ts';
import { firstOf, fitItems, linesWithin, nextOffset, roomBeside } from '../wording/fit-answer.ts';
import { sinceMs } from '../wording/since.ts';
import { deedShape, filesByDeed } from '../wording/writing-answer.ts';

/** The arguments that lists of tools show; `path` and `diff` are accepted too. */
const shape = {
  limit: countOr(20, 'At most', { min: 1, max: limits.searchResultsMax }),
  offset: count('To skip'),
  since: optionalText('2h, 3d, 2026-11-09T18:30'),
  name: optionalText('Only of this note'),
};

/** How many files of a change are listed when several changes are. */
const filesOfOne = 10;

export const listChangesTool = defineTool({
  name: 'list_changes',
  title: 'List changes',
  description: 'List changes made here (not in Obsidian), newest first, to see or undo them.',
  effect: 'read',
  appView: 'changes',
  input: z.object({
    ...shape,
    path: optionalText('Exactly this file'),
    diff: ChangeNameInput.optional().describe('Only this change, with its diff'),
  }),
  published: z.object(shape),
  output: z.object({
    total: z.number(),
    changes: z
      .array(
        z.object({
          id: ChangeNameShape,
          time: z.string(),
          tool: z.string(),
          /** Who made it, "owner" for the owner; absent where it is the same as for the change above, null where it is not known. */
          client: z.string().nullable().optional(),
          session: z.string().nullable().optional(),
          /** The grant of a client that has signed in. */
          grant: z.string().optional(),
          ...deedShape,
          undoes: z.array(ChangeNameShape).readonly().optional(),
          undone_by: ChangeNameShape.optional(),
        }),
      )
      .readonly(),
    next_offset: z.number().optional(),
    hint: z.string().optional(),
    /** Only where the diff of one change was asked for: whether the caller may undo it. */
    may_undo: z.boolean().optional(),
    diff: z.string().optional(),
  }),
  record: ['limit', 'offset', 'since', 'name', 'path', 'diff'],
  run: async (vault, { limit, offset = 0, since, name, path, diff }) => {
    if (diff !== undefined) return changeWithDiff(vault, diff);
    const when = sinceMs(since, vault.vault.parts.clock.nowMs());
    const note = path === undefined ? name : { path };
    const { total, items } = await listNoteChanges(vault, { name: note, limit, offset, ...when });
    const max = items.length === 1 ? limits.answerFilesMax : filesOfOne;
    const rows = items.map((change, at) => shownChange(change, items[at - 1], max));
    const changes = fitItems(rows, { total, offset });
    const isCut = max === filesOfOne && changes.some((row) => row.files_total !== undefined);
    return {
      total,
      changes,
      ...nextOffset({ total, offset, shown: changes.length }),
      ...(total === 0 && note !== undefined ? { hint: noChangesHint } : {}),
      ...(isCut ? { hint: moreFilesHint } : {}),
    };
  },
});

/** One change with as much of its diff as fits. */
async function changeWithDiff(vault: BoundVault, id: ChangeName) {
  const { diff, trashed: _, ...change } = await showChange(vault, { id });
  const isAllowed = decide(vault.caller, { effect: 'destroy' }).do !== 'refuse';
  const answer = {
    total: 1,
    changes: [shownChange(change, undefined, limits.answerFilesMax)],
    may_undo: isAllowed && change.undoneBy === undefined,
  };
  return { ...answer, diff: linesWithin(diff, roomBeside(answer)) };
}

const noChangesHint =
  'History has no change of a note with this name or path. For a note that was deleted, renamed or moved, give its whole old path; leave out name to list all changes.';

const moreFilesHint = 'With limit=1 and offset a change lists more of its files.';

function timeText(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
}

/** The client that made a change, or the owner; null when neither is known. */
function whoOf({ door, client }: ChangeRow): string | null {
  if (clientTitle(door, client).isOwner) return 'owner';
  return client === 'owner' ? 'an app called owner' : (client ?? null);
}

function shownChange(change: ChangeRow, above: ChangeRow | undefined, filesMax: number) {
  const { id, timeMs, tool, connection, token, undoes, undoneBy, files } = change;
  return {
    id,
    time: timeText(timeMs),
    tool,
    ...(above !== undefined && whoOf(change) === whoOf(above) ? {} : { client: whoOf(change) }),
    ...(connection === above?.connection ? {} : { session: connection ?? null }),
    ...(token === undefined || token === above?.token || !isGrantId(token) ? {} : { grant: token }),
    ...filesByDeed(files, filesMax, undoes === undefined ? 'change' : 'undo'),
    ...(undoes === undefined ? {} : { undoes: firstOf(undoes, undoes.length) }),
    ...(undoneBy === undefined ? {} : { undone_by: undoneBy }),
  };
}
