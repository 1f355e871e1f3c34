import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { FileDiff } from '../ports/note-work.ts';
import { Turns } from '../vault/turns.ts';
import type { DraftFile } from './draft-files.ts';
import type { VaultDraft } from './vault-draft.ts';

/**
 * What a draft would change, as one unified diff in path order, without what the caller may not
 * see.
 */
export async function draftDiff(draft: VaultDraft): Promise<string> {
  const { files, vault } = draft;
  const touched: { readonly path: VaultPath; readonly file: FileDiff }[] = [];
  for (const { from, to } of files.folderMoves) touched.push({ path: to, file: { from, to } });
  for (const [path, file] of files.touched()) {
    touched.push({ path, file: fileDiff(draft, path, file) });
  }
  for (const [path, { found }] of files.deleted) {
    const before = found?.bytes ? { before: found.bytes } : {};
    touched.push({ path, file: { from: path, ...before } });
  }
  const turns = new Turns(vault);
  const diffs: string[] = [];
  for (const { path, file } of touched.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    // No caller sees dot names, but where a file goes in the trash is shown.
    if (!vault.sees(path) && !path.startsWith('.')) continue;
    await turns.next();
    if (file.before !== undefined) vault.hasRead(file.from ?? path, file.before);
    diffs.push(await vault.work('diff', file));
  }
  return diffs.join('');
}

/**
 * What a draft would write over these files, as one unified diff for the owner, who is asked about it.
 * Files that are not read, and what is too long, are left out: the diff may be empty.
 */
export async function overwritingDiff(
  draft: VaultDraft,
  paths: readonly VaultPath[],
): Promise<string> {
  const { files, vault } = draft;
  const turns = new Turns(vault);
  let diffs = '';
  for (const path of paths) {
    const file = files.files.get(path);
    const bytes = (file?.found?.bytes?.length ?? 0) + (file?.after?.bytes.length ?? 0);
    if (!file?.found?.bytes || bytes > limits.questionDiffBytesMax) continue;
    await turns.next();
    const diff = await vault.work('diff', fileDiff(draft, path, file));
    if (diffs.length + diff.length <= limits.questionDiffCharsMax) diffs += diff;
  }
  return diffs;
}

function fileDiff({ files }: VaultDraft, path: VaultPath, file: DraftFile): FileDiff {
  const { origin, found, after } = file;
  // A file in a moved folder is shown at its new path; that it moved is said once, of the folder.
  const from = origin === undefined ? undefined : (files.fromDisk(origin) ?? origin);
  return {
    to: path,
    ...(from === undefined ? {} : { from }),
    ...(after === undefined ? {} : { after: after.bytes }),
    ...(after === undefined || found?.bytes === undefined ? {} : { before: found.bytes }),
  };
}
