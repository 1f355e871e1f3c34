import type { Json } from '../../base/json.ts';
import type { VaultPath } from '../../base/vault-path.ts';
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
