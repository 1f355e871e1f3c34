import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { seesAll } from '../ports/view.ts';
import type { NoteText } from '../vault/bound-vault.ts';
import type { Draft } from '../vault/draft.ts';
import { Turns } from '../vault/turns.ts';

/** A file that may contain something to change, but cannot be read. */
export interface UnreadFile {
  readonly path: VaultPath;
  readonly reason: string;
}

const shownMax = 5;

/** How many files are read in parallel, and then worked on one after the other. */
const filesAtOnce = 64;

/**
 * Reads the files that a change may have to touch, some at a time, and hands them to `visit`. Other
 * calls run in between, and it fails when the call is over. Leaves out files that are gone; returns
 * files that cannot be read, or are not UTF-8.
 */
export async function visitTexts(
  draft: Draft,
  paths: readonly VaultPath[],
  visit: (texts: readonly NoteText[], turns: Turns) => Promise<void>,
): Promise<readonly UnreadFile[]> {
  const turns = new Turns(draft.vault);
  const unread: UnreadFile[] = [];
  for (let at = 0; at < paths.length; at += filesAtOnce) {
    await turns.next();
    const some = await readTexts(draft, paths.slice(at, at + filesAtOnce));
    unread.push(...some.unread);
    await visit(some.texts, turns);
  }
  return unread;
}

async function readTexts(
  draft: Draft,
  paths: readonly VaultPath[],
): Promise<{ readonly texts: readonly NoteText[]; readonly unread: readonly UnreadFile[] }> {
  try {
    return { texts: await draft.readAll(paths), unread: [] };
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
  }
  const texts: NoteText[] = [];
  const unread: UnreadFile[] = [];
  for (const path of paths) {
    try {
      texts.push(await draft.read(path));
    } catch (error) {
      const reason = error instanceof VaultError ? reasons[error.code] : undefined;
      if (reason === undefined) throw error;
      // A symlink out of sight: its note has a path of its own, under which it is visited as well.
      const isLink = draft.vault.sees(path) && (await draft.kind(path)) === undefined;
      if (reason !== 'gone' && !isLink) unread.push({ path, reason });
    }
  }
  return { texts, unread };
}

/** Why a file was not read, by the code of the failure. Any other failure ends the change. */
const reasons: Readonly<Partial<Record<VaultError['code'], string>>> = {
  not_found: 'gone',
  is_a_folder: 'gone',
  invalid_input: 'not UTF-8 text',
  too_large: 'too large to read',
  forbidden: 'could not be read',
  outside_vault: 'could not be read',
  io_failed: 'could not be read',
};

/** Those of some files that the caller may see, symlinks to hidden files left out. */
export async function seenPaths(
  draft: Draft,
  paths: readonly VaultPath[],
): Promise<readonly VaultPath[]> {
  if (seesAll(draft.vault.view())) return paths;
  const turns = new Turns(draft.vault);
  const seen: VaultPath[] = [];
  for (const path of paths) {
    await turns.next();
    if ((await draft.kind(path)) === 'file') seen.push(path);
  }
  return seen;
}

/**
 * Fails with `unavailable` when some files cannot be read, because a change throughout the vault
 * would miss what they contain (`what`). With `force` it only warns.
 */
export async function checkAllRead(
  draft: Draft,
  request: {
    readonly what: string;
    readonly unread: readonly UnreadFile[];
    readonly force: boolean;
  },
): Promise<void> {
  const found = new Map<VaultPath, string>();
  for (const { path, reason } of await draft.unreadable()) found.set(path, reason);
  for (const { path, reason } of request.unread) found.set(path, reason);
  if (found.size === 0) return;
  const seen = Array.from(found).filter(([path]) => draft.vault.sees(path));
  const shown = seen.slice(0, shownMax).map(([path, reason]) => `"${path}" (${reason})`);
  const files = `${found.size} ${found.size === 1 ? 'file' : 'files'} of the vault cannot be read`;
  const list =
    shown.length === 0 ? '' : `: ${shown.join(', ')}${seen.length > shownMax ? ', …' : ''}`;
  if (request.force) {
    draft.warn(`${files}, so ${request.what} in them may be missed${list}.`);
    return;
  }
  throw new VaultError(
    'unavailable',
    `${files}, so ${request.what} in them would be missed; make them readable, or use --force on the command line${list}.`,
    { details: { count: found.size, unread: seen.map(([path, reason]) => ({ path, reason })) } },
  );
}

/** Warns when the vault lies inside another vault, whose notes may link into this one. */
export function warnOfOuterVault(draft: Draft): void {
  if (draft.vault.vault.parts.outerVault !== true) return;
  draft.warn(
    'This folder lies inside another vault; links from notes outside this folder are not seen.',
  );
}
