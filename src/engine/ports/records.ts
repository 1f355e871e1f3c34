import type { Json } from '../../base/json.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import type { PropertyValue } from '../../markdown/facts/facts.ts';
import type { TaskDates } from '../../markdown/facts/task-fields.ts';
import type { NoteDetail } from './note-detail.ts';

/** What a stat says about a file; its `stamp` shows later whether the file has changed since. */
export interface FileStat {
  readonly size: number;
  readonly mtimeMs: number;
  readonly birthMs: number;
  /** Inode, size, mtime and ctime in nanoseconds as one opaque text; equal means unchanged. */
  readonly stamp: string;
  /** False for a file that is listed but not on this disk (a cloud placeholder): it is not read. */
  readonly present: boolean;
  /**
   * Set when a symlink leads from the path to this other path of the vault, or to `elsewhere`: a
   * caller may see the file only if it may see both.
   */
  readonly leadsTo?: VaultPath;
}

/** A file as the walk finds it. */
export interface FileEntry extends FileStat {
  readonly path: VaultPath;
}

/** `note` is Markdown; `canvas` and `base` are parsed for links; others are known by name only. */
export type FileKind = 'note' | 'canvas' | 'base' | 'attachment';

/** Where in a file a link is. */
export type LinkPlace = 'body' | 'property' | 'definition' | 'canvas' | 'base';

/** A link as the index keeps it. Display text is read from the file when it is needed. */
export interface LinkRecord {
  readonly place: LinkPlace;
  readonly embed: boolean;
  /** The decoded path as written, without subpath; empty for a link inside the same file. */
  readonly path: string;
  /** From the first `#` on: `#Heading`, `#^block`; empty for none. */
  readonly subpath: string;
  /** The dotted property, or the canvas node's id; absent elsewhere. */
  readonly key?: string;
  /** Where the link is in the text: UTF-16 units, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

export type PropertyType =
  | 'text'
  | 'list'
  | 'number'
  | 'checkbox'
  | 'date'
  | 'datetime'
  | 'object'
  | 'empty';

export interface HeadingRecord {
  readonly level: number;
  readonly text: string;
  readonly line: number;
}

export interface TaskRecord {
  /** The character between the brackets: a space for an open task. */
  readonly status: string;
  readonly line: number;
  /** Absent when the task has none. */
  readonly dates?: TaskDates;
  /** The tags on its line, without `#`; absent when there are none. */
  readonly tags?: readonly string[];
}

/**
 * The facts of one parsed file that the index keeps. What is searched across files has fields of
 * its own; the rest is in `detail`, which the index stores and gives back without reading it.
 */
export interface NoteRecord {
  readonly path: VaultPath;
  /** The file's stat when it was read. The index does not store a record with an outdated stamp. */
  readonly stat: FileStat;
  /**
   * Set when the file was read within `limits.racyMs` of its own mtime: a write just after the read
   * may have left the same stamp, so the file is read again the next time.
   */
  readonly racy?: true;
  /** The paths of links as written, each once, in order of first occurrence. */
  readonly linked: readonly string[];
  /** How many links have each of these paths. */
  readonly linkedCounts: readonly number[];
  /** Without the `#`, each spelling once with its count, in order of first occurrence. */
  readonly tags: readonly (readonly [tag: string, count: number])[];
  readonly aliases: readonly string[];
  readonly properties: readonly (readonly [key: string, type: PropertyType])[];
  /** The text of its bases (`baseText`); absent where it has none. */
  readonly bases?: string;
  /** Problem codes with their messages, for `check`. */
  readonly problems: readonly { readonly code: string; readonly message: string }[];
  readonly detail: Json<NoteDetail>;
}

/**
 * The folded text (`foldText`) of one file for full text search, without title and headings, which
 * the index already has.
 */
export interface TextRecord {
  readonly path: VaultPath;
  readonly stamp: string;
  readonly body: string;
}

/** The walk number (`IndexStore.seen`) for single files: no walk has this number. */
export const noWalk = 0;

/** A file whose content the index does not have, and why. */
export interface UnreadRow {
  readonly path: VaultPath;
  readonly reason: string;
}

/** Something that the scan found wrong with a file. */
export interface ProblemRow {
  readonly path: VaultPath;
  readonly code: string;
  readonly message: string;
}

export interface AliasRow {
  readonly alias: string;
  readonly path: VaultPath;
}

/** The parts of `FileFacts` that the index has, and reads only when they are wanted. */
export type StoredPart =
  | 'size'
  | 'mtimeMs'
  | 'birthMs'
  | 'properties'
  | 'tags'
  | 'links'
  | 'backlinks'
  | 'tasks';

