import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { fileNameOf, foldName } from '../../base/vault-path.ts';
import { fileKind, isParsed } from '../ports/file-kind.ts';
import type { Draft } from '../vault/draft.ts';
import { namesAfter, namesAround } from './rewrite-links.ts';
import type { UnreadFile } from './unread-files.ts';
import { visitTexts } from './unread-files.ts';

/** How many names are looked up at a time; other calls run in between. */
const namesAtOnce = 10_000;

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
  const asked = new Set<string>();
  // Each name is looked up once: rewriting the links of a file changes no names. A note may link to
  // tens of thousands of names, most of which no file has, so only the others are kept.
  const lookUp = async (linked: Iterable<string>): Promise<void> => {
    let some: string[] = [];
    const ask = async (): Promise<void> => {
      const byName = await draft.byName(some);
      const found = new Map(some.map((name) => [name, byName(name)]));
      for (const [name, files] of found) if (files.length > 0) before.set(name, files);
      for (const [name, files] of withChange(found)) if (files.length > 0) after.set(name, files);
      some = [];
    };
    for (const name of linked) {
      for (const around of namesAround(name)) {
        if (asked.has(around)) continue;
        asked.add(around);
        some.push(around);
      }
      if (some.length > namesAtOnce) await ask();
    }
    if (some.length > 0) await ask();
  };
  await lookUp(segments);
  let links = 0;
  let notes = 0;
  const unread = await visitTexts(draft, Array.from(paths).sort(), async (texts, turns) => {
    const linked = new Set<string>();
    for (const { path, text } of texts) {
      // Of a file that stays, only links with one of the names above can change.
      if (!moves.has(path)) continue;
      await turns.next();
      const own = await draft.vault.work('linkedNames', text, fileKind(path));
      for (const name of own) linked.add(name);
    }
    await lookUp(linked);
    for (const { path, text } of texts) {
      await turns.next();
      const change = { path, moves, names, before, after, asked, settings };
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
