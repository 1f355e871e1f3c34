import type { Json } from '../../base/json.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import type { PropertyValue } from '../../markdown/facts/facts.ts';
import type { DocumentStore } from './documents.ts';
import type { GraphOutline, GraphOutlineRequest, RelatedStore } from './graph-outline.ts';
import type { NoteBatch, TextBatch } from './record-batches.ts';
import type {
  AliasRow,
  FactsRequest,
  FileEntry,
  FileFacts,
  FileKind,
  HeadingRecord,
  LinkRecord,
  ProblemRow,
  PropertyType,
  TaskRecord,
  UnreadRow,
} from './records.ts';
import type { Query } from './search-query.ts';
import type { TaskPage, TaskRequest } from './task-request.ts';
import type { Marks, UnseenStore, View } from './view.ts';

/** How far the index is. */
export interface IndexStatus {
  readonly files: number;
  /** Files that are parsed: notes, canvases and bases that are present. */
  readonly notes: number;
  /** How many of the notes have their facts stored. */
  readonly indexed: number;
  /** How many of the notes have their full text stored. */
  readonly searchable: number;
  /** Files that are listed but not on this disk (cloud placeholders). */
  readonly absent: number;
}

export interface FileRow {
  readonly path: VaultPath;
  readonly kind: FileKind;
  readonly size: number;
  readonly mtimeMs: number;
  readonly birthMs: number;
  /** See `FileStat.present`. */
  readonly present: boolean;
  /**
   * The file of which this one is a conflict copy, if its name looks as a sync program names such
   * copies.
   */
  readonly conflictOf?: VaultPath;
}

/** A link from one file, with what it resolves to. */
export interface LinkRow extends LinkRecord {
  readonly source: VaultPath;
  /** Undefined when the link leads to no file. */
  readonly target?: VaultPath;
}

/** A target to which links lead although there is no such file. */
export interface UnresolvedRow {
  /** The target as written, without `.md` and subpath. */
  readonly link: string;
  /** How many links lead to it. */
  readonly count: number;
  /** Up to ten of the files that link to it, in path order. */
  readonly sources: readonly VaultPath[];
}

/** A link that leads to no file; `link` is its target as in `UnresolvedRow`. */
export interface BrokenRow extends Pick<LinkRow, 'source' | 'line'> {
  readonly link: string;
}

export interface TagRow {
  /** With `#`, in the spelling of its first occurrence in the vault (by path, then position). */
  readonly tag: string;
  /** How many files have exactly this tag. */
  readonly files: number;
  /** How many times it is written. */
  readonly count: number;
}

export interface PropertyRow {
  /** In the spelling of its first occurrence; names are compared without regard to case. */
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

/** Some of the files in a folder, at any depth; without `folder`, of the vault. */
export interface FolderPage extends PageRequest {
  readonly folder?: VaultFolder;
}

/** How far to look around a file, and how much to answer at most. */
export interface NeighborhoodRequest {
  /** How many links away. */
  readonly depth: number;
  /** Along links, against them, or either way. */
  readonly direction: 'in' | 'out' | 'both';
  /** How many neighbors to answer at most. */
  readonly limit: number;
  /** How many links to look at on the way. */
  readonly linksMax: number;
  /** How many links of one note in one direction to look at. */
  readonly noteLinksMax: number;
}

/** The files around a file in the graph of links. */
export interface Neighborhood {
  /** The file itself, at depth 0, and its neighbors, nearest first, then in path order. */
  readonly nodes: readonly { readonly path: VaultPath; readonly depth: number }[];
  /** The links that were followed, once for each pair, in path order. */
  readonly edges: readonly { readonly from: VaultPath; readonly to: VaultPath }[];
  /** Whether some nodes or edges were left out. */
  readonly truncated: boolean;
}

export interface SearchRow {
  readonly path: VaultPath;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}

/** What a search has found. */
export interface SearchPage extends Page<SearchRow> {
  /** The other words that were searched for, for each word of the query that has some. */
  readonly alternatives: readonly WordAlternatives[];
  /**
   * Set when files may lack words of the query: how many have all of them. They do not always come
   * first, since a short note about most of the words may say more than a long one that has all.
   */
  readonly whole?: number;
}

/** Other words that were searched for beside one word of the query, folded (`foldText`). */
export interface WordAlternatives {
  readonly word: string;
  /**
   * `form`: other forms of the word. `beginning`: words that begin with it. `typo`: words of nearly
   * the same spelling, when no file has the word itself.
   */
  readonly as: 'form' | 'beginning' | 'typo';
  /** Best first. */
  readonly words: readonly string[];
}

export interface FileTotals {
  readonly files: number;
  readonly bytes: number;
}

/** The files of a vault by kind, and its notes by size. */
export interface FileSizes {
  readonly files: Readonly<Record<FileKind, number>>;
  /** All notes together. */
  readonly bytes: number;
  /** How many notes have at least `from` bytes, but fewer than the next step begins with. */
  readonly steps: readonly { readonly from: number; readonly notes: number }[];
}

/** A file that was found by its name. */
export interface NamedRow {
  readonly path: VaultPath;
  /** The aliases that match, as written; empty when the name matches. */
  readonly aliases: readonly string[];
}

/** A file whose name is close to what was asked for; or `alias`, if that is closer. */
export interface CloseRow {
  readonly path: VaultPath;
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
 * The index: files, links, tags, names and full text. A cache of what is on disk, which several
 * processes share. Every write is one short transaction, and queries see only whole transactions.
 *
 * A file gets into the index in three steps: its name and stat (`seen`), its facts (`putNotes`) and
 * its full text (`putTexts`). Each step stores the stamp of the file (`FileStat.stamp`); facts and
 * texts of another stamp are outdated.
 */
export interface IndexStore extends DocumentStore, RelatedStore, UnseenStore {
  status(view: View): Promise<IndexStatus>;
  /** Which index this is: another one after it was deleted, replaced by a file, or built anew. */
  identity(): Promise<string>;

