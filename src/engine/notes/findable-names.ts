import type { VaultPath } from '../../base/vault-path.ts';
import { fileNameOf, foldName } from '../../base/vault-path.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { BoundVault } from '../vault/bound-vault.ts';

/**
 * Returns for each file a name that `findNote` finds it by: its name without `.md` where no other
 * file that the caller sees could be meant, else its path. In the order of `paths`.
 */
export async function findableNames(
  vault: BoundVault,
  paths: readonly VaultPath[],
): Promise<readonly string[]> {
  const names = Array.from(new Set(paths.map(nameOf)), foldName);
  const rows = await vault.askNow((store) =>
    store.filesByName(
      vault.view(),
      names.flatMap((name) => [name, `${name}.md`]),
    ),
  );
  const filesCalled = new Map<string, number>();
  for (const { path } of rows) {
    for (const name of new Set([foldName(nameOf(path)), foldName(fileNameOf(path))])) {
      filesCalled.set(name, (filesCalled.get(name) ?? 0) + 1);
    }
  }
  return paths.map((path) => {
    const name = nameOf(path);
    // `findNote` trims a name, so it would not find one with spaces around it.
    return filesCalled.get(foldName(name)) === 1 && name.trim() === name ? name : path;
  });
}

function nameOf(path: VaultPath): string {
  const name = fileNameOf(path);
  return fileKind(path) === 'note' ? name.slice(0, -'.md'.length) : name;
}

/** A file whose name is similar to one that was not found. */
export interface CloseName {
  /** A name that `findNote` finds it by. */
  readonly name: string;
  readonly path: VaultPath;
  /** The alias that is similar, where it is not the name. */
  readonly alias?: string;
}

/**
 * Returns the names and aliases most similar to one that was not found, best first; none when
 * nothing is similar. Uses the index as it is now, without waiting. The cost grows with the number
 * of names.
 */
export async function closestNames(
  vault: BoundVault,
  asked: string,
  limit: number,
): Promise<readonly CloseName[]> {
  const rows = await vault.askNow((store) => store.closest(vault.view(), asked, limit));
  const names = await findableNames(
    vault,
    rows.map(({ path }) => path),
  );
  return rows.map((row, at) => ({ name: names[at] ?? row.path, ...row }));
}
