import type { VaultPath } from '../../base/vault-path.ts';
import { fileNameOf, foldName } from '../../base/vault-path.ts';
import { linkName } from '../links/resolve-link.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { Draft } from '../vault/draft.ts';
import { namesAfter, namesAround } from './rewrite-links.ts';

/**
 * Prepares to rewrite links that lead to files which this draft has moved already, from the keys of
 * `moves` to their values, so that each leads to the same file as before. The function does so in one
 * file and answers how many links it rewrote; undefined when one cannot be written so that it leads
 * there, and then the file stays as it is.
 */
export function linkFollower(
  draft: Draft,
  moves: ReadonlyMap<VaultPath, VaultPath>,
): (path: VaultPath) => Promise<number | undefined> {
  const back = new Map(Array.from(moves, ([from, to]) => [to, from]));
  const names = new Set<string>();
  /** The names that the moved files of a name have now. */
  const newNames = new Map<string, Set<string>>();
  for (const [from, to] of moves) {
    const [before, after] = [nameOf(from), nameOf(to)];
    names.add(before).add(after);
    newNames.set(before, (newNames.get(before) ?? new Set()).add(after));
  }
  const namesBefore = namesAfter(back);
  return async (path) => {
    const { text } = await draft.read(path);
    const linked = await draft.vault.work('linkedNames', text, fileKind(path));
    const moved = linked.flatMap((name) =>
      [name, `${name}.md`].flatMap((each) => Array.from(newNames.get(each) ?? [])),
    );
    const segments = moved.flatMap((name) => [name, name.replace(/\.md$/, '')]);
    const asked = new Set([...linked, ...segments].flatMap(namesAround));
    const byName = await draft.byName(asked);
    const after = new Map(Array.from(asked, (name) => [name, byName(name)]));
    const { newLinkFormat } = await draft.vault.vault.settings();
    const found = await draft.vault.work('rewriteLinks', text, {
      path: back.get(path) ?? path,
      moves,
      names,
      before: namesBefore(after),
      after,
      asked,
      settings: { newLinkFormat },
    });
    if (found !== undefined && found.rewritten > 0) await draft.write(path, found.text);
    return found?.rewritten;
  };
}

/**
 * Says of links that got other paths (see `MergedContent`) whether each did so because of these moves, so
 * that links which follow the files back have their old paths again: one of the files got the same name,
 * or the link kept its name, which is that of a moved file. `files` are all paths of the moved files.
 */
export function followedNames(
  moves: readonly { readonly path: string; readonly to: string }[],
  files: readonly string[],
): (renamed: readonly (readonly [from: string, to: string])[]) => boolean {
  const renames = new Set(moves.map(({ path, to }) => JSON.stringify([path, to].map(linkName))));
  const names = new Set([...moves.flatMap(({ path, to }) => [path, to]), ...files].map(linkName));
  return (renamed) =>
    renamed.every(([from, to]) =>
      from === to ? names.has(from) : renames.has(JSON.stringify([from, to])),
    );
}

function nameOf(path: string): string {
  return foldName(fileNameOf(path));
}
