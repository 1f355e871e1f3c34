import type { VaultPath } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import { setProperty } from '../../../markdown/properties/set-property.ts';
import { readMarkdown } from '../../notes/find-markdown.ts';
import { tagEntries, tagNames } from '../../tags/note-tags.ts';
import { tagKey, tagName } from '../../text/tag-name.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';

export interface NoteTagsRequest {
  readonly name: NoteName;
  /** With or without `#`. */
  readonly tags: readonly string[];
  readonly version?: Version;
}

/**
 * Adds tags to the `tags` property of a note, those that it lacks, and answers all that are there
 * then. Tags in the text count for nothing here and stay.
 */
export async function addTags(
  draft: Draft,
  request: NoteTagsRequest,
): Promise<{ path: VaultPath; tags: string[] }> {
  const wanted = request.tags.map(tagName);
  const { path, text } = await readMarkdown(draft, request);
  const entries = tagEntries(text);
  const known = new Set(tagNames(entries).map(tagKey));
  const added = wanted.filter((tag) => {
    const isNew = !known.has(tagKey(tag));
    known.add(tagKey(tag));
    return isNew;
  });
  const after = [...entries, ...added];
  if (added.length > 0) await draft.edit(path, setProperty(text, 'tags', after));
  return { path, tags: tagNames(after) };
}