  // Building

  /**
   * Stores one batch of files that a walk has seen: adds new names, and forgets the facts of files
   * whose stamp has changed. Answers which files of the batch need scanning: those of a parsed kind
   * whose facts are missing, of another stamp, or racy (`NoteRecord.racy`). `walk` is a number that
   * the caller chose for this walk.
   */
  seen(walk: number, entries: Json<readonly FileEntry[]>): Promise<readonly VaultPath[]>;
  /**
   * Ends a walk of `folder`: forgets the files in it that the walk has not seen. Answers how many.
   */
  endWalk(walk: number, folder: VaultFolder): Promise<number>;
  /**
   * Stores the facts of files and resolves their links; skips files that have facts of that stamp.
   * The store takes the batch over: the caller must not use its bytes after the call.
   */
  putNotes(notes: NoteBatch): Promise<void>;
  /**
   * Stores full texts; skips files that are gone, have another stamp, have their text already, or
   * lack facts. The store takes the batch over, as in `putNotes`.
   */
  putTexts(texts: TextBatch): Promise<void>;
  /**
   * Stores files that were just read: what `seen` (of no walk), `putNotes` and `putTexts` do, in one
   * transaction. The store takes the batches over, as in `putNotes`.
   */
  putRead(files: Json<readonly FileEntry[]>, notes: NoteBatch, texts: TextBatch): Promise<void>;
  /** Takes the mark `racy` from files that were read again; answers those of another stamp. */
  confirm(files: readonly Pick<FileEntry, 'path' | 'stamp'>[]): Promise<readonly VaultPath[]>;
  /** Files that are parsed and lack facts, or text, of what they have now; or have an older text. */
  lacking(part: 'facts' | 'text' | 'old text'): Promise<readonly VaultPath[]>;
  /** Files that have facts but no full text yet, at most `limit`. */
  lackingText(limit: number): Promise<readonly VaultPath[]>;
  /** Forgets files, and everything under a path that was a folder. */
  forget(paths: readonly VaultPath[]): Promise<void>;
  /** Forgets the facts and texts of files that cannot be read now; their names stay. */
  forgetContents(paths: readonly VaultPath[]): Promise<void>;
  /**
   * Takes the lease for building the index if no process holds it, and answers whether. The lease
   * is free at once when its holder releases it, closes the store, or dies.
   */
  tryLease(): Promise<boolean>;
  releaseLease(): Promise<void>;

  // Asking

