import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { noteLinks } from '../../engine/operations/list/list-links.ts';
import { defineTool } from '../define/define-tool.ts';
import { choice, given, noteInput, noteOf } from '../define/note-input.ts';
import { itemsWithin } from '../wording/fit-answer.ts';

const directions = { both: 'both', in: 'in', incoming: 'in', out: 'out', outgoing: 'out' } as const;
type Asked = keyof typeof directions;

const linksMax = 1_000;
/** Each of the three lists may take a third of the answer; 5,000 characters are for the rest. */
const listCharsMax = (limits.answerCharsMax - 5_000) / 3;

const Place = z.object({ path: z.string(), line: z.number() });

export const getLinksTool = defineTool({
  name: 'get_links',
  title: 'Get links',
  description:
    'List where links to a note stand (in) and where its own links lead (out), with lines; unresolved targets apart. To find text use search_notes.',
  effect: 'read',
  existing: 'name',
  ...noteInput({
    direction: choice(Object.keys(directions) as [Asked, ...Asked[]], 'Which side'),
  }),
  output: z.object({
    path: z.string(),
    incoming: z.array(Place).readonly().optional(),
    outgoing: z.array(Place).readonly().optional(),
    unresolved: z
      .array(z.object({ link: z.string(), line: z.number() }))
      .readonly()
      .optional(),
    totals: z.object({
      incoming: z.number().optional(),
      outgoing: z.number().optional(),
      unresolved: z.number().optional(),
    }),
    truncated: z.string().optional(),
  }),
  record: ['name', 'path', 'direction'],
  run: async (vault, { direction, ...which }) => {
    const { path, incoming, outgoing, unresolved } = await noteLinks(vault, {
      name: noteOf(which),
      direction: directions[direction],
      limit: linksMax,
      offset: 0,
    });
    const lists = given({
      incoming: incoming && itemsWithin(incoming.items, listCharsMax),
      outgoing: outgoing && itemsWithin(outgoing.items, listCharsMax),
      unresolved: unresolved && itemsWithin(unresolved.items, listCharsMax),
    });
    const totals = given({
      incoming: incoming?.total,
      outgoing: outgoing?.total,
      unresolved: unresolved?.total,
    });
    const all = Object.values(totals).reduce((sum, total) => sum + total, 0);
    const isCut = Object.values(lists).flat().length < all;
    return { path, ...lists, totals, ...(isCut ? { truncated } : {}) };
  },
});

const truncated = 'Only the first links of each list are here; the totals count all of them.';
