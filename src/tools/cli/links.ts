import { z } from 'zod';
import { listBacklinks, listLinks } from '../../engine/operations/list/list-links.ts';
import type { LinkRow } from '../../engine/ports/index-store.ts';
import type { Paint } from '../define/define-tool.ts';
import { defineTool } from '../define/define-tool.ts';
import { LinkSchema, limitOf, listOf, NoteName, Offset, pageOf } from './schemas.ts';
import { lines, more, plain } from './text.ts';

export const linksTool = defineTool({
  name: 'links',
  title: 'Links of a note',
  description: 'Lists where the links of a note lead, in their order.',
  effect: 'read',
  input: z.object({ name: NoteName }),
  output: z.object({ path: z.string(), links: listOf(LinkSchema) }),
  record: ['name'],
  positional: ['name'],
  run: async (vault, request) => {
    const { path, links } = await listLinks(vault, request);
    return { path, links: links.map(fromOne) };
  },
  text: ({ links }, paint) =>
    lines(links.map((link) => `${place(link, paint)} ${target(link, paint)}`)),
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
  run: async (vault, request) => {
    const page = await listBacklinks(vault, request);
    return { ...page, items: page.items.map(fromOne) };
  },
  text: (page, paint) =>
    lines([
      ...page.items.map((link) => `${plain(link.source)}${paint.faint(`:${link.line}`)}`),
      ...more(page),
    ]),
});

/** Lines are counted from 1 wherever they are answered, as editors do; only facts are the app's. */
function fromOne(link: LinkRow): LinkRow {
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
