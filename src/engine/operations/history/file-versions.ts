import type { Door } from '../../../base/caller.ts';
import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { type VaultPath, vaultPath } from '../../../base/vault-path.ts';
import { changeNamer } from '../../change/change-names.ts';
import { historySees } from '../../change/change-row.ts';
import type { FileState } from '../../history/file-history.ts';
import { fileHistory } from '../../history/file-history.ts';
import { findNote } from '../../notes/find-note.ts';
import type { ChangeId } from '../../ports/state-store.ts';
import { seesAll } from '../../ports/view.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';

/** An earlier or the present content of a file, as the history has it. */
export interface FileVersion {
  /** Counted from the newest version, which is 1. */
  readonly version: number;
  /**
   * When it was written; for a content that was not written through Vaultdoor, when it was last
   * seen.
   */
  readonly timeMs: number;
  /** The change that wrote it; absent, with the next three, for a content written elsewhere. */
  readonly id?: ChangeId;
  readonly door?: Door;
  readonly tool?: string;
  readonly client?: string;
  /** The path of the file at that time, where it was another. */
  readonly path?: VaultPath;
  /** What the change took back, where it is an undo or a redo; only for callers who see everything. */
  readonly tookBack?: TakenBack;
}

/** What an undo took back. */
interface TakenBack {
  readonly changes: number;
  /** Set where it took back undos: it is a redo. */
  readonly isRedo?: true;
  /** Who had made the changes, where that is one client through one door. */
  readonly of?: { readonly door: Door; readonly client?: string };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Lists the contents of a file that the history knows, newest first, also under the file's earlier
 * names. Among them are those of which it has no copy, because a change only added to the end of a
 * large file; reading one fails. Fails with `not_found` or `ambiguous` when the name does not lead to one file; an exact path
 * may be that of a file that was deleted, here and in `readVersion` and `restoreVersion`.
 */
export async function listVersions(
  vault: BoundVault,
  request: { readonly name: NoteName },
): Promise<{ readonly path: VaultPath; readonly versions: readonly FileVersion[] }> {
  const path = await pathInHistory(vault, request.name);
  const versions: FileVersion[] = [];
  const undoes = new Map<number, readonly ChangeId[]>();
  for await (const state of fileHistory(vault, path)) {
    const version = fileVersion(versions.length + 1, path, state);
    if (state.change?.undoes !== undefined) undoes.set(version.version, state.change.undoes);
    versions.push(version);
    if (versions.length === limits.resultsMax) break;
  }
  if (undoes.size === 0 || !seesAll(vault.view())) return { path, versions };
  const takenBack = await takenBackBy(vault, Array.from(undoes.values()).flat());
  return {
    path,
    versions: versions.map((version) => {
      const ids = undoes.get(version.version);
      return ids === undefined ? version : { ...version, tookBack: takenBack(ids) };
    }),
  };
}

/** Looks up changes that were taken back, and returns the function that sums some of them up. */
async function takenBackBy(
  vault: BoundVault,
  all: readonly ChangeId[],
): Promise<(ids: readonly ChangeId[]) => TakenBack> {
  const { state } = vault.vault.parts;
  const ids = Array.from(new Set(all)).slice(0, limits.summariesMax);
  const summaries = await state.summaries({ ids }, ids.length);
  const known = new Map(summaries.map((summary) => [summary.id, summary]));
  return (asked) => {
    const found = asked.flatMap((id) => known.get(id) ?? []);
    const authors = new Map(
      found.map(({ door, client }) => {
        const author = { door, ...(client === undefined ? {} : { client }) };
        return [JSON.stringify(author), author];
      }),
    );
    const [of] = authors.values();
    return {
      changes: asked.length,
      ...(found.some(({ isUndo }) => isUndo) ? { isRedo: true } : {}),
      ...(of === undefined || authors.size > 1 ? {} : { of }),
    };
  };
}

function fileVersion(
  version: number,
  path: VaultPath,
  { timeMs, change, path: then }: FileState,
): FileVersion {
  const { id, door, tool, client } = change ?? {};
  return {
    version,
    timeMs,
    ...(id === undefined ? {} : { id }),
    ...(door === undefined ? {} : { door }),
    ...(tool === undefined ? {} : { tool }),
    ...(client === undefined ? {} : { client }),
    ...(then === path ? {} : { path: then }),
  };
}

/**
 * The file that a name leads to, by way of `find`. An exact path may lead to a file that is gone, if
 * the caller may see it and history knows what was in it.
 */
async function pathInHistory(
  vault: BoundVault,
  name: NoteName,
  find: () => Promise<VaultPath> = () => findNote(vault, name),
): Promise<VaultPath> {
  return find().catch(async (error: unknown) => {
    const isGone = error instanceof VaultError && error.code === 'not_found';
    if (isGone && typeof name !== 'string' && name.exact === true) {
      const path = vaultPath(name.path);
      const isSeen = historySees(vault)(path) && (await vault.stat(path)) === undefined;
      if (isSeen) for await (const _ of fileHistory(vault, path)) return path;
    }
    throw error;
  });
}

/**
 * Reads the text of one version of a file. Fails with `not_found` when there is no such file or
 * version, or when the version is not kept, and with `invalid_input` when it is not text.
 */
export async function readVersion(
  vault: BoundVault,
  request: { readonly name: NoteName; readonly version: number },
): Promise<{ readonly path: VaultPath; readonly text: string }> {
  const path = await pathInHistory(vault, request.name);
  const bytes = await versionBytes(vault, path, request.version);
  vault.hasRead(path, bytes);
  try {
    return { path, text: decoder.decode(bytes) };
  } catch (error) {
    throw new VaultError('invalid_input', `That version of "${path}" is not text.`, {
      cause: error,
      details: { path },
    });
  }
}

/**
 * Compares one version of a file with another, or with the file as it is now, as a unified diff.
 * Fails with `not_found` when there is no such file or version, or when a version is not kept.
 */
export async function diffVersions(
  vault: BoundVault,
  request: { readonly name: NoteName; readonly from: number; readonly to?: number },
): Promise<{ readonly path: VaultPath; readonly diff: string }> {
  const path = await findNote(vault, request.name);
  const before = await versionBytes(vault, path, request.from);
  const after =
    request.to === undefined
      ? (await vault.read(path, { bytesMax: limits.historyContentBytesMax })).bytes
      : await versionBytes(vault, path, request.to);
  vault.hasRead(path, before, after);
  return { path, diff: await vault.work('diff', { from: path, to: path, before, after }) };
}

/**
 * Returns the bytes of one version of a file. Fails with `not_found` when the history has fewer
 * versions, or has not kept this one.
 */
async function versionBytes(
  vault: BoundVault,
  path: VaultPath,
  version: number,
): Promise<Uint8Array> {
  let count = 0;
  for await (const { content, change } of fileHistory(vault, path)) {
    count++;
    if (count < version) continue;
    if (content === undefined) {
      const name = change === undefined ? '' : (await changeNamer(vault))(change.id);
      throw new VaultError(
        'not_found',
        `History has no whole copy of version ${version} of "${path}": only the end of this large file was changed then. Change ${name} shows what was added or cut off; undo takes it back.`,
        { details: { path, version } },
      );
    }
    const bytes = await vault.vault.parts.state.content(content);
    if (bytes !== undefined) return bytes;
    throw new VaultError(
      'not_found',
      `Version ${version} of "${path}" was too large to keep, or is not kept any more.`,
      { details: { path, version } },
    );
  }
  const known =
    count === 0
      ? 'nothing has changed it through Vaultdoor'
      : `history knows ${count === 1 ? 'only version 1' : `versions 1 to ${count}`}`;
  throw new VaultError('not_found', `"${path}" has no version ${version}: ${known}.`, {
    details: { path, version, versions: count },
  });
}

/**
 * Gives a file the content of an earlier version, numbered as `listVersions` does; its path stays.
 * The present content becomes a version too, and a deleted file is there again. Fails with `not_found` when there is no such file or
 * version, or when the version is not kept.
 */
export async function restoreVersion(
  draft: Draft,
  request: { readonly name: NoteName; readonly version: number },
): Promise<{ readonly path: VaultPath }> {
  const { vault } = draft;
  const path = await pathInHistory(vault, request.name, () => draft.find(request.name));
  const isThere = (await draft.kind(path)) !== undefined;
  const bytes = await versionBytes(vault, path, request.version);
  await draft.put(path, bytes);
  if (isThere) draft.overwrites(path);
  return { path };
}
