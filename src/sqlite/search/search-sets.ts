import type { Query, QueryPlace, TextQuery } from '../../engine/ports/search-query.ts';
import { isExact } from '../../engine/search/query-words.ts';
import { foldLetters } from '../../engine/text/fold-text.ts';
import { type IdSet, intersect, noIds, parseIds, subtract, unite } from '../tables/id-set.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { tagKey } from '../tables/index-schema.ts';
import { type Bound, filesWithProperty } from './search-properties.ts';
import { matchOfGroup, phrasesOfGroup, plainGroup, type WordGroup } from './search-words.ts';
import type { TextMatches } from './text-matches.ts';

/** The files that fulfil a query: the ones in `ids` or, with `isRest`, all others. */
export interface Found {
  readonly ids: IdSet;
  readonly isRest: boolean;
  /** Whether FTS5 alone has found them, by the words. */
  readonly isMatch?: true;
}

/**
 * What is searched for in place of each text of a query; texts without an entry stand for themselves.
 */
export type Groups = ReadonlyMap<TextQuery, WordGroup>;

interface Context {
  readonly groups: Groups;
  /** How to count what only the text of a file can decide; a `not` reverses it. */
  readonly bound: Bound;
  /**
   * Where the text must be. `piece`: in one line, block, section or task, which the index cannot tell.
   */
  readonly place: 'anywhere' | 'text' | 'piece' | 'file' | 'path';
  /** If given, only these files are of interest; others may be left out. */
  readonly within?: IdSet;
}

const everything: Found = { ids: noIds, isRest: true };
const nothing: Found = { ids: noIds, isRest: false };

/**
 * The files that fulfil a query; if only their text can decide, all files that may. Undefined when
 * the query asks for nothing, for example for words without any letter.
 */
export function filesFulfilling(
  matches: TextMatches,
  query: Query,
  groups: Groups,
): Found | undefined {
  return found(matches, query, { groups, bound: 'upper', place: 'anywhere' });
}

function found(matches: TextMatches, query: Query, context: Context): Found | undefined {
  const match = matchOf(query, context);
  if (match !== undefined) {
    const phrases = context.place === 'anywhere' ? phrasesOfAny(query, context.groups) : [];
    const ids = phrases.length > 1 ? matches.idsOfAny(match, phrases) : matches.ids(match);
    return { ids, isRest: false, isMatch: true };
  }
  switch (query.kind) {
    case 'text':
      return filesWithText(matches.connection, query, context);
    case 'regex':
      return isName(context.place) && context.bound === 'upper'
        ? { ids: filesOfAnyKind(matches.connection), isRest: false }
        : unknown(context);
    case 'tag':
      return { ids: filesTagged(matches.connection, query.tag), isRest: false };
    case 'property': {
      const { bound, within } = context;
      return {
        ids: filesWithProperty(matches.connection, query, { bound, within }),
        isRest: false,
      };
    }
    case 'not':
      return without(matches, query.part, context);
    case 'case':
      if (query.sensitive && context.bound === 'lower') return nothing;
      return found(matches, query.part, context);
    case 'in':
      return inPlace(matches, query, context);
    case 'all':
      return foundByAll(matches, query.parts, context);
    case 'any': {
      const each = query.parts.map((part) => found(matches, part, context));
      return each.reduce((a, b) => (a && b ? either(a, b) : (a ?? b)), undefined);
    }
  }
}

/** The phrases of which a file has at least one, for words and what `partialQuery` makes of them. */
function phrasesOfAny(query: Query, groups: Groups): readonly string[] {
  if (query.kind === 'any') {
    const each = query.parts.map((part) => phrasesOfAny(part, groups));
    return each.every((phrases) => phrases.length > 0) ? each.flat() : [];
  }
  const group = query.kind === 'text' ? (groups.get(query) ?? plainGroup(query.text)) : undefined;
  return group === undefined ? [] : phrasesOfGroup(group);
}

/** The answer where only the text can decide: everything or nothing. */
function unknown({ bound }: Context): Found {
  return bound === 'upper' ? everything : nothing;
}

/** All files. `everything` means only those with full text, so it lacks the attachments. */
function filesOfAnyKind(connection: IndexConnection): IdSet {
  const row = connection.get<{ ids: string | null }>(
    'SELECT group_concat(id) AS ids FROM (SELECT id FROM file ORDER BY id)',
  );
  return parseIds(row?.ids);
}

function isName(place: string): place is 'file' | 'path' {
  return place === 'file' || place === 'path';
}

/** Finds a text that FTS5 cannot find: one for names, or one without any letter. */
function filesWithText(
  connection: IndexConnection,
  query: TextQuery,
  { place, bound }: Context,
): Found | undefined {
  const { text } = query;
  if (isName(place)) {
    if (foldLetters(text) === '') return everything;
    return { ids: filesNamed(connection, place, text), isRest: false };
  }
  if (bound === 'lower' && isExact(query)) return nothing;
  return place === 'piece' ? everything : undefined;
}

function filesTagged(connection: IndexConnection, tag: string): IdSet {
  connection.tryMakeLateIndexes();
  const key = tagKey(tag);
  const row = connection.get<{ ids: string | null }>(
    `SELECT group_concat(file) AS ids FROM (
       SELECT DISTINCT file FROM tag WHERE key = ? OR (key > ? AND key < ?) ORDER BY file)`,
    key,
    `${key}/`,
    `${key}0`, // "0" comes right after "/".
  );
  return parseIds(row?.ids);
}

