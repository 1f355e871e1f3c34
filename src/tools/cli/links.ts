import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import {
  listOrphans,
  listUnresolved,
  listUnusedAttachments,
} from '../../engine/operations/list/list-graph.ts';
import { listBacklinks, listLinks } from '../../engine/operations/list/list-links.ts';
import { relatedNotes } from '../../engine/operations/search/related-notes.ts';
import { addLink } from '../../engine/operations/write/add-link.ts';
import type { LinkRow } from '../../engine/ports/index-store.ts';
import { defineTool, type Paint } from '../define/define-tool.ts';
import { commonGround } from '../wording/common-ground.ts';
import { defineChange } from './define-change.ts';
import {
  IfVersion,
  LinkSchema,
  limitOf,
  listOf,
  NoteName,
  Offset,
  pageOf,
  Section,
} from './schemas.ts';
import { table } from './table.ts';
import { lines, listRemarks, plain } from './text.ts';

export const linksTool = defineTool({
  name: 'links',
  title: 'Links of a note',
  description: 'Lists the links of a note and where they lead, in order.',
  effect: 'read',
  input: z.object({ name: NoteName }),
  output: z.object({ path: z.string(), links: listOf(LinkSchema) }),
  record: ['name'],
  positional: ['name'],
  examples: ['vaultdoor links Greenhouse', 'vaultdoor links Sourdough --json'],
  run: async (vault, request) => {
    const { path, links } = await listLinks(vault, request);
    return { path, links: links.map(withLineFromOne) };
  },
  text: ({ links }, paint) =>
    lines(links.map((link) => `${place(link, paint)} ${target(link, paint)}`)),
  remarks: ({ links }) => (links.length === 0 ? ['The note has no links.'] : []),
});

export const backlinksTool = defineTool({
  name: 'backlinks',
  title: 'Links to a file',
  description: 'Lists the links that lead to a note or attachment.',
  effect: 'read',
  input: z.object({ name: NoteName, limit: limitOf(100), offset: Offset }),
  output: pageOf(LinkSchema).extend({ path: z.string() }),
  record: ['name', 'limit', 'offset'],
  positional: ['name'],
  examples: ['vaultdoor backlinks Sourdough', 'vaultdoor backlinks crumb.png'],
  run: async (vault, request) => {
    const page = await listBacklinks(vault, request);
    return { ...page, items: page.items.map(withLineFromOne) };
  },
  text: (page, paint) =>
    lines(page.items.map((link) => `${plain(link.source)}${paint.faint(`:${link.line}`)}`)),
  remarks: listRemarks('Nothing links there.'),
});

export const relatedTool = defineTool({
  name: 'related',
  title: 'Related notes',
  description: 'Lists the notes that have most in common with a note: links, tags, rare words.',
  effect: 'read',
  input: z.object({ name: NoteName, limit: limitOf(10, limits.relatedMax) }),
  output: z.object({
    path: z.string(),
    notes: listOf(
      z.object({
        path: z.string(),
        score: z.number(),
        common: listOf(
          z.object({
            by: z.enum(['linked', 'target', 'source', 'tag', 'word', 'meaning']),
            what: z.string(),
          }),
        ),
      }),
    ),
  }),
  record: ['name', 'limit'],
  positional: ['name'],
  examples: ['vaultdoor related Greenhouse', 'vaultdoor related Sourdough --limit 3'],
  run: relatedNotes,
  text: ({ notes }, paint) =>
    lines(
      table(
        [{ title: 'note' }, { title: 'in common' }],
        notes.map(({ path, common }) => [plain(path), plain(commonGround(common))]),
        paint,
      ),
    ),
  remarks: ({ notes }) => (notes.length === 0 ? ['No note has anything in common with it.'] : []),
});

/** The link with its line counted from 1, as editors do; the index counts from 0. */
function withLineFromOne(link: LinkRow): LinkRow {
  return { ...link, line: link.line + 1 };
}

function place(link: Pick<LinkRow, 'line' | 'embed'>, paint: Paint): string {
  return paint.faint(`${String(link.line).padStart(4)}: ${link.embed ? 'embeds' : 'links'} `);
}

function target(link: z.output<typeof LinkSchema>, paint: Paint): string {
  const subpath = paint.faint(plain(link.subpath));
  if (link.target !== undefined) return plain(link.target) + subpath;
  return `${paint.bad(plain(link.path))}${subpath} ${paint.faint('(unresolved)')}`;
}

export const unresolvedTool = defineTool({
  name: 'unresolved',
  title: 'Unresolved links',
  description: 'Lists link targets that do not exist, with the number of links to each.',
  effect: 'read',
  input: z.object({ limit: limitOf(100), offset: Offset }),
  output: pageOf(z.object({ link: z.string(), count: z.number(), sources: listOf(z.string()) })),
  record: ['limit', 'offset'],
  examples: ['vaultdoor unresolved', 'vaultdoor unresolved --limit 10'],
  run: (vault, request) => listUnresolved(vault, request),
  text: (page, paint) =>
    lines([
      ...table(
        [
          { title: 'links', align: 'right', paint: paint.faint },
          { title: 'target' },
          { title: 'in', paint: paint.faint },
        ],
        page.items.map(({ link, count, sources }) => [
          String(count),
          plain(link),
          sources.map(plain).join(', '),
        ]),
        paint,
      ),
    ]),
  remarks: listRemarks('Every link leads to a file.'),
});

export const orphansTool = defineTool({
  name: 'orphans',
  title: 'Orphans',
  description:
    'Lists notes, or attachments, that no other file links to. Notes under "Excluded files" in Obsidian\'s settings are left out.',
  effect: 'read',
  input: z.object({
    attachments: z.boolean().exactOptional().describe('List attachments instead of notes.'),
    limit: limitOf(100),
    offset: Offset,
  }),
  output: pageOf(z.string()),
  record: ['attachments', 'limit', 'offset'],
  examples: ['vaultdoor orphans', 'vaultdoor orphans --attachments'],
  run: (vault, { attachments = false, ...page }) =>
    attachments ? listUnusedAttachments(vault, page) : listOrphans(vault, page),
  text: (page) => lines(page.items.map(plain)),
  remarks: listRemarks('Each of them is linked from another file.'),
});

export const linkTool = defineChange({
  name: 'link',
  title: 'Add a link',
  description:
    'Adds a link to another note on a line of its own, unless the note has that link already.',
  effect: 'write',
  input: z.object({
    name: NoteName,
    target: z.string().min(1).describe('The note or file to link to.'),
    section: Section.exactOptional().describe('The heading to put the link under.'),
    heading: z.string().min(1).exactOptional().describe('The heading of the target to link to.'),
    display: z.string().min(1).exactOptional().describe('The text that the link shows.'),
    version: IfVersion,
  }),
  result: z.object({ path: z.string(), added: z.boolean(), line: z.number() }),
  record: ['name', 'target', 'section', 'heading'],
  positional: ['name', 'target'],
  examples: [
    'vaultdoor link Home Swifts',
    `vaultdoor link Home Sourdough --heading 'Cold rise' --display 'the long rise'`,
  ],
  operation: addLink,
  notes: ({ path, added, line }) => (added ? [] : [`the link is there already: ${path}:${line}`]),
});
