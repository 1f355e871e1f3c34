import type { VaultPath } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import { removeProperty } from '../../../markdown/properties/set-property.ts';
import { readMarkdown } from '../../notes/find-markdown.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';

export interface RemoveNotePropertyRequest {
  readonly name: NoteName;
  readonly key: string;
  readonly version?: Version;
}

/**
 * Takes a property out of a note; with the last one goes the whole block. A note that has no such
 * property stays as it is.
 */
export async function removeNoteProperty(
  draft: Draft,
  request: RemoveNotePropertyRequest,
): Promise<{ path: VaultPath; removed: boolean }> {
  const { path, text } = await readMarkdown(draft, request);
  const edits = removeProperty(text, request.key);
  await draft.edit(path, edits);
  return { path, removed: edits.length > 0 };
}