/** The files that do not fulfil `part`. */
function without(matches: TextMatches, part: Query, context: Context): Found | undefined {
  // If one line contains the part, another line may still lack it.
  if (context.place === 'piece') return unknown(context);
  const bound = context.bound === 'upper' ? 'lower' : 'upper';
  const having = found(matches, part, { ...context, bound, groups: new Map() });
  return having && { ids: having.ids, isRest: !having.isRest };
}

/** The files that fulfil a part that is restricted to a place, such as `line:` or `file:`. */
function inPlace(
  matches: TextMatches,
  { place, part }: { readonly place: QueryPlace; readonly part: Query },
  context: Context,
): Found | undefined {
  if (isName(place)) return found(matches, part, { ...context, place });
  if (place === 'content') return found(matches, part, { ...context, place: textPlace(context) });
  if (context.bound === 'lower') return nothing;
  return found(matches, part, { ...context, place: 'piece' });
}

function textPlace({ place }: Context): Context['place'] {
  return place === 'piece' ? 'piece' : 'text';
}

/**
 * Files that fulfil all parts: first what FTS5 finds at once, and what is costly last, for few files.
 */
function foundByAll(
  matches: TextMatches,
  parts: readonly Query[],
  context: Context,
): Found | undefined {
  const matched: string[] = [];
  const others: Query[] = [];
  for (const part of parts) {
    const match = matchOf(part, context);
    if (match === undefined) others.push(part);
    else matched.push(match);
  }
  let all: Found | undefined =
    matched.length === 0 ? undefined : { ids: matches.ids(matched.join(' AND ')), isRest: false };
  for (const part of others.sort((a, b) => costOf(a) - costOf(b))) {
    const within = all === undefined || all.isRest ? context.within : all.ids;
    const next = found(matches, part, { ...context, ...(within && { within }) });
    all = all && next ? both(all, next) : (all ?? next);
  }
  return all;
}

/** What to ask first: tags are quick, properties are slow. */
function costOf({ kind }: Query): number {
  return kind === 'property' ? 2 : kind === 'tag' ? 0 : 1;
}

/** The FTS5 expression that finds all files that may fulfil a query; undefined if there is none. */
function matchOf(query: Query, context: Omit<Context, 'within'>): string | undefined {
  const { bound, groups, place } = context;
  switch (query.kind) {
    case 'text': {
      if (isName(place) || (bound === 'lower' && isExact(query))) return undefined;
      const group = groups.get(query) ?? plainGroup(query.text);
      if (group === undefined) return undefined;
      const match = matchOfGroup(group);
      return place === 'anywhere' ? match : `{body} : ${match}`;
    }
    case 'all':
    case 'any': {
      const matches = query.parts.map((part) => matchOf(part, context));
      if (matches.length === 0 || matches.some((match) => match === undefined)) return undefined;
      return `(${matches.join(query.kind === 'all' ? ' AND ' : ' OR ')})`;
    }
    case 'case':
      return query.sensitive && bound === 'lower' ? undefined : matchOf(query.part, context);
    case 'in':
      if (query.place === 'content') {
        return matchOf(query.part, { ...context, place: place === 'piece' ? place : 'text' });
      }
      if (isName(query.place) || bound === 'lower') return undefined;
      return matchOf(query.part, { ...context, place: 'piece' });
    default:
      return undefined;
  }
}

function both(a: Found, b: Found): Found {
  if (a.isRest && b.isRest) return { ids: unite(a.ids, b.ids), isRest: true };
  if (a.isRest) return { ids: subtract(b.ids, a.ids), isRest: false };
  return { ids: b.isRest ? subtract(a.ids, b.ids) : intersect(a.ids, b.ids), isRest: false };
}

function either(a: Found, b: Found): Found {
  const neither = both({ ...a, isRest: !a.isRest }, { ...b, isRest: !b.isRest });
  return { ...neither, isRest: !neither.isRest };
}

/**
 * The files whose name or path contains a text, ignoring case and accents. All paths are read, folded
 * and searched as one text: a row for each would take many times as long.
 */
function filesNamed(connection: IndexConnection, place: 'file' | 'path', text: string): IdSet {
  const wanted = foldLetters(text);
  // Folding changes only the case of ASCII letters, so SQLite itself can compare paths of pure ASCII.
  const row = connection.get<{ files: string | null }>(
    `SELECT group_concat(id || char(9) || path, char(10)) AS files FROM file
     WHERE instr(lower(path), ?) > 0 OR length(path) < length(CAST(path AS BLOB))`,
    wanted,
  );
  const files = foldLetters(row?.files ?? '');
  const found: string[] = [];
  for (let at = files.indexOf(wanted); at !== -1; at = files.indexOf(wanted, at)) {
    const lineStart = files.lastIndexOf('\n', at) + 1;
    const pathStart = files.indexOf('\t', lineStart) + 1;
    const nextLine = files.indexOf('\n', at);
    const end = nextLine === -1 ? files.length : nextLine;
    const start =
      place === 'path' ? pathStart : Math.max(files.lastIndexOf('/', end) + 1, pathStart);
    if (files.slice(start, end).includes(wanted)) {
      found.push(files.slice(lineStart, pathStart - 1));
      at = end + 1;
    } else at = Math.max(at + 1, Math.min(start, end));
  }
  return Uint32Array.from(found, Number).sort();
}
