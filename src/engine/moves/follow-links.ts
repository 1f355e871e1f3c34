import type { VaultPath } from '../../base/vault-path.ts';
import { fileNameOf, foldName } from '../../base/vault-path.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { Draft } from '../vault/draft.ts';
import { namesAfter, namesAround } from './rewrite-links.ts';

/**
 * Rewrites the links of one file that lead to files which this draft has moved already, from the
 * keys of `moves` to their values, so that each leads to the same file as before. Answers how many
 * links it rewrote; undefined when one cannot be written so that it leads there, and then the file
 * stays as it is.
 */
export async function followLinks(
  draft: Draft,
  { path, moves }: { readonly path: VaultPath; readonly moves: ReadonlyMap<VaultPath, VaultPath> },
): Promise<number | undefined> {
  const back = new Map(Array.from(moves, ([from, to]) => [to, from]));
  const names = new Set([...moves.keys(), ...moves.values()].map((each) => nameOf(each)));
  const { text } = await draft.read(path);
  // Of a file that has moved itself, every link may have to change.
  const own = back.has(path) ? await draft.vault.work('linkedNames', text, fileKind(path)) : [];
  const segments = Array.from(names).flatMap((name) => [name, name.replace(/\.md$/, '')]);
  const asked = new Set([...segments, ...own].flatMap(namesAround));
  const byName = await draft.byName(asked);
  const after = new Map(Array.from(asked, (name) => [name, byName(name)]));
  const { newLinkFormat } = await draft.vault.vault.settings();
  const found = await draft.vault.work('rewriteLinks', text, {
    path: back.get(path) ?? path,
    moves,
    names,
    before: namesAfter(back)(after),
    after,
    asked,
    settings: { newLinkFormat },
  });
  if (found !== undefined && found.rewritten > 0) await draft.write(path, found.text);
  return found?.rewritten;
}

function nameOf(path: string): string {
  return foldName(fileNameOf(path));
}
