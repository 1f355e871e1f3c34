import type { Json } from '../../base/json.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import type { PropertyValue } from '../../markdown/facts/facts.ts';
import type { NoteBatch, TextBatch } from './record-batches.ts';
import type {
  FileEntry,
  FileKind,
  HeadingRecord,
  LinkRecord,
  PropertyType,
  TaskRecord,
} from './records.ts';
import type { Query } from './search-query.ts';
import type { View } from './view.ts';

/** How far the index is. */
export interface IndexStatus {
  readonly files: number;
  /** Files that are parsed: notes, canvases and bases that are present. */
  readonly notes: number;
  /** Of these, how many have their facts stored. */
  readonly indexed: number;
  /** And their full text. */
  readonly searchable: number;
  /** Listed but not here. */
  readonly absent: number;
}

export interface FileRow {
  readonly path: VaultPath;
  readonly kind: FileKind;
  readonly size: number;
  readonly mtimeMs: number;
  readonly birthMs: number;
  readonly present: boolean;
  /** The file this one is a sync program's conflict copy of, if its name says so. */
  readonly conflictOf?: VaultPath;
}

/** A link from one file, with what it resolves to. */
export interface LinkRow extends LinkRecord {
  readonly source: VaultPath;
  /** Undefined when no file answers to it. */
  readonly target?: VaultPath;
}

/** A link target that no file answers to, as written (without `.md` and subpath). */
export interface UnresolvedRow {
  readonly link: string;
  readonly count: number;
  /** Up to ten of the files that link to it, in path order. */
  readonly sources: readonly VaultPath[];
}

export interface TagRow {
  /** With `#`, in the case in which the vault first has it (by path, then place). */
  readonly tag: string;
  /** How many files have exactly this tag. */
  readonly files: number;
  /** How many times it is written. */
  readonly count: number;
}

export interface PropertyRow {
  /** As first seen; names compare without regard to case. */
  readonly key: string;
  readonly files: number;
  readonly types: readonly PropertyType[];
}

export interface Page<T> {
  readonly total: number;
  readonly items: readonly T[];
}

export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** How far to look around a file, and how much to take up. */
export interface NeighborhoodRequest {
  /** How many links away. */
  readonly depth: number;
  /** Along links, against them, or either way. */
  readonly direction: 'in' | 'out' | 'both';
  /** Neighbors at most, */
  readonly limit: number;
  /** links that are looked at on the way, */
  readonly linksMax: number;
  /** and links of one note in one direction. */
  readonly noteLinksMax: number;
}

/** What lies around a file in the graph of links. */
export interface Neighborhood {
  /** The file itself, at depth 0, and its neighbors, nearest first, then in path order. */
  readonly nodes: readonly { readonly path: VaultPath; readonly depth: number }[];
  /** The links that were followed, once for each pair, in path order. */
  readonly edges: readonly { readonly from: VaultPath; readonly to: VaultPath }[];
  /** Whether some of either were left out. */
  readonly truncated: boolean;
}

export interface SearchRow {
  readonly path: VaultPath;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}

/** What a search has found, and how. */
export interface SearchPage extends Page<SearchRow> {
  /** What was looked for beside the words of the query, best first for each of them. */
  readonly alternatives: readonly WordAlternatives[];
  /** Set when no file has all that was asked for: these have some of it, most first. */
  readonly isPartial?: true;
  /**
   * Set when few files have all of many words: so many come first that do, and a few follow that
   * have some of them.
   */
  readonly whole?: number;
}

/** Other words that were taken for one of the query, all of them folded. */
export interface WordAlternatives {
  readonly word: string;
  /** Forms of the same word; words that begin so; or, since nothing has the word, ones spelled nearly so. */
  readonly as: 'form' | 'beginning' | 'typo';
  readonly words: readonly string[];
}

export interface AliasRow {
  readonly alias: string;
  readonly path: VaultPath;
}

export interface FileTotals {
  readonly files: number;
  readonly bytes: number;
}

/** A file that is found by its name. */
export interface NamedRow {
  readonly path: VaultPath;
  /** Those of its aliases that match, as written; none when its name does. */
  readonly aliases: readonly string[];
}

/** A file whose name, or one of whose aliases, is close to what was asked for. */
export interface CloseRow {
  readonly path: VaultPath;
  /** The alias that is close, where it is closer than the name. */
  readonly alias?: string;
}

/** The facts of one file, as stored. */
export interface FactsRow {
  readonly aliases: readonly string[];
  readonly tags: readonly { readonly tag: string; readonly count: number }[];
  readonly properties: readonly {
    readonly key: string;
    readonly type: PropertyType;
    readonly value: PropertyValue;
  }[];
  readonly headings: readonly HeadingRecord[];
  readonly tasks: readonly TaskRecord[];
}

/**
 * The index: files, links, tags, names and full text. A cache of the disk that several
 * processes on one vault share. Speaks of notes, not of how it stores them. Every write is one
 * short transaction; every query sees whole transactions only.
 */
export interface IndexStore {
  status(view: View): Promise<IndexStatus>;

  // Building

