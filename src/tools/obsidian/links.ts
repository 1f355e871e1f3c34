import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import {
  listDeadEnds,
  listOrphans,
  listUnresolved,
} from '../../engine/operations/list/list-graph.ts';
import { linkPage, listBacklinks } from '../../engine/operations/list/list-links.ts';
import type { Page, PageRequest } from '../../engine/ports/index-store.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import { noteInput, noteOf } from '../define/note-input.ts';
import { cutItem, listPage, Offset, pageShape, restFrom } from './list-page.ts';

/** More links than this do not fit into an answer: each takes at least 20 characters. */
const linksMax = limits.answerCharsMax / 20;

export const linksTool = defineTool({
  name: 'obsidian_links',
  title: 'List links',
  description: 'List the outgoing links of a note; those without a path are unresolved',
  effect: 'read',
  existing: 'name',
  ...noteInput({ offset: Offset }),
  output: z.object({
    path: z.string(),
    ...pageShape(
      'links',
      z.object({
        /** The path as written in the link; for a link within the note, its subpath. */
        link: z.string(),
        path: z.string().optional(),
        line: z.number(),
      }),
    ),
  }),
  record: ['name', 'path', 'offset'],
  run: async (vault, { offset = 0, ...which }) => {
    const page = await linkPage(vault, { name: noteOf(which), limit: linksMax, offset });
    const items = page.items.map((row) => ({
      link: cutItem(row.path === '' ? row.subpath : row.path),
      ...(row.target === undefined ? {} : { path: row.target }),
      line: row.line + 1,
    }));
    return listPage('links', { total: page.total, items, offset }, { path: page.path });
  },
});

export const backlinksTool = defineTool({
  name: 'obsidian_backlinks',
  title: 'List backlinks',
  description: 'List the links to a note or other file, with lines',
  effect: 'read',
  existing: 'name',
  ...noteInput({ offset: Offset }),
  output: z.object({
    path: z.string(),
    ...pageShape('backlinks', z.object({ path: z.string(), line: z.number() })),
  }),
  record: ['name', 'path', 'offset'],
  run: async (vault, { offset = 0, ...which }) => {
    const request = { name: noteOf(which), limit: linksMax, offset };
    const { path, total, items } = await listBacklinks(vault, request);
    const places = items.map(({ source, line }) => ({ path: source, line: line + 1 }));
    return listPage('backlinks', { total, items: places, offset }, { path });
  },
});

/** About as many as an answer holds, at 200 characters each: finding their files takes time. */
const unresolvedMax = limits.answerCharsMax / 200;

export const unresolvedTool = defineTool({
  name: 'obsidian_unresolved',
  title: 'List unresolved links',
  description: 'List the links that lead to no file, with counts and up to ten files each',
  effect: 'read',
  input: z.object({ offset: Offset }),
  output: z.object(
    pageShape(
      'unresolved',
      z.object({ link: z.string(), count: z.number(), files: z.array(z.string()).readonly() }),
    ),
  ),
  record: ['offset'],
  run: async (vault, { offset = 0 }) => {
    const { total, items } = await listUnresolved(vault, { limit: unresolvedMax, offset });
    const rows = items.map(({ link, count, sources }) => ({
      link: cutItem(link),
      count,
      files: sources,
    }));
    return listPage('unresolved', { total, items: rows, offset });
  },
});

export const orphansTool = filesTool(listOrphans, {
  name: 'obsidian_orphans',
  title: 'List orphans',
  description: 'List the notes that no other file links to',
});

export const deadEndsTool = filesTool(listDeadEnds, {
  name: 'obsidian_deadends',
  title: 'List dead ends',
  description: 'List the notes without outgoing links',
});

/** A tool that lists notes. */
function filesTool(
  list: (vault: BoundVault, page: PageRequest) => Promise<Page<VaultPath>>,
  about: { readonly name: string; readonly title: string; readonly description: string },
): AnyTool {
  return defineTool({
    ...about,
    effect: 'read',
    input: z.object({ offset: Offset }),
    output: z.object(pageShape('files', z.string())),
    record: ['offset'],
    run: async (vault, { offset = 0 }) => {
      const { total, items } = await list(vault, restFrom(offset));
      return listPage('files', { total, items, offset });
    },
  });
}
