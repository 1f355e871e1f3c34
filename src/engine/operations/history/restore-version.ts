import type { VaultPath } from '../../../base/vault-path.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { versionBytes } from './file-versions.ts';

/**
 * Gives a file the content that it had in an earlier version; its name stays. Versions are those of
 * `listVersions`; what it holds now becomes one of them.
 */
export async function restoreVersion(
  draft: Draft,
  request: { readonly name: NoteName; readonly version: number },
): Promise<{ readonly path: VaultPath }> {
  const path = await draft.find(request.name);
  const bytes = await versionBytes(draft.vault, path, request.version);
  await draft.put(path, bytes);
  return { path };
}
