import type { FilesByName } from './note-work.ts';
import type { FileKind } from './records.ts';

/** Files that move, and the files of each name that a link may ask for, before and after. */
export interface MovedFiles {
  readonly moves: ReadonlyMap<string, string>;
  readonly before: FilesByName;
  readonly after: FilesByName;
}

/** What the bases in a file follow: the rename of a property, a tag, a folder, or files. */
export interface BasesRename {
  readonly kind: FileKind;
  readonly property?: { readonly from: string; readonly to: string };
  readonly tag?: { readonly from: string; readonly to: string };
  readonly folder?: { readonly from: string; readonly to: string };
  /** `path` is that of the file with the bases, before the move. */
  readonly files?: MovedFiles & { readonly path: string };
}

export interface RenamedBases {
  readonly text: string;
  /** How many names were changed. */
  readonly count: number;
}

/** `both`: the note has both names, so that one value would be lost. */
export type RenamedProperty =
  | { readonly did: 'renamed'; readonly text: string }
  | { readonly did: 'nothing' | 'both' };
