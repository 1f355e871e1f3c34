import type { VaultPath } from '../../base/vault-path.ts';

/**
 * What happened to a file, a folder or a symlink. What was renamed is deleted and created; what is in
 * a folder that came or went has events of its own, after or before those of the folder.
 */
export type FileEvent =
  | {
      readonly event: 'created' | 'modified';
      readonly path: VaultPath;
      /** Whole milliseconds. */
      readonly mtimeMs: number;
    }
  | { readonly event: 'deleted'; readonly path: VaultPath };
