import type { VaultPath } from '../../base/vault-path.ts';
import { unifiedDiff } from '../text/unified-diff.ts';
import type { DraftFile } from './draft-files.ts';
import type { VaultDraft } from './vault-draft.ts';

/**
 * What a draft would change, as one unified diff in path order, without what the caller may not
 * see.
 */
export function draftDiff(draft: VaultDraft): string {
  const { files, vault } = draft;
  const diffs: { readonly path: VaultPath; readonly text: string }[] = [];
  const add = (path: VaultPath, text: string): void => {
    diffs.push({ path, text });
  };
  for (const { from, to } of files.folderMoves) add(to, unifiedDiff({ from, to }));
  for (const [path, file] of files.touched()) add(path, fileDiff(draft, path, file));
  for (const [path, { found }] of files.deleted) {
    add(path, unifiedDiff({ from: path, ...(found?.bytes ? { before: found.bytes } : {}) }));
  }
  return (
    diffs
      // No caller sees dot names, but where a file goes in the trash is shown.
      .filter(({ path }) => vault.sees(path) || path.startsWith('.'))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map(({ text }) => text)
      .join('')
  );
}

function fileDiff({ files }: VaultDraft, path: VaultPath, file: DraftFile): string {
  const { origin, found, after } = file;
  // A file in a moved folder is shown at its new path; that it moved is said once, of the folder.
  const from = origin === undefined ? undefined : (files.fromDisk(origin) ?? origin);
  return unifiedDiff({
    to: path,
    ...(from === undefined ? {} : { from }),
    ...(after === undefined ? {} : { after: after.bytes }),
    ...(after === undefined || found?.bytes === undefined ? {} : { before: found.bytes }),
  });
}
