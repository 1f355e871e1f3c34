import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { fileNameOf, foldName } from '../../base/vault-path.ts';
import { linkSegment } from '../links/resolve-link.ts';
import { withoutMd } from '../links/write-link.ts';
import type { BasesRename, MovedFiles } from '../ports/bases-rename.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { NoteText } from '../vault/bound-vault.ts';
import type { Draft } from '../vault/draft.ts';
import { namesAfter, namesAround } from './rewrite-links.ts';
import type { UnreadFile } from './unread-files.ts';
import { seenPaths, visitTexts } from './unread-files.ts';

/** What making bases follow a rename did. */
interface KeptBases {
  /** How many names were changed. */
  readonly names: number;
  /** The number of files in which they were: bases, and notes and canvases with `base` blocks. */
  readonly bases: number;
  readonly unread: readonly UnreadFile[];
}

/**
 * Makes all bases follow the rename of a property or a tag: in `.base` files, and in the `base`
 * blocks of notes and canvases. Those that the caller may not see stay. The cost depends on the bases in which the name is written. Fails with `invalid_input` when a
 * base cannot be written with the new name.
 */
export async function renameInAllBases(
  draft: Draft,
  rename: Pick<BasesRename, 'property' | 'tag'>,
): Promise<KeptBases> {
  const from = rename.property?.from ?? rename.tag?.from ?? '';
  const paths = await seenPaths(draft, await draft.basesNaming([from]));
  return follow(draft, paths, async () => () => rename);
}

/**
 * Makes all bases follow files, or a folder with its files, that are about to move: folders in
 * filters, and the links that are not links of the file already (those of `base` blocks, and texts in
 * `hasLink`, `linksTo` and `file`). Moves nothing itself. Fails as `renameInAllBases` does.
 */
export async function keepBases(
  draft: Draft,
  request: {
    readonly files: ReadonlyMap<VaultPath, VaultPath>;
    readonly folder?: { readonly from: VaultPath; readonly to: VaultPath };
  },
): Promise<KeptBases> {
  const { files: moves, folder } = request;
  // A file in a moved folder keeps its name, so only a path through the folder can change.
  const moved = folder === undefined ? Array.from(moves).flat() : [folder.from];
  const named = moved.map(fileNameOf);
  const paths = await draft.basesNaming(named.map(withoutMd));
  const withMoves = namesAfter(moves);
  return follow(draft, paths, async (texts) => {
    const names = new Set(named.flatMap((name) => namesAround(foldName(name))));
    for (const { path, text } of texts) {
      for (const link of await draft.vault.work('baseLinkPaths', text, fileKind(path))) {
        for (const name of namesAround(linkSegment(link))) names.add(name);
      }
    }
    const byName = await draft.byName(names);
    const before = new Map(Array.from(names, (name) => [name, byName(name)]));
    const known: MovedFiles = { moves, before, after: withMoves(before) };
    return ({ path }) => ({
      files: { ...known, path },
      ...(folder === undefined ? {} : { folder }),
    });
  });
}

/** Writes the bases in these files anew; `prepare` says for some of them at a time how. */
async function follow(
  draft: Draft,
  paths: readonly VaultPath[],
  prepare: (texts: readonly NoteText[]) => Promise<(file: NoteText) => Omit<BasesRename, 'kind'>>,
): Promise<KeptBases> {
  let names = 0;
  let bases = 0;
  const unread = await visitTexts(draft, paths, async (texts, turns) => {
    const renameIn = await prepare(texts);
    for (const file of texts) {
      await turns.next();
      const request = { kind: fileKind(file.path), ...renameIn(file) };
      const found = await draft.vault.work('renameInBases', file.text, request);
      if (found === undefined) throw unwritable(draft, file.path);
      if (found.count === 0) continue;
      await draft.write(file.path, found.text);
      names += found.count;
      bases += 1;
    }
  });
  return { names, bases, unread };
}

function unwritable(draft: Draft, path: VaultPath): VaultError {
  const isSeen = draft.vault.sees(path);
  return new VaultError(
    'invalid_input',
    `The base in ${isSeen ? `"${path}"` : 'a file'} cannot be written with the new name: it has that name already, or cannot hold it. Choose another name, or change the base first.`,
    { details: isSeen ? { path } : {} },
  );
}
