import type { Json } from '../../base/json.ts';
import type { TextRange } from '../../base/text-range.ts';
import type { PropertyValue } from '../../markdown/facts/facts.ts';
import type { CachedMetadata, CachedPosition } from '../../markdown/scan/cached-metadata.ts';
import type { Section } from '../../markdown/scan/sections.ts';
import type { TextEdit } from '../../markdown/text/text-edit.ts';
import type { BasesRename, RenamedBases, RenamedProperty } from './bases-rename.ts';
import type { CopyToMerge, MergedCopy, SidesChosen } from './copy-to-merge.ts';
import type { Page, PageRequest } from './index-store.ts';
import type { FileKind, HeadingRecord, NoteItem, TaskRecord } from './records.ts';
import type { TaskPage, TaskRequest } from './task-request.ts';
import type { Marks } from './view.ts';

/**
 * Work on the text of one file that costs more the larger the text is. Each task takes the text
 * first, or an object with texts or bytes, and is a pure function, so that it can be done in another
 * thread. It answers a text or little else: copying many small values would hold the main thread.
 */
export interface NoteWork {
  /** Some of the headings of a note; lines count from 1. */
  headings(text: string, page: PageRequest): Page<HeadingRecord>;
  /**
   * The section that a caller means, as `findSection` finds it, and the line of its heading, from
   * 1.
   */
  section(text: string, asked: string): Section & { readonly line: number };
  /** The text of the heading that a subpath names, or else the texts of the first headings. */
  heading(
    text: string,
    subpath: string,
  ):
    | { readonly found: string }
    | { readonly found?: undefined; readonly others: readonly string[] };
  /** The first places of links with one of these paths, with the text around each. */
  linkingLines(text: string, wanted: WantedLinks): readonly LinkingLine[];
  /** The links that begin at these places, as they are written. */
  linkTexts(
    text: string,
    wanted: {
      readonly kind: FileKind;
      readonly starts: ReadonlySet<number>;
      readonly charsMax: number;
    },
  ): readonly LinkText[];
  /**
   * Every different link of a note, or of one section of it, that may lead to a file with this
   * folded name or to its own note, with its first line, from 1.
   */
  links(
    text: string,
    of: { readonly name: string; readonly section?: string },
  ): readonly { readonly path: string; readonly subpath: string; readonly line: number }[];
  /** The tags of a file, each spelling once, as `writtenTags` finds them. */
  tags(text: string, kind: FileKind): WrittenTags;
  /** Which of these marks a file has; see `marksIn`. */
  marks(text: string, kind: FileKind, marks: Marks): readonly string[];
  /** What a change does to the marks of a file; see `changedMarks`. */
  changedMarks(
    before: MarkedText | undefined,
    after: MarkedText | undefined,
    marks: Marks,
  ): ChangedMarks;
  /** The tags of a file with `#`, each spelling once, and its aliases. */
  labels(
    text: string,
    kind: FileKind,
  ): { readonly tags: readonly string[]; readonly aliases: readonly string[] };
  words(text: string): { readonly words: number; readonly characters: number };
  /**
   * Some of the tasks of a note; with `lines` (from 0), only those on one of these lines; with
   * `called`, only those with this text, or else those that contain it, without regard to case.
   */
  tasks(
    text: string,
    request: TaskRequest & { readonly lines?: ReadonlySet<number>; readonly called?: string },
  ): TaskPage<NoteTask>;
  /** The items of all lists of a note; see `listItems`. */
  items(text: string): Json<readonly NoteItem[]>;
  /** Puts a text into a note. */
  place(text: string, put: TextToPlace): PlacedText;
  /** The properties of a note in their order, or the first problem when they are not valid YAML. */
  properties(text: string): {
    readonly problem?: string;
    readonly entries: readonly (readonly [key: string, value: PropertyValue])[];
  };
  /** Edits that set a property, and its name as the note spells it. */
  setProperty(
    text: string,
    asked: string,
    value: PropertyValue,
  ): { readonly key: string; readonly edits: readonly TextEdit[] };
  removeProperty(text: string, key: string): readonly TextEdit[];
  /** Edits that set properties, or remove those whose value is null. */
  setProperties(
    text: string,
    entries: readonly (readonly [key: string, value: PropertyValue])[],
  ): readonly TextEdit[];
  /** See `mergeTemplate`. */
  mergeProperties(text: string, filled: string): string;
  /** See `rewriteLinks`. */
  rewriteLinks(text: string, change: LinkChange): RewrittenText | undefined;
  /** See `unlinkText`. */
  unlink(text: string, request: LinkTarget): UnlinkedText;
  /** The last names (`linkSegment`) of the links of a file, each once. */
  linkedNames(text: string, kind: FileKind): readonly string[];
  /** See `unifiedDiff`. */
  diff(file: FileDiff): string;
  /** The first lines of that diff, and how many more there are. */
  diffExcerpt(file: FileDiff): string;
  /** See `mergeContents`. */
  merge(contents: ContentsToMerge): MergedContent | undefined;
  /** See `mergeCopy` in `engine/heavy`. */
  mergeCopy(files: CopyToMerge, chosen: SidesChosen): MergedCopy | undefined;
  /** See `lineHashes` in `engine/heavy`. */
  lineHashes(content: { readonly bytes: Uint8Array }): Uint32Array | undefined;
  /** See `nearestLines`. */
  nearestLines(text: string, find: string, options: { from: number; max: number }): number[];
  /** Renames a tag and those nested under it; see `renameTag` in `markdown/edits`. */
  renameTag(
    text: string,
    rename: { readonly from: string; readonly to: string },
  ): { readonly text: string; readonly count: number };
  /** The text of a note whose property has another name; see `renameProperty`. */
  renameProperty(
    text: string,
    rename: { readonly from: string; readonly to: string },
  ): RenamedProperty;
  /** The paths of the links that are written in the bases of a file. */
  baseLinkPaths(text: string, kind: FileKind): readonly string[];
  /** See `renameInBases`. */
  renameInBases(text: string, request: BasesRename): RenamedBases | undefined;
  /** For each tag, the first lines of the text (from 1) on which it is written. */
  tagLines(text: string, tags: readonly string[]): readonly (readonly number[])[];
  /** See `renamePart` in `engine/moves`. */
  renamePart(text: string, rename: PartRename): RenamedPartText;
  /** See `subpathsTo`. */
  subpathsTo(text: string, to: LinkTarget): readonly string[];
  /** See `renameInLinks`. */
  renameInLinks(text: string, change: SubpathChange): RewrittenSubpaths | undefined;
  /**
   * The headings that begin with what was typed, then those that contain it, as `findSection` takes
   * them.
   */
  headingNames(
    text: string,
    typed: string,
    limit: number,
  ): { readonly total: number; readonly values: readonly string[] };
  /** Everything known about the text of a file; large, but only `vaultdoor facts` asks for it. */
  facts(text: string, kind: FileKind): TextFacts;
}

