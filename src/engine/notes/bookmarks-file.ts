import type { TextRange } from '../../base/text-range.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { isHidden, isInside, trashFolder, vaultPath } from '../../base/vault-path.ts';
import type { JsonNode } from '../../markdown/text/json-ranges.ts';
import { jsonEntry, parseJsonRanges } from '../../markdown/text/json-ranges.ts';
import { applyEdits } from '../../markdown/text/text-edit.ts';

/** The one settings file that a change may write. */
export const bookmarksFile: VaultPath = vaultPath('.obsidian/bookmarks.json');

/** A bookmark as the app keeps it; which fields it has depends on its type. */
export interface Bookmark {
  /** `file`, `folder`, `search`, `url`, `graph`, or a type that a plugin made. */
  readonly type: string;
  readonly title?: string;
  readonly path?: string;
  /** A heading, a block or a page of the file, with its `#`. */
  readonly subpath?: string;
  readonly query?: string;
  readonly url?: string;
}

/** A bookmark with the titles of the groups that contain it, outermost first. */
export interface GroupedBookmark extends Bookmark {
  readonly groups: readonly string[];
}

/** The bookmarks file as read; an empty file counts as no file. */
export interface BookmarksText {
  readonly text: string;
  /** The object of the file, and the list in it; undefined where there is none yet. */
  readonly root: JsonNode | undefined;
  readonly items: JsonNode | undefined;
}

/**
 * Reads the bookmarks file. Fails with `invalid_input` when it is not what the app writes, because
 * an empty answer would look like a vault without bookmarks, and writing would lose what is there.
 */
export function parseBookmarks(text: string): BookmarksText {
  if (/^\ufeff?\s*$/.test(text)) return { text, root: undefined, items: undefined };
  const parsed = parseJsonRanges(text);
  const root = 'root' in parsed ? parsed.root : undefined;
  const items = jsonEntry(root, 'items');
  if (root?.type === 'object' && (items === undefined || items.type === 'array')) {
    return { text, root, items };
  }
  throw new VaultError(
    'invalid_input',
    `${bookmarksFile} is not a list of bookmarks as Obsidian writes it; correct it there first.`,
    { details: { path: bookmarksFile } },
  );
}

/**
 * Returns every bookmark of the file in order. Groups are not bookmarks themselves, but their
 * contents are.
 */
export function bookmarksIn({ items }: BookmarksText): readonly GroupedBookmark[] {
  return bookmarksOf(items, []);
}

function bookmarksOf(items: JsonNode | undefined, groups: readonly string[]): GroupedBookmark[] {
  if (items?.type !== 'array') return [];
  return items.items.flatMap((item) => {
    const type = stringAt(item, 'type');
    if (type === undefined) return [];
    if (type === 'group') {
      return bookmarksOf(jsonEntry(item, 'items'), [...groups, stringAt(item, 'title') ?? '']);
    }
    const fields = fieldNames.flatMap((name) => {
      const value = stringAt(item, name);
      return value === undefined ? [] : [[name, value]];
    });
    return [{ type, ...Object.fromEntries(fields), groups }];
  });
}

/** Returns every `path` in the file, also those inside groups, and where it is in the text. */
export function bookmarkPaths({ items }: Pick<BookmarksText, 'items'>): readonly {
  readonly path: string;
  /** With the quotes. */
  readonly range: TextRange;
}[] {
  if (items?.type !== 'array') return [];
  return items.items.flatMap((item) => {
    const path = jsonEntry(item, 'path');
    const own = path?.type === 'string' ? [{ path: path.value, range: path.range }] : [];
    return [...own, ...bookmarkPaths({ items: jsonEntry(item, 'items') })];
  });
}

const fieldNames = ['title', 'path', 'subpath', 'query', 'url'] as const;

function stringAt(node: JsonNode, key: string): string | undefined {
  const value = jsonEntry(node, key);
  return value?.type === 'string' ? value.value : undefined;
}

/**
 * Returns the bookmarks file with one more bookmark at the end of its list, in the file's own JSON
 * format. Everything else stays byte for byte.
 */
export function appendBookmark(
  { text, root, items }: BookmarksText,
  bookmark: Bookmark & { readonly ctime: number },
): string {
  const item = inOrder(bookmark);
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const insert = (start: number, put: string, end = start): string =>
    applyEdits(text, [{ range: { start, end }, text: put }]);
  const last = items?.type === 'array' ? items.items.at(-1) : undefined;
  if (items?.type === 'array' && last !== undefined) {
    const gap = text.slice(items.range.start + 1, items.items[0]?.range.start);
    return insert(last.range.end, `,${gap}${writtenAfter(gap, item)}`);
  }
  const list = text.includes('\n') ? pretty([item], `${lineEnd}  `) : JSON.stringify([item]);
  if (items !== undefined) return insert(items.range.start, list, items.range.end);
  const lastEntry = root?.type === 'object' ? root.entries.at(-1) : undefined;
  if (lastEntry === undefined) return JSON.stringify({ items: [item] }, null, 2);
  const gap = text.includes('\n') ? `${lineEnd}  ` : '';
  return insert(lastEntry.value.range.end, `,${gap}"items": ${list}`);
}

/** The fields in the order in which the app writes them. */
function inOrder({
  type,
  ctime,
  path,
  subpath,
  query,
  url,
  title,
}: Parameters<typeof appendBookmark>[1]) {
  return { type, ctime, path, subpath, query, url, title };
}

/**
 * Formats an item like those before it; `gap` is the white space between the bracket and the first
 * item.
 */
function writtenAfter(gap: string, item: object): string {
  if (!gap.includes('\n')) return JSON.stringify(item);
  const lineEnd = gap.includes('\r\n') ? '\r\n' : '\n';
  const indent = gap.slice(gap.lastIndexOf('\n') + 1);
  return pretty(item, lineEnd + indent, indent.includes('\t') ? '\t' : '  ');
}

/** Formats JSON over several lines, each of which but the first begins with `lineStart`. */
function pretty(value: object, lineStart: string, indent = '  '): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', lineStart);
}

/**
 * Whether a change may write a path whose name begins with a dot: only what is in the trash, and
 * the app's list of bookmarks.
 */
export function isWritableDotFile(path: VaultPath): boolean {
  if (path === bookmarksFile) return true;
  return isInside(path, trashFolder) && !isHidden(path.slice(trashFolder.length + 1));
}
