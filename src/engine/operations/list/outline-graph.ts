import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';

/** The notes of the vault, or of a part of it, and the links between them, for drawing. */
export interface GraphOutline {
  /** How many notes there are, and how many of them `nodes` has: those with the most links. */
  readonly notes: number;
  readonly drawn: number;
  readonly nodes: readonly (readonly [path: VaultPath, folder: VaultFolder, degree: number])[];
  /** Pairs of positions in `nodes`: from, to, from, to … */
  readonly edges: readonly number[];
  /** The folders directly below, each with all its notes and the links between them and others. */
  readonly folders: readonly {
    readonly folder: VaultFolder;
    readonly notes: number;
    readonly links: number;
  }[];
}
