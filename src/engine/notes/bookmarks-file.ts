import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { JsonNode } from '../../markdown/text/json-ranges.ts';
import { jsonEntry, parseJsonRanges } from '../../markdown/text/json-ranges.ts';

/** The one settings file that a change may write. */
export const bookmarksFile: VaultPath = vaultPath('.obsidian/bookmarks.json');

/** A bookmark as the app keeps it; which fields it has depends on its type. */
export interface Bookmark {
  /** `file`, `folder`, `search`, `url`, `graph`, or what a plugin made. */
  readonly type: string;
  readonly title?: string;
  readonly path?: string;
  /** A heading, a block or a page of the file, from its `#` on. */
  readonly subpath?: string;
  readonly query?: string;
  readonly url?: string;
}

/** A bookmark with the titles of the groups around it, outermost first. */
export interface GroupedBookmark extends Bookmark {
  readonly groups: readonly string[];
}

/** The bookmarks file as it stands; an empty one is as good as none. */
export interface BookmarksText {
  readonly text: string;
  /** Its object, and the list in it; undefined where there is none yet. */
  readonly root: JsonNode | undefined;
  readonly items: JsonNode | undefined;
}

/**
 * Reads the bookmarks file. Fails with `invalid_input` when it is not what the app writes: an empty
 * answer would look like a vault without bookmarks, and writing would lose what is there.
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

/** Every bookmark of the file, in order; groups are not bookmarks, but what is in them is. */
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

const fieldNames = ['title', 'path', 'subpath', 'query', 'url'] as const;

function stringAt(node: JsonNode, key: string): string | undefined {
  const value = jsonEntry(node, key);
  return value?.type === 'string' ? value.value : undefined;
}
