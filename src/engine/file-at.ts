import type { VaultPath } from '../base/vault-path.ts';
import type { Draft } from './draft.ts';
import { spellings } from './operations/find-note.ts';

/** The file at exactly this path, `.md` optional; undefined when there is none that is seen. */
export async function fileAt(draft: Draft, path: VaultPath): Promise<VaultPath | undefined> {
  for (const spelled of spellings(path)) if ((await draft.kind(spelled)) === 'file') return spelled;
  return undefined;
}
