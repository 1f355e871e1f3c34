import { limits } from '../../../base/limits.ts';
import type { VaultFolder } from '../../../base/vault-path.ts';
import { findFolder, folderView } from '../../notes/find-folder.ts';
import type { GraphOutline } from '../../ports/graph-outline.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/**
 * Returns the notes of a folder, or of the whole vault, and the links between them, for drawing: at
 * most `limit` notes, those with the most links, and all of them summed up by folder, with bounds for
 * links and folders too. With a tag, only notes that have it. Fails as `findFolder` does.
 */
export async function outlineGraph(
  vault: BoundVault,
  request: {
    readonly folder: VaultFolder;
    readonly tag?: string | undefined;
    readonly limit: number;
  },
): Promise<GraphOutline> {
  const folder = await findFolder(vault, request.folder);
  const view = await folderView(vault, folder);
  const bounds = { linesMax: limits.graphLinesMax, foldersMax: limits.graphFoldersMax };
  return vault.ask('facts', (store) => store.outline(view, { ...request, ...bounds, folder }));
}
