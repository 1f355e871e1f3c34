import { limits } from '../../../base/limits.ts';
import { rethrowIfAway, VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { isInside, trashFolder } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import type { ChangedFile } from '../../change/change-files.ts';
import { changedFiles, fileSpans } from '../../change/change-files.ts';
import { historySees } from '../../change/change-row.ts';
import { checkAllowed } from '../../decide/decide.ts';
import { noSuchChange } from '../../history/change-ids.ts';
import { readEnds } from '../../history/read-ends.ts';
import { readHistory } from '../../history/read-history.ts';
import { isIndexUnusable } from '../../ports/index-store.ts';
import type { ChangeId, StoredChange, TailStep } from '../../ports/state-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { FileChange } from '../../vault/draft.ts';
import { type FeedChange, feedChanges } from './list-feed.ts';

/** One file of a change with its texts, as far as history has them. */
export interface ChangedText extends FileChange {
  /** A folder that was made, moved or removed. */
  readonly isFolder?: true;
  /** The text before; absent for a new file, and for one that only moved. */
  readonly before?: string;
  /** The text after; absent for a deleted file, and for one that only moved. */
  readonly after?: string;
  /** History has not kept the content before or after: neither is given. */
  readonly lost?: true;
  /** Set when the texts are only the end of the file, from this byte on: nothing else was changed. */
  readonly endFrom?: number;
  /** The content is not text: neither is given. */
  readonly binary?: true;
  /** The texts are left out because the answer would be too long; ask for this path alone. */
  readonly more?: true;
  /** Where a deleted file was put, if into the vault's own trash. */
  readonly trash?: VaultPath;
  /** How many links lead nowhere now that would lead to this deleted file; absent when none do. */
  readonly linksLost?: number;
  /** The undo that took back this file alone, if the change as a whole is not undone. */
  readonly undoneBy?: ChangeId;
}

/** A change with the texts of its files. */
export interface ChangeTexts extends FeedChange {
  readonly texts: readonly ChangedText[];
  /** How many files are not in `texts` at all. */
  readonly more?: number;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns a change with the texts of its files before and after, `limits.changeTextsCharsMax` in
 * all: what comes after that is listed without texts. A deleted file has the text that it had, also
 * where it was moved to the trash. With `paths`, only those files are in `texts`. Fails with
 * `not_found` when the history has no such change, and with `forbidden` for callers who do not see
 * the whole vault.
 */
export async function changeTexts(
  vault: BoundVault,
  request: { readonly id: ChangeId; readonly paths?: readonly string[] | undefined },
): Promise<ChangeTexts> {
  checkAllowed(vault.caller, { wholeVault: 'history' });
  const { id } = request;
  const { items } = await vault.history.changes({ ids: [id] }, { limit: 1, offset: 0 });
  const [change] = items;
  const [row] = await feedChanges(vault, items);
  if (change === undefined || row === undefined) throw noSuchChange([id]);
  const wanted = request.paths === undefined ? undefined : new Set(request.paths);
  const files = row.files.filter(({ path }) => wanted?.has(path) ?? true);
  const spans = fileSpans(change.steps);
  const folders = new Set(
    spans.flatMap(({ isFolder, to, from }) => (isFolder && (to ?? from)) || []),
  );
  /** Where each deleted file went, if into the trash. */
  const trashed = new Map(
    spans.flatMap(({ from, to }): [VaultPath, VaultPath][] =>
      from && to && isInside(to, trashFolder) ? [[from, to]] : [],
    ),
  );
  const undoers = change.undoneBy === undefined ? await partUndoers(vault, change) : new Map();
  const texts: ChangedText[] = [];
  let chars = 0;
  for (const file of files.slice(0, limits.changeTextsFilesMax)) {
    const { before: _, after: __, tails: ___, ...named } = file;
    const undoneBy = undoers.get(file.path);
    const trash = trashed.get(file.path);
    const part = {
      ...named,
      ...(undoneBy === undefined ? {} : { undoneBy }),
      ...(trash === undefined ? {} : { trash }),
    };
    if (folders.has(file.path)) {
      texts.push({ ...part, isFolder: true });
      continue;
    }
    const found: Texts =
      chars >= limits.changeTextsCharsMax
        ? { more: true }
        : await textsOf(vault, file, trash ?? file.path);
    const length = (found.before?.length ?? 0) + (found.after?.length ?? 0);
    // The first file is shown however long it is, so that asking for one path always shows it.
    const isTooMuch = texts.length > 0 && chars + length > limits.changeTextsCharsMax;
    texts.push(isTooMuch ? { ...part, more: true } : { ...part, ...found });
    chars += length;
  }
  const more = files.length - texts.length;
  return { ...row, texts: await withLinksLost(vault, texts), ...(more > 0 ? { more } : {}) };
}

/** Adds how many links lead nowhere because of the deleted files, as far as the index knows now. */
async function withLinksLost(
  vault: BoundVault,
  texts: readonly ChangedText[],
): Promise<readonly ChangedText[]> {
  const deleted = texts.filter(({ did, isFolder }) => did === 'deleted' && isFolder !== true);
  if (deleted.length === 0) return texts;
  const paths = deleted.map(({ path }) => path);
  const counts = await linksMissing(vault, paths);
  const lost = new Map(paths.map((path, at) => [path, counts[at] ?? 0]));
  return texts.map((text) => {
    const linksLost = text.did === 'deleted' ? (lost.get(text.path) ?? 0) : 0;
    return linksLost === 0 ? text : { ...text, linksLost };
  });
}

/**
 * See `IndexStore.linksMissing`; empty when the index cannot be used. With `after`, once the index has
 * this part, so that what this call has changed is in it; empty when that takes too long.
 */
export function linksMissing(
  vault: BoundVault,
  paths: readonly VaultPath[],
  after?: 'facts',
): Promise<readonly number[]> {
  const asked = async (): Promise<readonly number[]> => {
    if (after !== undefined && !(await vault.waitForIndex(after))) return [];
    return vault.askNow((store) => store.linksMissing(vault.view(), paths));
  };
  return asked().catch((error: unknown) => {
    if (!isIndexUnusable(error)) throw error;
    return [];
  });
}

type Texts = Pick<ChangedText, 'before' | 'after' | 'lost' | 'binary' | 'more' | 'endFrom'>;

/**
 * The texts of a file before and after; none for a file that only moved. `at` is where the file was
 * after the change: history keeps no content of a file that moved, also into the trash.
 */
async function textsOf(vault: BoundVault, file: ChangedFile, at: VaultPath): Promise<Texts> {
  const { before, after, did, tails } = file;
  if (tails !== undefined) return endTexts(vault, file.path, tails);
  if (before === after && did === 'moved') return {};
  const needs = { before: did !== 'created', after: did !== 'deleted' };
  const contents = {
    before: needs.before ? await contentOf(vault, before, at) : undefined,
    after: needs.after ? await contentOf(vault, after, at) : undefined,
  };
  if (
    (needs.before && contents.before === undefined) ||
    (needs.after && contents.after === undefined)
  ) {
    return { lost: true };
  }
  vault.hasRead(file.path, contents.before, contents.after);
  try {
    return {
      ...(contents.before === undefined ? {} : { before: decoder.decode(contents.before) }),
      ...(contents.after === undefined ? {} : { after: decoder.decode(contents.after) }),
    };
  } catch {
    return { binary: true };
  }
}

/** The texts of the end of a file, where only that was changed. */
async function endTexts(
  vault: BoundVault,
  path: VaultPath,
  tails: readonly TailStep[],
): Promise<Texts> {
  const ends = await readEnds(vault.vault.parts.state, tails);
  if (ends === undefined) return { lost: true };
  const { from: endFrom, before, after } = ends;
  vault.hasRead(path, before, after);
  try {
    return { endFrom, before: decoder.decode(before), after: decoder.decode(after) };
  } catch {
    return { binary: true };
  }
}

/** The bytes of a version: from history, or from the file at a path if it still has this version. */
async function contentOf(
  vault: BoundVault,
  version: Version | undefined,
  at: VaultPath,
): Promise<Uint8Array | undefined> {
  if (version === undefined) return undefined;
  const kept = await vault.vault.parts.state.content(version);
  if (kept !== undefined) return kept;
  const now = await vault
    .read(at, { bytesMax: limits.historyContentBytesMax })
    .catch((error: unknown) => {
      if (error instanceof VaultError) return rethrowIfAway(error);
      throw error;
    });
  return now?.version === version ? now.bytes : undefined;
}

/**
 * For each file of a change that was taken back by itself, the undo that did it. Reads the undos of
 * the change, of which there are few.
 */
async function partUndoers(
  vault: BoundVault,
  { id }: StoredChange,
): Promise<ReadonlyMap<VaultPath, ChangeId>> {
  const undoers = new Map<VaultPath, ChangeId>();
  for await (const undo of readHistory(vault.history, { undoing: [id], undone: false })) {
    for (const { path, from } of changedFiles(undo.steps, historySees(vault))) {
      for (const at of [path, from]) {
        if (at !== undefined && !undoers.has(at)) undoers.set(at, undo.id);
      }
    }
  }
  return undoers;
}
