import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import { folderOf, stemOf, vaultFolder } from '../../base/vault-path.ts';
import { findableNames } from '../../engine/notes/findable-names.ts';
import { listConflicts } from '../../engine/operations/list/list-files.ts';
import { countNotesInFolders } from '../../engine/operations/list/list-folders.ts';
import {
  listDeadEnds,
  listOrphans,
  listUnusedAttachments,
} from '../../engine/operations/list/list-graph.ts';
import { listTags } from '../../engine/operations/list/list-tags.ts';
import {
  type BrokenLink,
  listBrokenLinks,
} from '../../engine/operations/vault/list-broken-links.ts';
import {
  type DuplicateGroup,
  listDuplicates,
} from '../../engine/operations/vault/list-duplicates.ts';
import type { PageRequest } from '../../engine/ports/index-store.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { ChangeNameShape } from '../define/change-name-input.ts';
import { defineTool } from '../define/define-tool.ts';
import { count, countOr, given, optionalText } from '../define/note-input.ts';
import { fitItems, nextOffset } from '../wording/fit-answer.ts';

const whats = [
  'folders',
  'tags',
  'broken_links',
  'orphans',
  'dead_ends',
  'conflicts',
  'duplicates',
  'unused',
] as const;

/** One answer of `list_vault`; each list has a field of its own. */
const Answer = z.object({
  total: z.number(),
  /** The number of notes in each folder, and of each tag. */
  folders: z.record(z.string(), z.number()).optional(),
  tags: z.record(z.string(), z.number()).optional(),
  links: z
    .array(
      z.object({
        link: z.string(),
        at: z.array(z.string()).readonly(),
        likely: z.array(z.string()).readonly().optional(),
        deleted_by: ChangeNameShape.optional(),
      }),
    )
    .readonly()
    .optional(),
  notes: z.record(z.string(), z.array(z.string()).readonly()).optional(),
  /** Each conflict copy with the file that it is a copy of. */
  conflicts: z.record(z.string(), z.string()).optional(),
  groups: z
    .array(
      z.object({
        notes: z.array(z.string()).readonly(),
        count: z.number().optional(),
        alike: z.number().optional(),
      }),
    )
    .readonly()
    .optional(),
  /** Attachments that nothing links to. */
  attachments: z.array(z.string()).readonly().optional(),
  incomplete: z.string().optional(),
  next_offset: z.number().optional(),
});

type Request = PageRequest & { readonly folder: VaultFolder };
type List = (vault: BoundVault, request: Request) => Promise<z.output<typeof Answer>>;

export const listVaultTool = defineTool({
  name: 'list_vault',
  title: 'List vault',
  description:
    'Folders with note counts (/: all), tags, broken links, orphans (no links in), dead ends (none out), sync conflicts, duplicates, unused attachments. Of one note: get_links.',
  effect: 'read',
  input: z.object({
    what: z.preprocess(listName, z.enum(whats)).describe('Which list'),
    folder: optionalText('Only in it'),
    limit: countOr(200, 'At most', { min: 1, max: limits.resultsMax }),
    offset: count('To skip'),
  }),
  output: Answer,
  record: ['what', 'folder', 'limit', 'offset'],
  run: async (vault, { what, folder = '', limit, offset = 0 }) => {
    const answer = await lists[what](vault, { folder: vaultFolder(folder), limit, offset });
    const isEmpty = answer.total === 0 && Object.keys(answer.folders ?? {}).length === 0;
    return isEmpty ? given({ total: 0, incomplete: answer.incomplete }) : answer;
  },
});

/** Models write "broken links" and "dead-ends", too. */
function listName(value: unknown): unknown {
  return typeof value === 'string'
    ? value
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, '_')
    : value;
}

/** The entry for the whole vault among its folders. */
const wholeVault = '/';