/** The parts of `FileFacts`; the items of lists are read from the file itself. */
export type FactPart = StoredPart | 'items';

/** What a query over notes knows of one file. */
export interface FileFacts {
  readonly path: VaultPath;
  readonly size?: number;
  /** Whole milliseconds. */
  readonly mtimeMs?: number;
  readonly birthMs?: number;
  /** Whether the conditions by which the file was found decide that it is asked for. */
  readonly sure?: boolean;
  /** In the order in which they are written. Attachments have none. */
  readonly properties?: readonly (readonly [
    key: string,
    type: PropertyType,
    value: PropertyValue,
  ])[];
  /** Without `#`, each once: those of the properties first, then those of the text. */
  readonly tags?: readonly string[];
  /** Those of the text in their order, then those of the properties. */
  readonly links?: readonly FactLink[];
  /** The files that link to this one, in path order. */
  readonly backlinks?: readonly VaultPath[];
  /** How many tasks it has. */
  readonly tasks?: number;
  /** The items of its lists, in order. */
  readonly items?: readonly NoteItem[];
}

/** An item of a list in a note, a task or not. Lines count from 0. */
export interface NoteItem {
  readonly line: number;
  readonly lineCount: number;
  /** The line of the item that contains this one; absent at the top of a list. */
  readonly parent?: number;
  /** Its `-`, `*`, `+` or number. */
  readonly symbol: string;
  /** The text of its first line. */
  readonly text: string;
  /** The character between the brackets of a task; absent when the item is no task. */
  readonly status?: string;
  readonly dates?: TaskDates;
  /** The tags on its first line, with `#`. */
  readonly tags?: readonly string[];
  /** The links on its first line. */
  readonly links?: readonly Pick<FactLink, 'path' | 'subpath' | 'display' | 'embed'>[];
  /** The heading above it. */
  readonly heading?: string;
  /** Its `^id`, without the caret. */
  readonly id?: string;
}

/** A link of a file, with the file that it leads to. */
export interface FactLink {
  readonly place: LinkPlace;
  readonly embed: boolean;
  /** As in `LinkRecord`. */
  readonly path: string;
  readonly subpath: string;
  /** The text shown in place of the target, if one is written. */
  readonly display?: string;
  /** Absent when the link leads to no file that the view admits. */
  readonly target?: VaultPath;
}

/**
 * Conditions that the index can decide; files must meet all of them. They narrow a query down, and
 * the query itself still decides about every file that is left.
 */
export interface FactConditions {
  /** Only files in one of these folders, at any depth. */
  readonly folders?: readonly VaultFolder[];
  /** For each list: only files with one of these tags or one nested under it, without `#`. */
  readonly tags?: readonly (readonly string[])[];
  /** For each path: only files that link to it. */
  readonly linksTo?: readonly VaultPath[];
  /** For each name: only files that have the property, in any case. */
  readonly properties?: readonly string[];
  /** Only files with one of these extensions, in lower case and without the dot. */
  readonly extensions?: readonly string[];
  /** Only files that were modified then or later. */
  readonly sinceMs?: number;
  /** Only notes that have a task. */
  readonly hasTasks?: boolean;
  /** For each: only notes with a value that meets it. */
  readonly values?: readonly ValueCondition[];
  /** For each list: only files that meet one of these. */
  readonly anyOf?: readonly (readonly FactConditions[])[];
  /** Whether the files that meet all of these conditions are exactly those that are asked for. */
  readonly decisive?: boolean;
}

/**
 * What the value of a property must be. The name is in lower case; texts are compared as they are.
 *
 * - `equal`: one of these, as the whole value.
 * - `number`: a number in this range, the ends excluded or not.
 * - `text`: a text from here on, up to but not including `before`. Finds more than is asked for.
 * - `lists`: a list with one of these, or with a link to this file. Finds more than is asked for.
 */
export type ValueCondition = { readonly name: string } & (
  | { readonly equal: readonly (string | number)[] }
  | { readonly number: { readonly operator: '<' | '<=' | '>' | '>='; readonly than: number } }
  | { readonly text: { readonly from: string; readonly before?: string } }
  | {
      readonly lists:
        | { readonly oneOf: readonly (string | number)[] }
        | { readonly linkTo: VaultPath };
    }
);

/**
 * Which facts a query wants, and of which files: of those at `paths`, or else of those that meet the
 * conditions, at most `limit` after a path.
 */
export type FactsRequest = { readonly parts: readonly StoredPart[] } & (
  | { readonly paths: readonly string[] }
  | {
      readonly paths?: undefined;
      readonly conditions: FactConditions;
      readonly after?: string;
      readonly limit: number;
    }
);
