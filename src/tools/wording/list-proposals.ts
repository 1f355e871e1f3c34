import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { listOwnProposals } from '../../engine/operations/history/list-proposals.ts';
import { ChangeNameShape } from '../define/change-name-input.ts';
import { defineTool } from '../define/define-tool.ts';
import { countOr, given, optionalText } from '../define/note-input.ts';
import { fitItems } from './fit-answer.ts';
import { sinceMs } from './since.ts';
import { deedShape, filesByDeed } from './writing-answer.ts';

/** How many files of a proposal are listed. */
const filesOfOne = 10;

/** What became of the caller's own proposals: part of every toolset with which changes are proposed. */
export const listProposalsTool = defineTool({
  name: 'list_proposals',
  title: 'List proposals',
  description:
    'List the changes that you have proposed, newest first, and whether the owner has accepted or refused them.',
  effect: 'read',
  input: z.object({
    limit: countOr(20, 'At most', { min: 1, max: limits.searchResultsMax }),
    since: optionalText('Proposed or decided since: 2h, 3d, 2026-11-09T18:30'),
  }),
  output: z.object({
    total: z.number(),
    proposals: z
      .array(
        z.object({
          id: z.string(),
          time: z.string(),
          tool: z.string(),
          state: z.enum(['open', 'accepted', 'refused']),
          /** The change that was made of it. */
          change: ChangeNameShape.optional(),
          /** Why it was refused, in the owner's words. */
          reason: z.string().optional(),
          ...deedShape,
        }),
      )
      .readonly(),
  }),
  record: ['limit', 'since'],
  run: async (vault, { limit, since }) => {
    const when = sinceMs(since, vault.vault.parts.clock.nowMs());
    const { total, items } = await listOwnProposals(vault, { limit, ...when });
    const rows = items.map(({ id, timeMs, tool, state, change, reason, files }) => ({
      id,
      time: `${new Date(timeMs).toISOString().slice(0, 19)}Z`,
      tool,
      state,
      ...given({ change, reason }),
      ...filesByDeed(files, filesOfOne),
    }));
    return { total, proposals: fitItems(rows, { total }) };
  },
});