  /**
   * Takes one batch of a walk: stores new names, forgets facts of files whose stamp moved, and
   * answers which of the batch need scanning: parsed kinds whose stored facts are missing, of
   * another stamp, or racy (indexed within `limits.racyMs` of their own mtime). `walk` is a
   * number the caller chose for this walk.
   */
  seen(walk: number, entries: Json<readonly FileEntry[]>): Promise<readonly VaultPath[]>;
  /** Ends a walk of `folder`: forgets files under it that the walk did not see. Answers how many. */
  endWalk(walk: number, folder: VaultFolder): Promise<number>;
  /**
   * Stores the facts of files, resolving their links; skips those already at that stamp. The
   * batch is the store's from then on: its bytes may be gone when the call returns.
   */
  putNotes(notes: NoteBatch): Promise<void>;
  /**
   * Stores full text; skips files that are gone, moved on, have it, or lack their facts. The
   * batch is the store's, too.
   */
  putTexts(texts: TextBatch): Promise<void>;
  /** Which files have facts but no full text yet. */
  lackingText(limit: number): Promise<readonly VaultPath[]>;
  /** Forgets files, and everything under a path that was a folder. */
  forget(paths: readonly VaultPath[]): Promise<void>;
  /** Forgets what was read of files that cannot be read now; their names stay. */
  forgetContents(paths: readonly VaultPath[]): Promise<void>;
  /**
   * Takes the build lease if no live process holds it. It is free the moment its holder
   * releases it, closes the store, or dies.
   */
  tryLease(): Promise<boolean>;
  releaseLease(): Promise<void>;

  // Asking

  /** The file at exactly this path, spelled as on disk. */
  file(view: View, path: VaultPath): Promise<FileRow | undefined>;
  /** Files whose path has this key (`pathKey`): more than one where names differ only in case. */
  filesByKey(view: View, key: string): Promise<readonly FileRow[]>;
  /** Files whose file name, folded, is one of these; in path order. */
  filesByName(view: View, names: readonly string[]): Promise<readonly FileRow[]>;
  files(
    view: View,
    request: PageRequest & {
      readonly folder: VaultFolder;
      readonly kinds: readonly FileKind[];
      readonly sort: 'path' | 'name' | 'modified';
    },
  ): Promise<Page<FileRow>>;
  /** How many files of any kind a folder holds, at any depth, and their bytes together. */
  totals(view: View, folder: VaultFolder): Promise<FileTotals>;
  /**
   * Notes, canvases and bases by name, the extension aside, or alias: those that are called exactly
   * so, or that have every word of it somewhere in one name. Best first: the same name, names that
   * begin so, with words that begin so, that hold it; equally good ones in path order, those found
   * by alias after those found by name.
   */
  named(
    view: View,
    request: PageRequest & { readonly query: string; readonly match: 'exact' | 'partial' },
  ): Promise<Page<NamedRow>>;
  /**
   * The files whose names and aliases come closest to a name that no file has (see `closeness`),
   * best first. Only notes, unless the name has another extension.
   */
  closest(view: View, asked: string, limit: number): Promise<readonly CloseRow[]>;
  /** Notes whose path, folded, begins with a text, in path order. */
  pathsFrom(view: View, prefix: string, limit: number): Promise<Page<VaultPath>>;
  linksFrom(view: View, path: VaultPath): Promise<readonly LinkRow[]>;
  linksTo(view: View, path: VaultPath, page: PageRequest): Promise<Page<LinkRow>>;
  /**
   * The notes, canvases and bases around a file. Attachments do not join what embeds them. Costs
   * what it answers: a note that everything links to is not looked at as a whole.
   */
  neighborhood(view: View, path: VaultPath, request: NeighborhoodRequest): Promise<Neighborhood>;
  /**
   * Files that have a link whose last name (`linkSegment`) is one of these, in path order. Over
   * the whole vault: renames must reach links that their caller does not see.
   */
  sourcesNaming(segments: readonly string[]): Promise<readonly VaultPath[]>;
  /**
   * Files of a parsed kind whose content the index does not have: not here, too large, or not
   * readable when last looked at. In path order.
   */
  unparsed(view: View): Promise<readonly { readonly path: VaultPath; readonly reason: string }[]>;
  unresolved(view: View, page: PageRequest): Promise<Page<UnresolvedRow>>;
  /** Notes that no other file links to. */
  orphans(view: View, page: PageRequest): Promise<Page<VaultPath>>;
  /** Notes without a link that leads out of them, to a file or to nothing; what is not read is none. */
  deadEnds(view: View, page: PageRequest): Promise<Page<VaultPath>>;
  tags(view: View): Promise<readonly TagRow[]>;
  /** Files with this tag or one nested under it; `tag` without `#`, any case. */
  filesWithTag(view: View, tag: string, page: PageRequest): Promise<Page<FileRow>>;
  properties(view: View): Promise<readonly PropertyRow[]>;
  aliases(view: View, page: PageRequest): Promise<Page<AliasRow>>;
  /** Tasks of this status (see `hasStatus`), or all, by path, then line. */
  tasks(
    view: View,
    request: PageRequest & { readonly status?: string },
  ): Promise<Page<TaskRecord & { readonly path: VaultPath }>>;
  facts(path: VaultPath): Promise<FactsRow | undefined>;
  conflicts(view: View): Promise<readonly FileRow[]>;
  problems(
    view: View,
  ): Promise<
    readonly { readonly path: VaultPath; readonly code: string; readonly message: string }[]
  >;
  /**
   * The files that fulfil a query, best first, conflict copies last, equal scores in path order; a
   * note whose name is the query, or an alias, before all others. Where only the text can tell
   * (`needsText`), all that may fulfil it.
   */
  search(view: View, query: Query, page: PageRequest): Promise<SearchPage>;
  /**
   * Everything the index holds as sorted text lines that depend on nothing but the vault: two
   * indexes are equal when these are.
   */
  dump(onLines: (lines: readonly string[]) => void): Promise<void>;
  close(): Promise<void>;
}

/** Whether an error says that the index file itself is damaged, so that it has to be rebuilt. */
export function isIndexDamage(error: unknown): boolean {
  return error instanceof VaultError && error.details['damaged'] === true;
}