const lists: Readonly<Record<(typeof whats)[number], List>> = {
  folders: async (vault, request) => {
    const { total, items, notes } = await countNotesInFolders(vault, request);
    const rows = items.map(({ folder, notes: inside }) => [folder, inside] as const);
    const shown = fitItems(rows, { total });
    // The notes that are in no folder count there alone.
    const root =
      request.folder === '' && request.offset === 0 ? [[wholeVault, notes] as const] : [];
    const folders = Object.fromEntries([...root, ...shown]);
    return { total, folders, ...rest(request, total, shown.length) };
  },
  tags: async (vault, request) => {
    const tags = await listTags(vault, request);
    const rows = tags
      .map(({ tag, files }) => [tag, files] as const)
      .sort(([a, notes], [b, others]) => others - notes || (a < b ? -1 : 1))
      .slice(request.offset, request.offset + request.limit);
    const total = tags.length;
    const shown = fitItems(rows, { total });
    return { total, tags: Object.fromEntries(shown), ...rest(request, total, shown.length) };
  },
  broken_links: async (vault, request) => {
    const { total, items } = await listBrokenLinks(vault, request);
    const shown = fitItems(items, { total });
    const links = byTarget(
      shown,
      await findableNames(
        vault,
        shown.map(({ source }) => source),
      ),
    );
    return { total, links, ...rest(request, total, shown.length) };
  },
  orphans: async (vault, request) => noteList(request, await listOrphans(vault, request)),
  dead_ends: async (vault, request) => noteList(request, await listDeadEnds(vault, request)),
  unused: async (vault, request) => {
    const { total, items } = await listUnusedAttachments(vault, request);
    const attachments = fitItems(items, { total });
    return { total, attachments, ...rest(request, total, attachments.length) };
  },
  conflicts: async (vault, request) => {
    const { total, items } = await listConflicts(vault, request);
    const shown = fitItems(items, { total });
    const conflicts = Object.fromEntries(shown.map(({ path, original }) => [path, original]));
    return { total, conflicts, ...rest(request, total, shown.length) };
  },
  duplicates: async (vault, request) => {
    const found = await listDuplicates(vault, { ...request, limit: Infinity, offset: 0 });
    const rows = found.items.flatMap(groupRows);
    const page = rows.slice(request.offset, request.offset + request.limit);
    const names = await findableNames(
      vault,
      page.flatMap(({ paths }) => paths),
    );
    let at = 0;
    const groups = page.map(({ paths, ...row }) => {
      at += paths.length;
      return { notes: names.slice(at - paths.length, at), ...row };
    });
    const total = rows.length;
    const incomplete = notCompared(found);
    const shown = fitItems(groups, { total, incomplete });
    return {
      total,
      groups: shown,
      ...given({ incomplete }),
      ...rest(request, total, shown.length),
    };
  },
};

/** Of a group with more notes, several rows are made, so that each fits into an answer. */
const rowNotesMax = 100;

/** A group of duplicates as one row, or as several that say how many notes there are in all. */
function groupRows({ paths, alike }: DuplicateGroup) {
  const more = {
    ...(paths.length > rowNotesMax ? { count: paths.length } : {}),
    ...(alike === 1 ? {} : { alike: Math.floor(alike * 100) / 100 }),
  };
  return Array.from({ length: Math.ceil(paths.length / rowNotesMax) }, (_, row) => ({
    paths: paths.slice(row * rowNotesMax, (row + 1) * rowNotesMax),
    ...more,
  }));
}

/** Why some notes were not compared; undefined when all were. */
function notCompared(found: Awaited<ReturnType<typeof listDuplicates>>): string | undefined {
  const { compared, unread, notes, timeIsUp } = found;
  const sentences = [
    ...(timeIsUp
      ? [
          `Only ${compared} of ${notes} notes were compared in the time of a call; call again to compare more, or give folder.`,
        ]
      : []),
    ...(unread > 0 ? [`Notes that could not be read and were not compared: ${unread}.`] : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** Notes by their folders, which costs less than their paths. */
function noteList(request: Request, { total, items }: Awaited<ReturnType<typeof listOrphans>>) {
  const shown = fitItems(items, { total });
  const notes = new Map<string, string[]>(shown.map((path) => [folderOf(path), []]));
  for (const path of shown) notes.get(folderOf(path))?.push(stemOf(path));
  return { total, notes: Object.fromEntries(notes), ...rest(request, total, shown.length) };
}

/** Links with one target as one row: the target, and where each link stands. */
function byTarget(links: readonly BrokenLink[], names: readonly string[]) {
  const rows = new Map<string, { link: string; at: string[] }>();
  for (const [index, { link, source, line, likely, deleted }] of links.entries()) {
    const row = rows.get(link) ?? {
      link,
      at: [],
      ...(likely.length === 0 ? {} : { likely }),
      ...(deleted === undefined ? {} : { deleted_by: deleted }),
    };
    row.at.push(`${names[index] ?? source}:${line + 1}`);
    rows.set(link, row);
  }
  return Array.from(rows.values());
}

function rest({ offset }: Request, total: number, shown: number) {
  return nextOffset({ total, offset, shown });
}
