import type { FileChange } from '../../engine/vault/draft.ts';

/** Files by path, what the change was about before what only follows. */
export function filesInOrder<
  File extends { readonly path: string; readonly did: FileChange['did'] },
>(files: readonly File[]): File[] {
  const follows = ({ did }: File): number => (did === 'changed' ? 1 : 0);
  return files.toSorted(
    (a, b) => follows(a) - follows(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0),
  );
}
