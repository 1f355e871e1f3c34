import type { VaultPath } from '../../base/vault-path.ts';
import { isVaultPath, vaultPath } from '../../base/vault-path.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { Draft } from '../vault/draft.ts';

/**
 * The note at a path, with or without `.md`, if need be in another case or Unicode form; undefined
 * when there is none that the caller may see.
 */
export async function noteAt(draft: Draft, name: string): Promise<VaultPath | undefined> {
  const spelled = fileKind(name) === 'note' ? name : `${name}.md`;
  if (!isVaultPath(spelled)) return undefined;
  const path = vaultPath(spelled);
  if ((await draft.kind(path)) === 'file') return path;
  const twin = await draft.twin(path);
  return twin !== undefined && draft.vault.sees(twin) ? twin : undefined;
}
