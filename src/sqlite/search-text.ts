import type { VaultPath } from '../base/vault-path.ts';
import { foldPhrase, isLoneCjk } from '../engine/fold-text.ts';
import type { PageRequest, SearchPage, SearchRow, TextTerm } from '../engine/index-store.ts';
import type { Query } from '../engine/search-query.ts';
import type { View } from '../engine/view.ts';
import type { Connection } from './connection.ts';
import { held } from './index-schema.ts';

/** How much a word counts in title, aliases, headings, tags and body. */
const weights = '10, 8, 4, 4, 1';

/**
 * See `IndexStore.search`. Every term has to occur, and no negated one. Terms that fold to
 * nothing are left out; without any there is nothing to look for.
 */
export function searchText(
  connection: Connection,
  view: View,
  query: Query,
  page: PageRequest,
): SearchPage {
  const terms = termsOf(query);
  const wanted = terms.filter((term) => !term.negated).flatMap(matchOf);
  const unwanted = terms.filter((term) => term.negated).flatMap(matchOf);
  if (wanted.length > 0) return search(connection, view, matchOfAll(wanted, unwanted), page);
  if (unwanted.length > 0) return searchWithout(connection, view, unwanted.join(' OR '), page);
  return { total: 0, items: [], alternatives: [] };
}

/** The words of a query, and those it excludes. */
function termsOf(query: Query, negated = false): readonly TextTerm[] {
  switch (query.kind) {
    case 'text': {
      const words = foldPhrase(query.text);
      return [{ words, prefix: isLoneCjk(words.at(-1) ?? ''), negated }];
    }
    case 'not':
      return termsOf(query.part, !negated);
    case 'all':
      return query.parts.flatMap((part) => termsOf(part, negated));
    default:
      return [];
  }
}

/** A term in FTS5's language. Words are quoted, so that none is taken for a part of it. */
function matchOf({ words, prefix }: TextTerm): string[] {
  const phrase = words.map((word) => word.replaceAll('\0', ' ').trim()).join(' ');
  if (!/[\p{L}\p{N}\p{M}\p{Co}]/u.test(phrase)) return [];
  return [`"${phrase.replaceAll('"', '""')}"${prefix ? ' *' : ''}`];
}

function matchOfAll(wanted: readonly string[], unwanted: readonly string[]): string {
  const all = wanted.join(' AND ');
  return unwanted.length === 0 ? all : `(${all}) NOT (${unwanted.join(' OR ')})`;
}

function search(connection: Connection, view: View, match: string, page: PageRequest): SearchPage {
  const sees = connection.sees(view, 'f.path');
  return connection.read(() => ({
    alternatives: [],
    total: connection.count(
      sees === 'TRUE'
        ? 'SELECT count(*) AS n FROM fulltext WHERE fulltext MATCH ?'
        : `SELECT count(*) AS n FROM fulltext CROSS JOIN file f ON f.id = fulltext.rowid
           WHERE fulltext MATCH ? AND ${sees}`,
      match,
    ),
    items: connection.all<SearchRow>(
      `SELECT f.path, -bm25(fulltext, ${weights}) AS score
       FROM fulltext CROSS JOIN file f ON f.id = fulltext.rowid
       WHERE fulltext MATCH ? AND ${sees}
       ORDER BY ${isCopy(connection, view)}, score DESC, f.path LIMIT ? OFFSET ?`,
      match,
      page.limit,
      page.offset,
    ),
  }));
}

/** Only negated terms: every file with text that has none of them, all equally good. */
function searchWithout(
  connection: Connection,
  view: View,
  match: string,
  page: PageRequest,
): SearchPage {
  const condition = `f.text > ${held.none} AND ${connection.sees(view, 'f.path')}
    AND f.id NOT IN (SELECT rowid FROM fulltext WHERE fulltext MATCH ?)`;
  return connection.read(() => ({
    alternatives: [],
    total: connection.count(`SELECT count(*) AS n FROM file f WHERE ${condition}`, match),
    items: connection
      .all<{ path: VaultPath }>(
        `SELECT f.path FROM file f WHERE ${condition}
         ORDER BY ${isCopy(connection, view)}, f.path LIMIT ? OFFSET ?`,
        match,
        page.limit,
        page.offset,
      )
      .map(({ path }) => ({ path, score: 0 })),
  }));
}

/** Whether `f` is a copy of a file that is there and seen: such rows come last. */
function isCopy(connection: Connection, view: View): string {
  return `(f.conflict_of IS NOT NULL AND EXISTS (
    SELECT 1 FROM file o WHERE o.path = f.conflict_of AND ${connection.sees(view, 'o.path')}))`;
}
