import { VaultError } from '../../../base/vault-error.ts';
import { foldName, type VaultPath } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import { checkMarkdown, findNote } from '../../notes/find-note.ts';
import { fileKind } from '../../ports/file-kind.ts';
import type { PageRequest, PropertyRow } from '../../ports/index-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

/**
 * Lists every property name of the vault, with the number of files that have it and the types of
 * its values.
 */
export async function listProperties(vault: BoundVault): Promise<readonly PropertyRow[]> {
  const view = await vault.listedView();
  return vault.ask('facts', (store) => store.properties(view));
}

/** Finds a property of the vault by name, in any case; undefined when no note has it. */
export async function findProperty(
  vault: BoundVault,
  { property }: { readonly property: string },
): Promise<PropertyRow | undefined> {
  const asked = foldName(property);
  const view = await vault.listedView();
  // While a vault is new, the notes that have the word are read as if it were the name in a link.
  const rows = await vault.askLinks({ segments: [asked] }, (store) => store.properties(view));
  return rows.find(({ key }) => foldName(key) === asked);
}

/** The failure of reading properties that are not valid YAML. */
export class BrokenProperties extends VaultError {
  constructor(path: VaultPath, problem: string) {
    super(
      'invalid_input',
      `The properties of "${path}" are not valid YAML (${problem}); correct them in the note first.`,
      { details: { path } },
    );
  }
}

/**
 * Does what `readProperties` does, but fails with `invalid_input` for a file that is not a Markdown
 * note.
 */
export async function readNoteProperties(
  vault: BoundVault,
  request: { readonly name: NoteName },
): ReturnType<typeof readProperties> {
  const path = await findNote(vault, request.name);
  checkMarkdown(path);
  return readProperties(vault, { name: { path } });
}

/**
 * Reads the properties of one note, in the order in which they are written. Fails with
 * `BrokenProperties` (`invalid_input`) when they are not valid YAML, because an empty answer would
 * look like a note without properties, and with `not_found` or `ambiguous` when the name does not
 * lead to one note.
 */
export async function readProperties(
  vault: BoundVault,
  request: { readonly name: NoteName },
): Promise<{
  path: VaultPath;
  properties: Readonly<Record<string, PropertyValue>>;
  version: Version;
}> {
  const { path, text, version } = await vault.readText(await findNote(vault, request.name));
  const { problem, entries } = await vault.work('properties', text);
  if (problem !== undefined) throw new BrokenProperties(path, problem);
  return { path, properties: Object.fromEntries(entries), version };
}

/**
 * Reads one property of a note by name, in any case; `found` is undefined when the note does not
 * have it. Fails as `readProperties` does.
 */
export async function readProperty(
  vault: BoundVault,
  { name, property }: { readonly name: NoteName; readonly property: string },
): Promise<{
  readonly path: VaultPath;
  readonly found?: { readonly key: string; readonly value: PropertyValue | undefined };
}> {
  const { path, properties } = await readProperties(vault, { name });
  const asked = foldName(property);
  const key = Object.keys(properties).find((each) => foldName(each) === asked);
  return key === undefined ? { path } : { path, found: { key, value: properties[key] } };
}

/**
 * Lists the aliases of one note or of all notes, by path and then as the note lists them. Fails
 * with `not_found` or `ambiguous` when a name is given that does not lead to one note.
 */
export async function listAliases(
  vault: BoundVault,
  request: PageRequest & { readonly name?: NoteName },
): Promise<{
  readonly total: number;
  readonly aliases: readonly { readonly alias: string; readonly path: VaultPath }[];
}> {
  const { name, limit, offset } = request;
  if (name === undefined) {
    const view = await vault.listedView();
    const page = await vault.ask('facts', (store) => store.aliases(view, { limit, offset }));
    return { total: page.total, aliases: page.items };
  }
  const all = await aliasesOf(vault, name);
  return { total: all.length, aliases: all.slice(offset, offset + limit) };
}

async function aliasesOf(vault: BoundVault, name: NoteName) {
  const { path, text } = await vault.readText(await findNote(vault, name));
  const { aliases } = await vault.work('labels', text, fileKind(path));
  return aliases.map((alias) => ({ alias, path }));
}
