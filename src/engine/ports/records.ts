import type { Json } from '../../base/json.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { NoteDetail } from './note-detail.ts';

/** What a stat tells about a file, and all that is needed to know whether it changed. */
export interface FileStat {
  readonly size: number;
  readonly mtimeMs: number;
  readonly birthMs: number;
  /** Inode, size, mtime and ctime in nanoseconds as one opaque text; equal means unchanged. */
  readonly stamp: string;
  /** False for a file that is listed but not here (a cloud placeholder): never read to index. */
  readonly present: boolean;
}

/** A file as the walk finds it. */
export interface FileEntry extends FileStat {
  readonly path: VaultPath;
}

/** `note` is Markdown; `canvas` and `base` are parsed for links; the rest is known by name. */
export type FileKind = 'note' | 'canvas' | 'base' | 'attachment';

/** Where in a note a link stands. */
export type LinkPlace = 'body' | 'property' | 'definition' | 'canvas' | 'base';

/** A link as the index keeps it. Display text is read from the file when it is needed. */
export interface LinkRecord {
  readonly place: LinkPlace;
  readonly embed: boolean;
  /** Decoded path as written, without subpath; empty for a link inside the same file. */
  readonly path: string;
  readonly subpath: string;
  /** The dotted property, or the canvas node's id; absent elsewhere. */
  readonly key?: string;
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
  readonly status: string;
  readonly line: number;
}

/**
 * The facts of one parsed file that the index keeps: what is searched across files as such, and
 * what is asked for one file at a time as `detail`, which the index gives back as it is.
 */
export interface NoteRecord {
  readonly path: VaultPath;
  /** The file's stamp when it was read: a record for an older stamp is not stored. */
  readonly stat: FileStat;
  /** Set only when the file was read within `limits.racyMs` of its own mtime. */
  readonly racy?: true;
  /** The paths that links write, each once, in order of first place. */
  readonly linked: readonly string[];
  /** How often each of them is written. */
  readonly linkedCounts: readonly number[];
  /** Without the `#`, each spelling once, in order of first place, with how often. */
  readonly tags: readonly (readonly [tag: string, count: number])[];
  readonly aliases: readonly string[];
  readonly properties: readonly (readonly [key: string, type: PropertyType])[];
  /** Problem codes with their messages, for `check`. */
  readonly problems: readonly { readonly code: string; readonly message: string }[];
  readonly detail: Json<NoteDetail>;
}

/** The text of one file, folded, for full text search; the index has title and headings already. */
export interface TextRecord {
  readonly path: VaultPath;
  readonly stamp: string;
  readonly body: string;
}
