import { z } from 'zod';
import { listAliases } from '../../engine/operations/list/list-properties.ts';
import { listTagged, listTags } from '../../engine/operations/list/list-tags.ts';
import { defineTool } from '../define/define-tool.ts';
import { namesOne, noteOf, optionalText } from '../define/note-input.ts';
import { cutItem, listPage, Offset, pageShape, restFrom } from './list-page.ts';

export const tagsTool = defineTool({
  name: 'obsidian_tags',
  title: 'List tags',
  description: 'List the tags of the vault with counts, or the files with one tag',
  effect: 'read',
  input: z.object({
    tag: optionalText('Files with this tag, nested ones included'),
    offset: Offset,
  }),
  output: z.union([
    z.object({ tag: z.string(), ...pageShape('files', z.string()) }),
    z.object(
      pageShape('tags', z.object({ tag: z.string(), files: z.number(), count: z.number() })),
    ),
  ]),
  record: ['tag', 'offset'],
  run: async (vault, { tag, offset = 0 }) => {
    if (tag !== undefined) {
      const { total, items } = await listTagged(vault, { tag, ...restFrom(offset) });
      const files = { total, items: items.map(({ path }) => path), offset };
      return listPage('files', files, { tag: cutItem(`#${tag.replace(/^#/, '')}`) });
    }
    const rows = await listTags(vault);
    const items = rows.slice(offset).map((row) => ({ ...row, tag: cutItem(row.tag) }));
    return listPage('tags', { total: rows.length, items, offset });
  },
});

const published = z.object({ name: optionalText('Only of this note'), offset: Offset });

export const aliasesTool = defineTool({
  name: 'obsidian_aliases',
  title: 'List aliases',
  description: 'List the aliases of all notes, or of one',
  effect: 'read',
  existing: 'name',
  published,
  input: published.extend({ path: optionalText('Exactly this file') }),
  output: z.object(pageShape('aliases', z.object({ alias: z.string(), path: z.string() }))),
  record: ['name', 'path', 'offset'],
  run: async (vault, { offset = 0, ...which }) => {
    const note = namesOne(which) ? { name: noteOf(which) } : {};
    const { total, aliases } = await listAliases(vault, { ...note, ...restFrom(offset) });
    const items = aliases.map(({ alias, path }) => ({ alias: cutItem(alias), path }));
    return listPage('aliases', { total, items, offset });
  },
});
