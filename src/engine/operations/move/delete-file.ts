import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { fileNameOf, joinPath, trashFolder, vaultPath } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import { filesNaming } from '../../moves/links-into.ts';
import type { LinkPlaceLeft } from '../../moves/unlink-file.ts';
import { unlinkFile } from '../../moves/unlink-file.ts';
import { visitTexts } from '../../moves/unread-files.ts';
import { freePath } from '../../notes/free-path.ts';
import { fileKind } from '../../ports/file-kind.ts';
import { isIndexUnusable } from '../../ports/index-store.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';

interface DeleteFileRequest {
  readonly name: NoteName;
  /**
   * What happens to links to the file: `keep` leaves them, `unlink` turns them into their display
   * text.
   */
  readonly links?: 'keep' | 'unlink';
  /** Deletes the file without putting it into a trash: only the history keeps it. */
  readonly permanent?: boolean;
  /** Puts the file into `.trash/`, whatever the vault's settings say. */
  readonly trash?: 'local';
  /** Unlinks even when some notes cannot be read. */
  readonly force?: boolean;
  readonly version?: VersionStart;
}

interface DeletedFile {
  readonly path: VaultPath;
  readonly trash: 'local' | 'system' | 'none';
  /**
   * Where the file is now, for people to read; absent when only the history has it, and in a dry
   * run.
   */
  readonly where?: string;
  /** The links to the file that the caller may see; lines count from 1. */
  readonly linkedFrom: readonly { readonly path: VaultPath; readonly line: number }[];
  /** The number of links that were turned into text. */
  readonly unlinked: number;
  /** Links that cannot be turned into text and still name the file. */
  readonly left: readonly LinkPlaceLeft[];
}

/**
 * Deletes a note or an attachment into the trash that the vault's settings name, or into `.trash/`.
 * Links to it stay as they are, as in the app, and are listed, unless they are to be unlinked.
 * Fails with `not_found` or `ambiguous` when the name does not lead to one file, with `conflict`
 * when the file does not have the expected version, and with `unavailable` when links must be
 * unlinked but some notes cannot be read.
 */
export async function deleteFile(draft: Draft, request: DeleteFileRequest): Promise<DeletedFile> {
  if (request.permanent === true && request.trash !== undefined) {
    throw new VaultError('invalid_input', 'Give either "permanent" or "trash", not both.');
  }
  const path = await draft.find(request.name);
  await draft.expect(path, request.version);
  const unlisted = (error: unknown): [] => {
    if (!isIndexUnusable(error)) throw error;
    draft.warn(`${error.message} Links that lead to "${path}" are not listed.`);
    return [];
  };
  const links =
    request.links === 'unlink'
      ? await unlinkFile(draft, path, { force: request.force ?? false })
      : { linkedFrom: await linkedFrom(draft, path).catch(unlisted), unlinked: 0, left: [] };
  return { path, ...(await throwAway(draft, path, request)), ...links };
}

/** Lists the links from the index, or from the files when this change has just made the file. */
async function linkedFrom(draft: Draft, path: VaultPath): Promise<DeletedFile['linkedFrom']> {
  const { vault } = draft;
  // Asks for no names: only brings the index up to date and makes the plan depend on it.
  await draft.sourcesNaming([]);
  if ((await vault.stat(path)) !== undefined) {
    const page = { limit: limits.resultsMax, offset: 0 };
    const asked = { to: [path] };
    const { items } = await vault.askLinks(asked, (store) =>
      store.linksTo(vault.view(), path, page),
    );
    return items
      .filter(({ source }) => source !== path)
      .map(({ source, line }) => ({ path: source, line: line + 1 }));
  }
  const found: { path: VaultPath; line: number }[] = [];
  const { paths, files } = await filesNaming(draft, path);
  const others = paths.filter((source) => source !== path && vault.sees(source));
  await visitTexts(draft, others, async (texts, turns) => {
    for (const { path: source, text } of texts) {
      await turns.next();
      const { lines } = await vault.work('unlink', text, { path: source, target: path, files });
      for (const line of lines) found.push({ path: source, line });
    }
  });
  return found;
}

/** Deletes the file, or moves it to `.trash/`. A dry run puts nothing into the system's trash. */
async function throwAway(
  draft: Draft,
  path: VaultPath,
  request: DeleteFileRequest,
): Promise<Pick<DeletedFile, 'trash' | 'where'>> {
  switch (await trashFor(draft, path, request)) {
    case 'none':
      await draft.delete(path);
      return { trash: 'none' };
    case 'system': {
      if (draft.dryRun && draft.vault.vault.parts.trash !== undefined) {
        await draft.delete(path);
        return { trash: 'system' };
      }
      const where = await putInSystemTrash(draft, path);
      if (where === undefined) return moveToTrash(draft, path);
      await draft.delete(path);
      return { trash: 'system', where };
    }
    case 'local':
      return moveToTrash(draft, path);
  }
}

/**
 * Decides where a file goes. A file that is too large for the history always goes to `.trash/`, so
 * that a copy is kept.
 */
async function trashFor(
  draft: Draft,
  path: VaultPath,
  request: DeleteFileRequest,
): Promise<DeletedFile['trash']> {
  const { trashOption, trashOptionSet } = await draft.vault.vault.settings();
  const wanted = request.trash ?? (trashOptionSet ? trashOption : 'local');
  const trash = request.permanent === true ? 'none' : wanted;
  const size = (await draft.vault.stat(path))?.size ?? 0;
  if (trash === 'local' || size <= limits.historyContentBytesMax) return trash;
  draft.warn(`"${path}" is too large for history to keep, so it goes to "${trashFolder}".`);
  return 'local';
}

/**
 * Puts a copy into the system's trash before the file is deleted, and takes it out again when the
 * change fails. Returns where it is; undefined where there is no such trash.
 */
async function putInSystemTrash(draft: Draft, path: VaultPath): Promise<string | undefined> {
  const { trash } = draft.vault.vault.parts;
  if (trash === undefined) return undefined;
  const { bytes } = await draft.readBytes(path, limits.historyContentBytesMax);
  const put = await trash.put(path, bytes);
  if (put === undefined) return undefined;
  draft.onEnd(async (committed) => {
    if (!committed) await put.takeBack();
  });
  return put.where;
}

async function moveToTrash(draft: Draft, path: VaultPath) {
  const to = await freePath(draft, joinPath(trashFolder, fileNameOf(path)));
  await draft.move(path, to, { dotNames: true });
  return { trash: 'local', where: to } as const;
}

/**
 * Deletes the note, canvas or base at exactly this path as `deleteFile` does. A file that does not
 * exist is not a failure: `deleted` is then false. Fails with `invalid_input` for an attachment.
 */
export async function deleteNoteAt(
  draft: Draft,
  request: { readonly path: string },
): Promise<{ readonly path: VaultPath; readonly deleted: boolean }> {
  const path = vaultPath(request.path);
  if ((await draft.kind(path)) !== 'file') return { path, deleted: false };
  if (fileKind(path) === 'attachment') {
    throw new VaultError(
      'invalid_input',
      `"${path}" is an attachment; only notes, canvases and bases are deleted here.`,
      { details: { path } },
    );
  }
  await deleteFile(draft, { name: { path } });
  return { path, deleted: true };
}
