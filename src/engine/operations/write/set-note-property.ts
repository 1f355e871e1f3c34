import { assert } from '../../../base/assert.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { foldName } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import { readMarkdown } from '../../notes/find-note.ts';
import type { GivenType } from '../../text/convert-property.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { decideValue, VaultTypes } from './decide-value.ts';

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
  const value = await valueFor(draft, path, request);
  return writeValue(draft, path, { ...request, value });
}

/** The value that is written into a note. */
async function valueFor(
  draft: Draft,
  path: VaultPath,
  { key, value, type }: Pick<SetNotePropertyRequest, 'key' | 'value' | 'type'>,
): Promise<PropertyValue> {
  const current = (await valuesOf(draft, (await draft.read(path)).text))(key);
  return decideValue(draft, new VaultTypes(draft), { key, value, type, current });
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
  /** The version that a note must still have; for one note only. */
  readonly version?: VersionStart;
}

/** Sets or removes several properties of one note, as `setNotesProperties` does. */
export async function setNoteProperties(
  draft: Draft,
  { name, ...rest }: Omit<SetPropertiesRequest, 'names'> & { readonly name: NoteName },
): Promise<{ path: VaultPath; properties: Readonly<Record<string, PropertyValue>> }> {
  const { paths, written } = await setNotesProperties(draft, { names: [name], ...rest });
  const [path] = paths;
  assert(path !== undefined, 'one name is one note');
  return { path, properties: Object.fromEntries(written) };
}

/**
 * Sets the same properties in several notes, or removes those whose value is null, and returns for
 * each note and property what was written; `paths` are the notes. A property that a note does not
 * have needs no removing. Fails as `setNoteProperty` does, for the first note with a problem.
 */
export async function setNotesProperties(
  draft: Draft,
  { names, properties, ...expected }: SetPropertiesRequest,
): Promise<{
  readonly paths: readonly VaultPath[];
  readonly written: readonly (readonly [key: string, value: PropertyValue])[];
}> {
  const types = new VaultTypes(draft);
  const paths = new Set<VaultPath>();
  const written: [key: string, value: PropertyValue][] = [];
  for (const name of names) {
    const { path, text } = await readMarkdown(draft, { name, ...expected });
    paths.add(path);
    const currentOf = await valuesOf(draft, text);
    const entries: [key: string, value: PropertyValue][] = [];
    for (const [key, value] of Object.entries(properties)) {
      const request = { key, value, current: currentOf(key) };
      entries.push([key, await decideValue(draft, types, request)]);
    }
    await draft.edit(path, await draft.vault.work('setProperties', text, entries));
    written.push(...entries);
  }
  return { paths: Array.from(paths), written };
}

/** The values of the properties of a note, by their names in any case. */
async function valuesOf(
  draft: Draft,
  text: string,
): Promise<(key: string) => PropertyValue | undefined> {
  const { entries } = await draft.vault.work('properties', text);
  const values = new Map(entries.map(([name, value]) => [foldName(name), value]));
  return (key) => values.get(foldName(key));
}
