import type { VaultPath } from '../../../base/vault-path.ts';
import { foldName } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import { readMarkdown } from '../../notes/find-note.ts';
import type { GivenType } from '../../text/convert-property.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { decideValue } from './decide-value.ts';

interface SetNotePropertyRequest {
  readonly name: NoteName;
  readonly key: string;
  readonly value: PropertyValue;
  /** The type to convert the value to; if absent, `decideValue` finds it. */
  readonly type?: GivenType | 'json';
  readonly version?: VersionStart;
}

/**
 * Sets a property of a note and returns it as written. Changes no lines but those of the property.
 * Fails with `invalid_input` when the value does not fit the type (see `decideValue`) or the note's
 * properties are not valid YAML.
 */
export async function setNoteProperty(
  draft: Draft,
  request: SetNotePropertyRequest,
): Promise<{ path: VaultPath; key: string; value: PropertyValue }> {
  const { path } = await readMarkdown(draft, request);
  return writeValue(draft, path, { ...request, value: await valueFor(draft, path, request) });
}

/** The value that is written into a note. */
async function valueFor(
  draft: Draft,
  path: VaultPath,
  { key, value, type }: Pick<SetNotePropertyRequest, 'key' | 'value' | 'type'>,
): Promise<PropertyValue> {
  const { entries } = await draft.vault.work('properties', (await draft.read(path)).text);
  const asked = foldName(key);
  const current = entries.find(([name]) => foldName(name) === asked)?.[1];
  return decideValue(draft, { key, value, type, current });
}

async function writeValue(
  draft: Draft,
  path: VaultPath,
  { key: asked, value }: { readonly key: string; readonly value: PropertyValue },
): Promise<{ path: VaultPath; key: string; value: PropertyValue }> {
  const { text } = await draft.read(path);
  const { key, edits } = await draft.vault.work('setProperty', text, asked, value);
  await draft.edit(path, edits);
  return { path, key, value };
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
 * Sets a property of a note, or removes it when the value is null. Fails as `setNoteProperty` does.
 */
export async function setOrRemoveProperty(
  draft: Draft,
  request: Omit<SetNotePropertyRequest, 'type'>,
): Promise<{ path: VaultPath; key: string; value: PropertyValue }> {
  const { path } = await readMarkdown(draft, request);
  const { key } = request;
  const value = await valueFor(draft, path, request);
  if (value !== null) return writeValue(draft, path, { key, value });
  const { removed } = await removeNoteProperty(draft, { name: { path }, key });
  if (!removed) draft.warn(`"${path}" has no property "${key}", so there was nothing to remove.`);
  return { path, key, value };
}

interface SetPropertiesRequest {
  readonly names: readonly NoteName[];
  /** The new values; null removes a property. */
  readonly properties: Readonly<Record<string, PropertyValue>>;
}

/**
 * Sets the same properties in several notes, or removes those whose value is null, and returns for
 * each note and property what was written; `paths` are the notes. A property that a note does not have needs no removing.
 * Fails as `setNoteProperty` does, for the first note with a problem.
 */
export async function setNotesProperties(
  draft: Draft,
  { names, properties }: SetPropertiesRequest,
): Promise<{
  readonly paths: readonly VaultPath[];
  readonly written: readonly { key: string; value: PropertyValue }[];
}> {
  const paths = new Set<VaultPath>();
  const written: { key: string; value: PropertyValue }[] = [];
  for (const name of names) {
    const { path } = await readMarkdown(draft, { name });
    paths.add(path);
    for (const [key, asked] of Object.entries(properties)) {
      const value = await valueFor(draft, path, { key, value: asked });
      if (value === null) await removeNoteProperty(draft, { name: { path }, key });
      else await writeValue(draft, path, { key, value });
      written.push({ key, value });
    }
  }
  return { paths: Array.from(paths), written };
}
