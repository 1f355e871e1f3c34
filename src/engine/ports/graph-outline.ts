import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';

/** Which notes an outline of the graph has. */
export interface GraphOutlineRequest {
  /** The folder that the view is limited to; its folders are summed up. */
  readonly folder: VaultFolder;
  /** Only notes with this tag, or one nested under it. */
  readonly tag?: string | undefined;
  /** How many notes to answer at most. */
  readonly limit: number;
}

/** The notes of the vault, or of a part of it, and the links between them, for drawing. */
export interface GraphOutline {
  /** How many notes there are, and how many of them `nodes` has: those with the most links. */
  readonly notes: number;
  readonly drawn: number;
  readonly nodes: readonly (readonly [path: VaultPath, folder: VaultFolder, degree: number])[];
  /** Pairs of positions in `nodes`: from, to, from, to … */
  readonly edges: readonly number[];
  /** All notes by the folders directly below, each with its links, among each other and to others. */
  readonly folders: readonly {
    readonly folder: VaultFolder;
    readonly notes: number;
    readonly links: number;
  }[];
  /** How many links there are between two of `folders`, by their positions. */
  readonly between: readonly (readonly [one: number, other: number, links: number])[];
}
