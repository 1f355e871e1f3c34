import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import type { View } from './view.ts';

/** Which notes an outline of the graph has. */
export interface GraphOutlineRequest {
  /** The folder that the view is limited to; its folders are summed up. */
  readonly folder: VaultFolder;
  /** Only notes with this tag, or one nested under it. */
  readonly tag?: string | undefined;
  /** How many notes to answer at most. */
  readonly limit: number;
  /** How many lines between notes, and between folders, to answer at most. */
  readonly linesMax: number;
  /** How many folders to answer at most. */
  readonly foldersMax: number;
}

/** The notes of the vault, or of a part of it, and the links between them, for drawing. */
export interface GraphOutline {
  /** How many notes there are, and how many of them `nodes` has: those with the most links. */
  readonly notes: number;
  readonly drawn: number;
  readonly nodes: readonly (readonly [path: VaultPath, folder: VaultFolder, degree: number])[];
  /** How many pairs of `nodes` are linked. */
  readonly pairs: number;
  /** These pairs, or the first of them, as positions in `nodes`: from, to, from, to … */
  readonly edges: readonly number[];
  /** How many folders directly below have notes. */
  readonly groups: number;
  /** The largest of them, each with the links of its notes, among each other and to others. */
  readonly folders: readonly {
    readonly folder: VaultFolder;
    readonly notes: number;
    readonly links: number;
  }[];
  /** How many pairs of `folders` are linked. */
  readonly lines: number;
  /** Those with the most links between them, as positions in `folders`. */
  readonly between: readonly (readonly [one: number, other: number, links: number])[];
}

/** What two notes have in common. */
export interface CommonGround {
  /**
   * `linked`: one links to the other. `target`: both link to this file. `source`: this file links to
   * both. `tag` and `word`: both have it. `meaning`: an embedding model finds them alike.
   */
  readonly by: 'linked' | 'target' | 'source' | 'tag' | 'word' | 'meaning';
  /** The path, tag or word; empty for `linked` and `meaning`. */
  readonly what: string;
}

export interface RelatedRow {
  readonly path: VaultPath;
  /** Higher is closer; comparable within one answer only. */
  readonly score: number;
  /** What weighs most first. */
  readonly common: readonly CommonGround[];
}

/** The part of the index that finds notes which have something in common. */
export interface RelatedStore {
  /**
   * The notes and canvases closest to a file by shared links, tags and rare words, closest first. What
   * few notes have counts more. `words` are those of the file, folded. What very
   * many notes share is left out.
   */
  related(
    view: View,
    path: VaultPath,
    request: { readonly words: readonly string[]; readonly limit: number },
  ): Promise<readonly RelatedRow[]>;
}
