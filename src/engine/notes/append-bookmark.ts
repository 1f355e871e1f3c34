import { applyEdits } from '../../markdown/text/apply-edits.ts';
import type { Bookmark, BookmarksText } from './bookmarks-file.ts';

/**
 * The bookmarks file with one more at the end of its list, in the format that the file has: the
 * app's, unless someone else wrote it. Everything else stays, byte for byte.
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

/** An item as those before it are written: `gap` stands between the bracket and the first. */
function writtenAfter(gap: string, item: object): string {
  if (!gap.includes('\n')) return JSON.stringify(item);
  const lineEnd = gap.includes('\r\n') ? '\r\n' : '\n';
  const indent = gap.slice(gap.lastIndexOf('\n') + 1);
  return pretty(item, lineEnd + indent, indent.includes('\t') ? '\t' : '  ');
}

/** JSON over several lines; every one but the first begins with `lineStart`. */
function pretty(value: object, lineStart: string, indent = '  '): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', lineStart);
}