/** Does the work elsewhere, and ends it when the signal is aborted. */
export interface NoteWorker {
  run<Task extends keyof NoteWork>(
    task: Task,
    args: Parameters<NoteWork[Task]>,
    signal: AbortSignal,
  ): Promise<ReturnType<NoteWork[Task]>>;
  close(): Promise<void>;
}

export interface WantedLinks {
  readonly kind: FileKind;
  readonly links: ReadonlySet<string>;
  readonly limit: number;
  /** How many characters of a line are shown. */
  readonly charsMax: number;
}

/** A line with a link. */
export interface LinkingLine {
  /** Counted from 1. */
  readonly line: number;
  /** The line without its line end; of a long line, the part around the link. */
  readonly text: string;
}

/** A link as it is written. */
export interface LinkText {
  /** Where it begins in the text. */
  readonly start: number;
  /** On one line; a long one is cut. */
  readonly text: string;
  /** The heading above it; absent before the first. */
  readonly heading?: string;
}

/** The tags of one file as they are written, without `#`, in their order. */
export interface WrittenTags {
  readonly inProperties: readonly string[];
  readonly inText: readonly string[];
  /** Whether the properties have a `description` with text in it. */
  readonly isDescribed: boolean;
}

/** A task in the text of a note; its line is counted from 0. */
export interface NoteTask extends TaskRecord {
  /** The place of that character. */
  readonly statusRange: TextRange;
  /** The text after the brackets, on the same line. */
  readonly text: string;
  /** The heading above the task; absent before the first heading. */
  readonly heading?: string;
}

/**
 * A text, and where to put it: at the end or the beginning of the body, in place of the body, or at
 * the end of a section or in place of its content. `inline` adds no line ends.
 */
export interface TextToPlace {
  readonly added: string;
  readonly at: 'end' | 'start' | 'body' | { readonly end: string } | { readonly content: string };
  readonly inline?: boolean;
}

/** A note into which a text was put. */
export interface PlacedText {
  readonly text: string;
  /** The line on which the new text begins, from 1. */
  readonly line: number;
  /** Code or a comment that the new text stands in, or opens and does not close. */
  readonly hiding?: {
    readonly how: 'inside' | 'opened';
    readonly what: 'code' | 'comment';
    /** Where it begins, from 1. */
    readonly line: number;
  };
  /** Whether the note now begins with a block of properties and did not before. */
  readonly hasNewProperties: boolean;
}

/** How a change affects the names of files, and so the targets of links. */
export interface LinkChange {
  /** The file with the links, at its path before the change. */
  readonly path: string;
  /** The old paths of the files that move, with their new paths. */
  readonly moves: ReadonlyMap<string, string>;
  /**
   * The folded names of files that are created, removed or moved: links with other names stay as
   * they are.
   */
  readonly names: ReadonlySet<string>;
  /** The files of each name that a link may ask for, before and after the change. */
  readonly before: FilesByName;
  readonly after: FilesByName;
  /** Names that were looked up as well: where `before` or `after` lacks one, no file has it. */
  readonly asked?: ReadonlySet<string>;
  readonly settings: LinkSettings;
}

