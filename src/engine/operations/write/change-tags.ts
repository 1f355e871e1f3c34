import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import { setProperty } from '../../../markdown/properties/set-property.ts';
import { readMarkdown } from '../../notes/find-note.ts';
import { tagEntries, tagNames } from '../../tags/note-tags.ts';
import { tagKey, tagName } from '../../text/tag-name.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';

interface NoteTagsRequest {
  readonly name: NoteName;
  /** With or without `#`. */
  readonly tags: readonly string[];
  readonly version?: VersionStart;
}

/**
 * Adds those tags that a note lacks to its `tags` property, and returns all tags of the property.
 * Tags in the text are neither counted nor changed. Fails with `invalid_input` for a text that
 * cannot be a tag.
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

/**
 * Removes tags from the `tags` property of a note, and returns those that are left. Tags in the
 * text stay; a warning says where they are. Fails with `not_found` when the property has none of
 * the tags.
 */
export async function removeTags(
  draft: Draft,
  request: NoteTagsRequest,
): Promise<{ path: VaultPath; tags: string[] }> {
  const names = request.tags.map(tagName);
  const unwanted = new Set(names.map(tagKey));
  const { path, text } = await readMarkdown(draft, request);
  const entries = tagEntries(text);
  const left = entries.filter((entry) => typeof entry !== 'string' || !unwanted.has(tagKey(entry)));
  const lines = await draft.vault.work('tagLines', text, names);
  const inText = names.flatMap((tag, index) => placesOf(tag, lines[index] ?? []));
  if (left.length === entries.length) {
    const hint = inText.length > 0 ? ` Its text has them: ${inText.join('; ')}.` : '';
    throw new VaultError(
      'not_found',
      `The properties of "${path}" have none of these tags.${hint}`,
      { details: { path, tags: names } },
    );
  }
  for (const place of inText) draft.warn(`The text of "${path}" still has ${place}.`);
  await draft.edit(path, setProperty(text, 'tags', left));
  return { path, tags: tagNames(left) };
}

/** Says on which lines of the text a tag is written; nothing when it is not in the text. */
function placesOf(tag: string, lines: readonly number[]): string[] {
  if (lines.length === 0) return [];
  return [`#${tag} on line${lines.length > 1 ? 's' : ''} ${lines.join(', ')}`];
}
