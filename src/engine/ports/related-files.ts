import type { VaultPath } from '../../base/vault-path.ts';
import type { View } from './view.ts';

/** What two notes have in common. */
export interface CommonGround {
  /**
   * `linked`: one links to the other. `target`: both link to this file. `source`: this file links to
   * both. `tag` and `word`: both have it.
   */
  readonly by: 'linked' | 'target' | 'source' | 'tag' | 'word';
  /** The path, tag or word; empty for `linked`. */
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
   * few notes have counts more. `words` are those of the file, folded. Costs what the file has, not what the vault has: what very many notes share is left out.
   */
  related(
    view: View,
    path: VaultPath,
    request: { readonly words: readonly string[]; readonly limit: number },
  ): Promise<readonly RelatedRow[]>;
}
