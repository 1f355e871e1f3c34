import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { noteLinks, type ShownLink } from '../../engine/operations/read/note-links.ts';
import { relatedNotes } from '../../engine/operations/search/related-notes.ts';
import { defineTool } from '../define/define-tool.ts';
import { choice, count, countOr, given, noteInput, noteOf } from '../define/note-input.ts';
import { commonGround } from '../wording/common-ground.ts';
import { itemsWithin, nextOffset } from '../wording/fit-answer.ts';

/** Longer words that are accepted for a direction. */
const longWords: Readonly<Record<string, string>> = { incoming: 'in', outgoing: 'out' };

/** How many links of each list an answer shows. */
const linksMax = 200;
/** Each of the three lists may take a third of the answer; 5,000 characters are for the rest. */
const listCharsMax = (limits.answerCharsMax - 5_000) / 3;

/** By file: each link as "line: link (heading above it)"; a heading is said where it changes. */
const Links = z.record(z.string(), z.array(z.string()).readonly());

export const getLinksTool = defineTool({
  name: 'get_links',
  title: 'Get links',
  description:
    'List the links to a note (in) and from it (out) by file, as line: link (heading). All broken ones: list_vault.',
  effect: 'read',
  existing: 'name',
  ...noteInput({
    direction: z.preprocess(
      (word) => longWords[String(word).trim().toLowerCase()] ?? word,
      choice(['both', 'in', 'out'], 'Which side'),
    ),
    offset: count('To skip'),
  }),
  output: z.object({
    path: z.string(),
    incoming: Links.optional(),
    outgoing: Links.optional(),
    unresolved: z.record(z.string(), z.array(z.number()).readonly()).optional(),
    totals: z.object({
      incoming: z.number().optional(),
      outgoing: z.number().optional(),
      unresolved: z.number().optional(),
    }),
    next_offset: z.number().optional(),
  }),
  record: ['name', 'path', 'direction', 'offset'],
  run: async (vault, { direction, offset = 0, ...which }) => {
    const { path, incoming, outgoing, unresolved } = await noteLinks(vault, {
      name: noteOf(which),
      direction,
      limit: linksMax,
      offset,
    });
    const lists = [incoming, outgoing, unresolved].flatMap((list) => list?.items ?? []);
    const shown = fittingCount([incoming?.items, outgoing?.items, unresolved?.items]);
    const all = Math.max(...[incoming, outgoing, unresolved].map((list) => list?.total ?? 0));
    return {
      path,
      ...grouped('incoming', incoming?.items.slice(0, shown), linkEntries),
      ...grouped('outgoing', outgoing?.items.slice(0, shown), linkEntries),
      ...grouped('unresolved', unresolved?.items.slice(0, shown), linkLines),
      totals: given({
        incoming: incoming?.total,
        outgoing: outgoing?.total,
        unresolved: unresolved?.total || undefined,
      }),
      ...nextOffset({ total: all, offset, shown: lists.length === 0 ? 0 : shown }),
    };
  },
});

/** How many links of each list fit into an answer: the same number of all, so that pages go on. */
function fittingCount(lists: readonly (readonly ShownLink[] | undefined)[]): number {
  const fits = lists.flatMap((list = []) => {
    const within = itemsWithin(list, listCharsMax);
    return within.length < list.length ? [Math.max(1, within.length)] : [];
  });
  return Math.min(linksMax, ...fits);
}

/** Links by the file or target that they belong to; nothing when there are none. */
function grouped<Key extends string, Entry>(
  key: Key,
  links: readonly ShownLink[] = [],
  entriesOf: (links: readonly ShownLink[]) => readonly Entry[],
): { readonly [K in Key]?: Readonly<Record<string, readonly Entry[]>> } {
  const byPath = new Map<string, ShownLink[]>();
  for (const link of links) {
    const known = byPath.get(link.path);
    if (known === undefined) byPath.set(link.path, [link]);
    else known.push(link);
  }
  if (byPath.size === 0) return {};
  const entries = Array.from(byPath, ([path, each]) => [path, entriesOf(each)] as const);
  return { [key]: Object.fromEntries(entries) } as {
    readonly [K in Key]: Readonly<Record<string, readonly Entry[]>>;
  };
}

/** Each link as text; the heading stands where it is another than that of the link before. */
function linkEntries(links: readonly ShownLink[]): readonly string[] {
  return links.map(({ line, text, heading }, at) => {
    const isSame = heading === links[at - 1]?.heading;
    return `${line}: ${text}${heading === undefined || isSame ? '' : ` (${heading})`}`;
  });
}

function linkLines(links: readonly ShownLink[]): readonly number[] {
  return links.map(({ line }) => line);
}

export const relatedNotesTool = defineTool({
  name: 'related_notes',
  title: 'Related notes',
  description: 'Notes most like one, by links, tags and rare words.',
  effect: 'read',
  existing: 'name',
  ...noteInput({ limit: countOr(10, 'At most', { min: 1, max: limits.relatedMax }) }),
  output: z.object({
    path: z.string(),
    /** Closest first, each with what it has in common. */
    related: z.record(z.string(), z.string()),
  }),
  record: ['name', 'path', 'limit'],
  run: async (vault, { limit, ...which }) => {
    const { path, notes } = await relatedNotes(vault, { name: noteOf(which), limit });
    return {
      path,
      related: Object.fromEntries(notes.map((note) => [note.path, commonGround(note.common)])),
    };
  },
});
