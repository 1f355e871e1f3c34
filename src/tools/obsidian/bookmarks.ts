import { z } from 'zod';
import { listBookmarks } from '../../engine/operations/list/list-bookmarks.ts';
import { addBookmark } from '../../engine/operations/write/add-bookmark.ts';
import { defineTool } from '../define/define-tool.ts';
import { given, optionalText } from '../define/note-input.ts';
import { changeShape, withReport } from '../wording/writing-answer.ts';
import { contractData } from './contract.ts';
import { cutItem, listPage, Offset, pageShape } from './list-page.ts';

const Bookmark = z.object({
  type: z.string(),
  title: z.string().optional(),
  path: z.string().optional(),
  subpath: z.string().optional(),
  query: z.string().optional(),
  url: z.string().optional(),
  /** The titles of the groups around it, outermost first. */
  groups: z.array(z.string()).readonly().optional(),
});

export const bookmarksTool = defineTool({
  name: 'obsidian_bookmarks',
  title: 'List bookmarks',
  description: 'List the bookmarks of the vault, with the groups they are in',
  effect: 'read',
  input: z.object({ offset: Offset }),
  output: z.object(pageShape('bookmarks', Bookmark)),
  record: ['offset'],
  run: async (vault, { offset = 0 }) => {
    const { bookmarks } = await listBookmarks(vault);
    const items = bookmarks.slice(offset).map(shownBookmark);
    return listPage('bookmarks', { total: bookmarks.length, items, offset });
  },
});

export const bookmarkAddTool = defineTool({
  name: 'obsidian_bookmark_add',
  title: 'Add bookmark',
  description: 'Bookmark a file or folder, a search or a web page: give one of path, search, url',
  effect: 'write',
  input: z.object({
    path: optionalText('Note name, path or folder'),
    search: optionalText('Search query'),
    url: optionalText('Web address'),
    subpath: optionalText('#Heading or #^block of the note'),
    title: optionalText('Its title'),
  }),
  output: z.object({
    bookmark: Bookmark,
    /** False when the bookmark existed already. */
    added: z.boolean(),
    ...changeShape,
  }),
  record: ['path', 'url', 'subpath'],
  run: async (vault, asked) => {
    const report = await vault.change(addBookmark, given(asked));
    const { bookmark, added, change = null } = report;
    return withReport(report, { bookmark: shownBookmark(bookmark), added, change });
  },
  ...contractData,
});

type ListedBookmark = Awaited<ReturnType<typeof listBookmarks>>['bookmarks'][number];

function shownBookmark({ type, groups, ...fields }: ListedBookmark): z.output<typeof Bookmark> {
  const { title, path, subpath, query, url } = fields;
  const texts = Object.entries(given({ title, path, subpath, query, url }));
  return {
    type: cutItem(type),
    ...Object.fromEntries(texts.map(([key, text]) => [key, cutItem(text)])),
    ...(groups.length === 0 ? {} : { groups: groups.slice(0, groupsMax).map(cutItem) }),
  };
}

/** How many groups around a bookmark are shown. */
const groupsMax = 20;
