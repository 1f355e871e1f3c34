import type { VaultPath } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import { readMarkdown } from '../../notes/find-note.ts';
import { readPropertyTypes } from '../../settings/property-types.ts';
import type { GivenType } from '../../text/convert-property.ts';
import { convertProperty, convertTags } from '../../text/convert-property.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';

interface SetNotePropertyRequest {
  readonly name: NoteName;
  readonly key: string;
  readonly value: PropertyValue;
  /**
   * The type to convert the value to; if absent, the type that the vault has for this property
   * name.
   */
  readonly type?: GivenType;
  readonly version?: VersionStart;
}

/**
 * Sets a property of a note and returns it as written. Changes no lines but those of the property.
 * Fails with `invalid_input` when the value does not fit the type or the note's properties are not
 * valid YAML.
 */
export async function setNoteProperty(
  draft: Draft,
  request: SetNotePropertyRequest,
): Promise<{ path: VaultPath; key: string; value: PropertyValue }> {
  const { path, text } = await readMarkdown(draft, request);
  const value = await typedValue(draft, request);
  const { key, edits } = await draft.vault.work('setProperty', text, request.key, value);
  await draft.edit(path, edits);
  return { path, key, value };
}

/**
 * Converts the value. `tags` are always tags, whatever type is given, and the vault's own types are
 * only applied to strings.
 */
async function typedValue(
  draft: Draft,
  { key, value, type }: SetNotePropertyRequest,
): Promise<PropertyValue> {
  if (key.toLowerCase() === 'tags') return convertTags(value);
  if (type !== undefined) return convertProperty(key, value, type);
  if (typeof value !== 'string') return value;
  const problems: string[] = [];
  const types = await readPropertyTypes(draft.vault.vault.parts.disk, problems);
  for (const problem of problems) draft.warn(problem);
  const known = types.get(key.toLowerCase());
  return known === undefined ? value : convertProperty(key, value, known);
}

interface RemoveNotePropertyRequest {
  readonly name: NoteName;
  readonly key: string;
  readonly version?: VersionStart;
}

/**
 * Removes a property from a note, and the whole block of properties with the last one. `removed` is
 * false when the note has no such property. Fails with `invalid_input` when the note's properties
 * are not valid YAML.
 */
export async function removeNoteProperty(
  draft: Draft,
  request: RemoveNotePropertyRequest,
): Promise<{ path: VaultPath; removed: boolean }> {
  const { path, text } = await readMarkdown(draft, request);
  const edits = await draft.vault.work('removeProperty', text, request.key);
  await draft.edit(path, edits);
  return { path, removed: edits.length > 0 };
}

/**
 * Sets a property of a note, or removes it when the value is null. A string stays a string,
 * whatever type the vault has for that property, except that aliases always become a list. Fails as
 * `setNoteProperty` does.
 */
export async function setOrRemoveProperty(
  draft: Draft,
  request: Omit<SetNotePropertyRequest, 'type'>,
): Promise<{ path: VaultPath; key: string; value: PropertyValue }> {
  const { key, value } = request;
  if (value !== null) return setNoteProperty(draft, { ...request, ...typeOf(key, value) });
  const { path, removed } = await removeNoteProperty(draft, request);
  if (!removed) draft.warn(`"${path}" has no property "${key}", so there was nothing to remove.`);
  return { path, key, value };
}

/** The type that keeps a string a string, except for aliases. */
function typeOf(key: string, value: PropertyValue): { type?: 'text' | 'list' } {
  if (typeof value !== 'string') return {};
  return { type: key.toLowerCase() === 'aliases' ? 'list' : 'text' };
}
