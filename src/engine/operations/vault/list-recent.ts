import { inParallel } from '../../../base/in-parallel.ts';
import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import type { ChangeRow } from '../../change/change-row.ts';
import type { FileRow, Page, PageRequest } from '../../ports/index-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { listChanges } from '../history/list-changes.ts';
import { listFiles } from '../list/list-files.ts';

const readsAtOnce = 8;

/** A note with the change that gave it its present text. */
interface RecentNote {
  readonly path: VaultPath;
  readonly mtimeMs: number;
  /** Absent when the history has no such change: another program changed the note last. */
  readonly change?: Omit<ChangeRow, 'files' | 'args' | 'kept'>;
  /** Set when that change wrote nothing new: its links followed a rename, or an undo put it back. */
  readonly only?: 'links' | 'undo';
}

/**
 * Lists the notes of a folder that changed last, the latest first, each with who changed it, as far as
 * the history knows. To be sure, the notes are read and compared with what the history has. Fails as
 * `listFiles` does.
 */
export async function listRecent(
  vault: BoundVault,
  request: PageRequest & { readonly folder: VaultFolder; readonly sinceMs?: number },
): Promise<Page<RecentNote>> {
  const { total, items } = await listFiles(vault, {
    ...request,
    kinds: ['note'],
    sort: 'modified',
  });
  const notes = await inParallel(items, readsAtOnce, async (file) => {
    const { path, mtimeMs } = file;
    return { path, mtimeMs, ...(await lastChange(vault, file)) };
  });
  return { total, items: notes };
}

/** The newest change of a file, unless the file was changed since by another program. */
async function lastChange(
  vault: BoundVault,
  { path, mtimeMs }: FileRow,
): Promise<Pick<RecentNote, 'change' | 'only'>> {
  const { items } = await listChanges(vault, { path, limit: 1, offset: 0 });
  const [newest] = items;
  if (newest === undefined) return {};
  const { files, args: _, kept: __, ...change } = newest;
  const after = files.find((file) => file.path === path)?.after;
  // A folder that was moved has no content of its own.
  const isLast =
    after === undefined ? change.timeMs >= mtimeMs : after === (await versionOf(vault, path));
  if (!isLast) return {};
  const only = onlyOf(newest, path);
  return { change, ...(only === undefined ? {} : { only }) };
}

/** How a change touched a file in which it wrote nothing new; undefined when it did write there. */
function onlyOf({ files, undoes = [], tool }: ChangeRow, path: VaultPath): RecentNote['only'] {
  if (undoes.length > 0) return tool === 'redo' ? undefined : 'undo';
  const isFollower = files.some((file) => file.path === path && file.did === 'changed');
  return isFollower && files.some(({ did }) => did === 'moved') ? 'links' : undefined;
}

/** The version of a file now; undefined when it is gone or cannot be read. */
async function versionOf(vault: BoundVault, path: VaultPath): Promise<string | undefined> {
  try {
    return (await vault.read(path, { bytesMax: limits.noteBytesMax })).version;
  } catch (error) {
    if (error instanceof VaultError && !vault.caller.signal.aborted) return undefined;
    throw error;
  }
}