  /** The file at exactly this path, spelled as on disk. */
  file(view: View, path: VaultPath): Promise<FileRow | undefined>;
  /** Files whose path has this key (`pathKey`): several when names differ only in case. */
  filesByKey(view: View, key: string): Promise<readonly FileRow[]>;
  /** Files whose file name, folded by `foldName`, is one of these; in path order. */
  filesByName(view: View, names: readonly string[]): Promise<readonly FileRow[]>;
  /** The files of these kinds in a folder, at any depth. */
  files(
    view: View,
    request: PageRequest & {
      readonly folder: VaultFolder;
      readonly kinds: readonly FileKind[];
      readonly sort: 'path' | 'name' | 'modified';
      /** Only files that were modified then or later. */
      readonly sinceMs?: number;
      /** Only files that are listed but not on this disk (cloud placeholders). */
      readonly absent?: true;
    },
  ): Promise<Page<FileRow>>;
  /** Each folder that has notes, at any depth, with their number; `''` is the vault itself. */
  noteCounts(view: View): Promise<readonly (readonly [folder: VaultFolder, notes: number])[]>;
  /** The number of files of any kind in a folder, at any depth, and their bytes together. */
  totals(view: View, folder: VaultFolder): Promise<FileTotals>;
  /** The files by kind, and the notes by size. Its cost grows with the vault, but it reads no note. */
  sizes(view: View): Promise<FileSizes>;
  /**
   * Finds notes, canvases and bases by name (without extension) or alias. `exact`: the name is the
   * query. `partial`: one name has every word of the query somewhere. Best first: the same name,
   * names that begin with the query, names with a word that begins with it, names that contain it.
   * Equally good ones are in path order, found by name before found by alias.
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
  /**
   * Some of the links of a file, in the order of its text: all of them, or with `lead` only those
   * that lead to a file, or to none.
   */
  linkPage(
    view: View,
    path: VaultPath,
    page: PageRequest & { readonly lead?: boolean },
  ): Promise<Page<LinkRow>>;
  linksTo(view: View, path: VaultPath, page: PageRequest): Promise<Page<LinkRow>>;
  /**
   * The notes, canvases and bases around a file. Two notes that embed the same attachment are not
   * joined by it. Costs what it answers: of a note with very many links not all are read.
   */
  neighborhood(view: View, path: VaultPath, request: NeighborhoodRequest): Promise<Neighborhood>;
  /** The graph of the whole view; attachments are left out. Its cost grows with the vault. */
  outline(view: View, request: GraphOutlineRequest): Promise<GraphOutline>;
  /**
   * Files that have a link whose last name (`linkSegment`) is one of these, in path order. Takes no
   * view: a rename must also change links that its caller does not see.
   */
  sourcesNaming(segments: readonly string[]): Promise<readonly VaultPath[]>;
  /**
   * Files of a parsed kind whose content the index does not have: not on this disk, too large, or
   * not readable when it was last looked at. In path order. With `byStat` only those of the first two
   * kinds: while a vault is new, most others only wait for their turn.
   */
  unparsed(view: View, options?: { readonly byStat: boolean }): Promise<readonly UnreadRow[]>;
  /** For each of these files, which do not exist: how many links would lead to it if it did. */
  linksMissing(view: View, paths: readonly VaultPath[]): Promise<readonly number[]>;
  /** The targets of links that lead to no file. */
  unresolved(view: View, page: PageRequest): Promise<Page<UnresolvedRow>>;
  /** Each link that leads to no file, by target, then by file, in the order of its text. */
  broken(view: View, page: PageRequest): Promise<Page<BrokenRow>>;
  /** Notes that no other file links to; with `folder`, those in it. */
  orphans(view: View, page: FolderPage): Promise<Page<VaultPath>>;
  /** Attachments that no file links to or embeds; with `folder`, those in it. */
  unused(view: View, page: FolderPage): Promise<Page<VaultPath>>;
  /** Notes with stored facts that link to no other file, existing or not; `folder` as above. */
  deadEnds(view: View, page: FolderPage): Promise<Page<VaultPath>>;
  tags(view: View): Promise<readonly TagRow[]>;
  /**
   * Files with this tag or one nested under it; `tag` without `#`, any case. With `propertiesOnly`,
   * those that have it in the property `tags`.
   */
  filesWithTag(
    view: View,
    tag: string,
    request: PageRequest & { readonly propertiesOnly?: boolean },
  ): Promise<Page<FileRow>>;
  /** Files with this property, in any case; in path order. */
  filesWithProperty(view: View, key: string): Promise<readonly VaultPath[]>;
  /** Files with a base that may have one of these names (`baseTerm`), for the whole vault. */
  basesNaming(terms: readonly string[]): Promise<readonly VaultPath[]>;
  /**
   * The notes that have one of these marks (`marksIn`), or may have one: those of which the index has
   * no facts, or outdated ones. In path order.
   */
  marked(marks: Marks): Promise<readonly VaultPath[]>;
  properties(view: View): Promise<readonly PropertyRow[]>;
  aliases(view: View, page: PageRequest): Promise<Page<AliasRow>>;
  /** The wanted tasks, by path, then line, unless they are sorted by a date. */
  tasks(
    view: View,
    request: TaskRequest,
  ): Promise<TaskPage<TaskRecord & { readonly path: VaultPath }>>;
  /** Facts of many files, for queries; in path order. */
  queried(view: View, request: FactsRequest): Promise<Json<readonly FileFacts[]>>;
  /** Undefined when the index has no facts of that file. */
  facts(path: VaultPath): Promise<FactsRow | undefined>;
  /** The files that look like conflict copies (`FileRow.conflictOf`). */
  conflicts(view: View): Promise<readonly FileRow[]>;
  /** What the scan found wrong with files (`NoteRecord.problems`). */
  problems(view: View, page: PageRequest): Promise<Page<ProblemRow>>;
  /**
   * The files that match a query, best first. Notes whose name or alias is the query come before
   * all others, conflict copies last, equal scores in path order. For a query that only the texts
   * can decide (`needsText`), all files that may match.
   */
  search(view: View, query: Query, page: PageRequest): Promise<SearchPage>;
  /**
   * Everything in the index as sorted lines of text that depend only on the vault: two indexes are
   * equal when their lines are.
   */
  dump(onLines: (lines: readonly string[]) => void): Promise<void>;
  close(): Promise<void>;
}

/** Whether an error says that the index file itself is damaged, so that it has to be rebuilt. */
export function isIndexDamage(error: unknown): boolean {
  return error instanceof VaultError && error.details['damaged'] === true;
}

/** Whether an error says that the index cannot be used at all, as with a full disk. */
export function isIndexUnusable(error: unknown): error is VaultError {
  return error instanceof VaultError && error.details['unusable'] === true;
}