export type FilesByName = ReadonlyMap<string, readonly { readonly path: string }[]>;

/** The vault's settings about the format of links. */
export interface LinkSettings {
  readonly newLinkFormat: 'shortest' | 'relative' | 'absolute';
}

export interface RewrittenText {
  readonly text: string;
  /** The number of links that have changed. */
  readonly rewritten: number;
}

/** A file with links, the file that they lead to, and the files of each name that they may ask for. */
export interface LinkTarget {
  readonly path: string;
  readonly target: string;
  readonly files: FilesByName;
}

/** A text in which links have become plain text. Lines count from 1. */
export interface UnlinkedText {
  readonly text: string;
  /** The lines of all links to the file. */
  readonly lines: readonly number[];
  /** The links that stay, because they cannot be text. */
  readonly left: readonly {
    readonly line: number;
    readonly kind: 'embed' | 'canvas' | 'base' | 'link';
  }[];
  readonly unlinked: number;
  /** How many definitions of reference links stay. */
  readonly definitions: number;
}

/** One file before and after a change. */
export interface FileDiff {
  /** Absent for a new file. */
  readonly from?: string;
  /** Absent for a file that was deleted. */
  readonly to?: string;
  /** Absent where the content did not change, as in a move. */
  readonly before?: string | Uint8Array;
  readonly after?: string | Uint8Array;
  /** Set when the history no longer has the contents; the diff then says so. */
  readonly lost?: boolean;
  /** Set when `before` and `after` are only the ends of the file, from this byte on. */
  readonly endFrom?: number;
}

/** A file before and after a change that is to be taken back, and as it is now. */
export interface ContentsToMerge {
  readonly kind: FileKind;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly now: Uint8Array;
}

/**
 * A content without that change; `bytes` is absent when `now` is without it already. Or, where its lines
 * were changed since and the change only gave links other paths, the last names of these (`linkName`).
 */
export type MergedContent =
  | { readonly bytes?: Uint8Array }
  | { readonly renamed: readonly (readonly [from: string, to: string])[] };

/** A part of a note and its new name: a heading as `findSection` takes it, or the id of a block. */
export type NotePart =
  | { readonly heading: string; readonly newHeading: string }
  | { readonly block: string; readonly newBlock: string };

/** A part of a note that is renamed, and the subpaths of links to the note. */
export interface PartRename {
  readonly path: string;
  readonly part: NotePart;
  readonly subpaths: readonly string[];
}

export interface RenamedPartText {
  readonly edits: readonly TextEdit[];
  /** Those of the subpaths that change or are no longer clear. */
  readonly subpaths: ReadonlyMap<string, NewSubpath>;
}

/** What becomes of a subpath; `clear` is false when it leads to another heading now. */
export interface NewSubpath {
  readonly subpath: string;
  readonly clear: boolean;
}

/** A file with links, the new subpaths of those to the target, and other edits of its text. */
export interface SubpathChange extends LinkTarget {
  readonly subpaths: ReadonlyMap<string, NewSubpath>;
  readonly edits: readonly TextEdit[];
}

export interface RewrittenSubpaths {
  readonly text: string;
  /** The number of links that changed, or went away with the text that they were in. */
  readonly rewritten: number;
  /** The number of links that lead to another heading now. */
  readonly misled: number;
}

/** What is known about a text. `docs/facts.md` describes it field by field. */
export interface TextFacts {
  /** In the shape of Obsidian's own metadata cache. */
  readonly facts: CachedMetadata;
  /**
   * All tags as the app's `getAllTags` lists them: those of the properties first, repeats included.
   */
  readonly allTags: readonly string[];
  /**
   * The tags as the app's `parseFrontMatterTags` lists them: null when the property is missing or
   * empty.
   */
  readonly propertyTags: readonly string[] | null;
  /** The path that each link text asks for. */
  readonly links: ReadonlyMap<string, string>;
  readonly more: MoreFacts;
}

/** Facts that the app's cache does not have. */
interface MoreFacts {
  readonly aliases: readonly Placed<{ readonly alias: string }>[];
  readonly properties: readonly Placed<{ readonly key: string }>[];
  readonly propertyTags: readonly Placed<{ readonly tag: string }>[];
  readonly propertyLinks: readonly Placed<{ readonly key: string; readonly link: string }>[];
  readonly headingSections: readonly Placed<{ readonly path: readonly string[] }>[];
  readonly callouts: readonly Placed<{ readonly type: string; readonly title: string }>[];
  readonly comments: readonly Placed<unknown>[];
  readonly code: readonly Placed<unknown>[];
  readonly problems: readonly Placed<{ readonly code: string; readonly message: string }>[];
}

type Placed<T> = T & { readonly position: CachedPosition };

/** The text of a file whose marks are compared. */
export interface MarkedText {
  readonly text: string;
  readonly kind: FileKind;
}

/** What a change does to the marks of a file: those that it had before, and the new ones. */
export interface ChangedMarks {
  readonly had: readonly string[];
  readonly added: readonly string[];
}
