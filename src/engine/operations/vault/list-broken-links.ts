import type { ChangeName } from '../../../base/change-name.ts';
import { limits } from '../../../base/limits.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { extensionOf, fileNameOf, foldName } from '../../../base/vault-path.ts';
import { folderView } from '../../notes/find-folder.ts';
import { closestNames, findableNames } from '../../notes/findable-names.ts';
import type { BrokenRow, Page, PageRequest } from '../../ports/index-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { Turns } from '../../vault/turns.ts';
import { listChanges } from '../history/list-changes.ts';

/** A link that leads to no file, and what it may have meant. */
export interface BrokenLink extends BrokenRow {
  /** Names of notes, best first. */
  readonly likely: readonly string[];
  /** The change that deleted a note of this name. */
  readonly deleted?: ChangeName;
}

const likelyMax = 3;

/**
 * Lists the links in a folder, at any depth, that lead to no file, by target, then by note. The
 * likely targets are notes that history knows under this name, then those whose names or aliases
 * are similar. A page has at most `limits.brokenLinksMax` links. Fails as `findFolder` does.
 */
export async function listBrokenLinks(
  vault: BoundVault,
  request: PageRequest & { readonly folder: VaultFolder },
): Promise<Page<BrokenLink>> {
  const { offset } = request;
  const limit = Math.min(request.limit, limits.brokenLinksMax);
  const view = await folderView(vault, request.folder);
  const page = await vault.ask('facts', (store) => store.broken(view, { limit, offset }));
  if (page.items.length === 0) return { total: page.total, items: [] };
  const turns = new Turns(vault);
  const past = await pastNames(vault);
  const meant = new Map<string, Omit<BrokenLink, keyof BrokenRow>>();
  for (const { link } of page.items) {
    await turns.next();
    if (!meant.has(link)) meant.set(link, await meaningOf(vault, link, past));
  }
  return {
    total: page.total,
    items: page.items.map((row) => ({ ...row, ...(meant.get(row.link) ?? { likely: [] }) })),
  };
}

/** What became of the notes that had a name once: by folded names without `.md`. */
type PastNames = ReadonlyMap<string, { readonly to: VaultPath } | { readonly deleted: ChangeName }>;

/** Reads the newest changes that the caller sees, without those that were undone. */
async function pastNames(vault: BoundVault): Promise<PastNames> {
  const { items } = await listChanges(vault, { limit: limits.pastChangesMax, offset: 0 });
  const past = new Map<string, { to: VaultPath } | { deleted: ChangeName }>();
  for (const { id, undoneBy, files } of items) {
    if (undoneBy !== undefined) continue;
    for (const { path, did, from } of files) {
      const name = nameKey(from ?? path);
      if (past.has(name)) continue;
      if (did === 'moved' && nameKey(path) !== name) past.set(name, { to: path });
      if (did === 'deleted') past.set(name, { deleted: id });
    }
  }
  return past;
}

async function meaningOf(
  vault: BoundVault,
  link: string,
  past: PastNames,
): Promise<Omit<BrokenLink, keyof BrokenRow>> {
  const close = await similarNames(vault, link);
  const then = past.get(nameKey(link));
  if (then === undefined) return { likely: close };
  if ('deleted' in then) return { likely: close, deleted: then.deleted };
  const now = await pathNow(vault, then.to, past);
  const moved = now === undefined ? [] : await findableNames(vault, [now]);
  return { likely: Array.from(new Set([...moved, ...close])).slice(0, likelyMax) };
}

/**
 * Names of files of the same kind that are similar. Less than three characters are like too many
 * names.
 */
async function similarNames(vault: BoundVault, link: string): Promise<readonly string[]> {
  if (link.length < 3) return [];
  const kind = kindOf(link);
  const close = await closestNames(vault, link, likelyMax);
  return close.filter(({ path }) => kindOf(path) === kind).map(({ name }) => name);
}

/** The extension of a file; for notes, and for links without one, `md`. */
function kindOf(path: string): string {
  const extension = extensionOf(path);
  return /^[a-z0-9]{1,6}$/.test(extension) ? extension : 'md';
}

/** Where a note is that was moved to a path, and perhaps further; undefined when it is gone. */
async function pathNow(
  vault: BoundVault,
  to: VaultPath,
  past: PastNames,
): Promise<VaultPath | undefined> {
  let path = to;
  for (let moves = 0; moves < likelyMax; moves++) {
    if ((await vault.stat(path)) !== undefined) return path;
    const next = past.get(nameKey(path));
    if (next === undefined || 'deleted' in next) return undefined;
    path = next.to;
  }
  return undefined;
}

function nameKey(path: string): string {
  return foldName(fileNameOf(path)).replace(/\.md$/, '');
}
