import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { fileNameOf, foldName } from '../../base/vault-path.ts';
import type { Link } from '../../markdown/facts/facts.ts';
import { linksOf } from '../links/link-style.ts';
import { linkSegment } from '../links/resolve-link.ts';
import { fileKind, isParsed } from '../ports/file-kind.ts';
import { factsOf } from '../text/scan-file.ts';
import type { Draft } from '../vault/draft.ts';
import type { LinkSource } from './rewrite-links.ts';
import { namesAfter, namesAround, rewriteLinks } from './rewrite-links.ts';
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
  const settings = await draft.vault.vault.settings();
  const withChange = namesAfter(moves, added);
  let links = 0;
  let notes = 0;
  const unread = await visitTexts(draft, Array.from(paths).sort(), async (texts, turns) => {
    const sources: (LinkSource & { readonly path: VaultPath })[] = [];
    // The names that must be looked up to resolve the links before and after the change.
    const wanted = new Set(segments.flatMap(namesAround));
    for (const { path, text } of texts) {
      await turns.next();
      const all = linksOf(factsOf(fileKind(path), text));
      sources.push({ path, text, links: all });
      // Of a file that stays, only links with one of the names above can change.
      if (moves.has(path)) addNamesOf(all, wanted);
    }
    const before = await draft.byName(wanted);
    const after = withChange(before);
    for (const source of sources) {
      await turns.next();
      const found = rewriteLinks(source, { moves, names, before, after, settings });
      if (found === undefined) throw unwritable(draft, source.path);
      if (found.rewritten === 0) continue;
      await draft.write(source.path, found.text);
      links += found.rewritten;
      notes += 1;
    }
  });
  return { links, notes, unread };
}

function addNamesOf(links: readonly Link[], wanted: Set<string>): void {
  const segments = new Set(links.map(({ path }) => linkSegment(path)));
  for (const segment of segments) for (const name of namesAround(segment)) wanted.add(name);
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
