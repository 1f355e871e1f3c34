import type { VaultPath } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import { linkSegment, resolveLink } from '../../links/resolve-link.ts';
import { findNote } from '../../notes/find-note.ts';
import { fileKind } from '../../ports/file-kind.ts';
import type { FileRow } from '../../ports/index-store.ts';
import type { TextFacts } from '../../ports/note-work.ts';
import type { FileKind } from '../../ports/records.ts';
import { wholeVault } from '../../ports/view.ts';
import type { BoundVault, NoteText } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

/** Everything known about a note. */
interface NoteFactsAnswer extends Omit<TextFacts, 'links'> {
  readonly path: VaultPath;
  readonly kind: FileKind;
  readonly version: Version;
  /** The file that each link text leads to; null where there is no such file. */
  readonly targets: Readonly<Record<string, VaultPath | null>>;
}

/**
 * Reads a note and returns everything that is known about its text, with exact positions. Fails
 * with `not_found` or `ambiguous` when the name does not lead to one file.
 */
export async function noteFacts(
  vault: BoundVault,
  request: { readonly name: NoteName },
): Promise<NoteFactsAnswer> {
  const { text: _, stat: __, ...facts } = await readNoteFacts(vault, request);
  return facts;
}

/** Does what `noteFacts` does, and answers the text that the facts are about and when it changed. */
export async function readNoteFacts(
  vault: BoundVault,
  request: { readonly name: NoteName },
): Promise<NoteFactsAnswer & Pick<NoteText, 'text' | 'stat'>> {
  const { path, text, version, stat } = await vault.readText(await findNote(vault, request.name));
  const kind = fileKind(path);
  const { links, ...facts } = await vault.work('facts', text, kind);
  const targets = await linkTargets(vault, path, links);
  return { path, kind, version, ...facts, targets, text, stat };
}

/**
 * Finds where links of a file lead now; `links` has the path that each names. Resolves them from file
 * names, because the file may be newer than its links in the index.
 */
export async function linkTargets(
  vault: BoundVault,
  source: VaultPath,
  links: ReadonlyMap<string, string>,
): Promise<Record<string, VaultPath | null>> {
  if (links.size === 0) return {};
  const names = new Set(
    Array.from(links.values()).flatMap((path) => {
      const segment = linkSegment(path === '' ? source : path);
      return [segment, `${segment}.md`];
    }),
  );
  // Resolved over all files, as in the app. A target that the caller may not see looks unresolved.
  const rows = await vault.ask('names', (store) =>
    store.filesByName(wholeVault, Array.from(names)),
  );
  const byName = new Map<string, FileRow[]>();
  for (const row of rows) {
    const name = linkSegment(row.path);
    const files = byName.get(name);
    if (files === undefined) byName.set(name, [row]);
    else files.push(row);
  }
  return Object.fromEntries(
    Array.from(links, ([link, path]) => {
      const target = resolveLink({ path, source }, (name) => byName.get(name) ?? [])?.path;
      return [link, target !== undefined && vault.sees(target) ? target : null];
    }),
  );
}
