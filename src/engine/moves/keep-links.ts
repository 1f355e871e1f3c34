import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { fileNameOf, foldName } from '../../base/vault-path.ts';
import { fileKind, isParsed } from '../ports/file-kind.ts';
import type { Draft } from '../vault/draft.ts';
import { namesAfter, namesAround } from './rewrite-links.ts';
import type { UnreadFile } from './unread-files.ts';
import { visitTexts } from './unread-files.ts';

/** What `keepLinks` did. */
interface KeptLinks {
  /** The number of links that were rewritten. */
  readonly links: number;
  /** The number of files in which links were rewritten. */
  readonly notes: number;
  /** Files that may have such links, but cannot be read. */
  readonly unread: readonly UnreadFile[];
}

/**
 * Rewrites links throughout the vault so that each leads to the same file as before, although files
 * are about to move (`moves`) or to be created (`added`). Moves and creates nothing itself. The
 * cost depends on the files whose links use one of these names, not on the size of the vault. Fails
 * with `invalid_input` when a link cannot be written so that it leads there.
 */
export async function keepLinks(
  draft: Draft,
  request: {
    readonly moves: ReadonlyMap<VaultPath, VaultPath>;
    readonly added: readonly VaultPath[];
  },
): Promise<KeptLinks> {
  const { moves, added } = request;
  const names = new Set([...moves.keys(), ...moves.values(), ...added].map(nameOf));
  if (moves.size === 0 && (await areUnknown(draft, names))) {
    return { links: 0, notes: 0, unread: [] };
  }
  const segments = Array.from(names).flatMap((name) => [name, name.replace(/\.md$/, '')]);
  const moved = Array.from(moves.keys()).filter((path) => isParsed(fileKind(path)));
  const paths = new Set([...(await draft.sourcesNaming(segments)), ...moved]);
  const { newLinkFormat } = await draft.vault.vault.settings();
  const settings = { newLinkFormat };
  const withChange = namesAfter(moves, added);
  const before = new Map<string, readonly { readonly path: string }[]>();
  const after = new Map<string, readonly { readonly path: string }[]>();
  // Each name is looked up once: rewriting the links of a file changes no names.
  const lookUp = async (wanted: Iterable<string>): Promise<void> => {
    const unknown = Array.from(new Set(wanted)).filter((name) => !before.has(name));
    if (unknown.length === 0) return;
    const byName = await draft.byName(unknown);
    const found = new Map(unknown.map((name) => [name, byName(name)]));
    for (const [name, files] of found) before.set(name, files);
    for (const [name, files] of withChange(found)) after.set(name, files);
  };
  await lookUp(segments.flatMap(namesAround));
  let links = 0;
  let notes = 0;
  const unread = await visitTexts(draft, Array.from(paths).sort(), async (texts, turns) => {
    // The names that must be looked up to resolve the links before and after the change.
    const wanted = new Set<string>();
    for (const { path, text } of texts) {
      // Of a file that stays, only links with one of the names above can change.
      if (!moves.has(path)) continue;
      await turns.next();
      const linked = await draft.vault.work('linkedNames', text, fileKind(path));
      for (const name of linked.flatMap(namesAround)) wanted.add(name);
    }
    await lookUp(wanted);
    for (const { path, text } of texts) {
      await turns.next();
      const change = { path, moves, names, before, after, settings };
      const found = await draft.vault.work('rewriteLinks', text, change);
      if (found === undefined) throw unwritable(draft, path);
      if (found.rewritten === 0) continue;
      await draft.write(path, found.text);
      links += found.rewritten;
      notes += 1;
    }
  });
  return { links, notes, unread };
}

/**
 * Whether no file has one of these names or one that links could mistake for it, so that no link
 * changes its target. Needs names only, so that creating a note need not wait until all links are
 * indexed.
 */
async function areUnknown(draft: Draft, names: ReadonlySet<string>): Promise<boolean> {
  const around = new Set(Array.from(names).flatMap(namesAround));
  const byName = await draft.byName(around);
  return Array.from(around).every((name) => byName(name).length === 0);
}

function nameOf(path: string): string {
  return foldName(fileNameOf(path));
}

function unwritable(draft: Draft, path: VaultPath): VaultError {
  const where = draft.vault.sees(path) ? `"${path}"` : 'a note';
  return new VaultError(
    'invalid_input',
    `A link in ${where} would no longer lead to its file, because the name of a file or folder has a character that links cannot contain ("#", "|", "[" or "]"). Choose another name, or leave the links as they are.`,
    { details: draft.vault.sees(path) ? { path } : {} },
  );
}
