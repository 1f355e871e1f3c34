import { VaultError } from '../../../base/vault-error.ts';
import { fileNameOf, foldName, isVaultPath, type VaultPath } from '../../../base/vault-path.ts';
import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import { scanNote } from '../../../markdown/scan/scan-note.ts';
import { type Implied, impliedBy } from '../../bases/edits/implied-by.ts';
import { linkPaths } from '../../links/write-link.ts';
import { namesAround } from '../../moves/rewrite-links.ts';
import { newNotePath } from '../../new-notes/new-path.ts';
import { readPropertyTypes } from '../../settings/property-types.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { createNote } from '../write/create-note.ts';
import { chooseView, findSource } from './base-source.ts';
import { unmetBy } from './unmet-filters.ts';

interface CreateInBaseRequest {
  readonly base: NoteName;
  /** The name of a view; the first one when absent. */
  readonly view?: string;
  /** A bare name goes into the folder of the base; without a name, the note is "Untitled". */
  readonly name?: NoteName;
  readonly content?: string;
  readonly properties?: Readonly<Record<string, PropertyValue>>;
  /** Whether a number is added to a name that is taken. */
  readonly counted?: boolean;
}

/** A note that was made through a base. */
export interface CreatedInBase {
  readonly path: VaultPath;
  readonly others: readonly VaultPath[];
  readonly base: VaultPath;
  readonly view: string;
  /** The properties that the filters gave the note. */
  readonly set: Readonly<Record<string, PropertyValue>>;
  /** What the filters ask and the note does not have, as it is written in the base. */
  readonly unmet: readonly string[];
  /** Whether the note is a row of the view: nothing is unmet. */
  readonly row: boolean;
}

/**
 * Creates a note through a view of a base: in the folder and with the tags and properties that its
 * filters imply. What the content and the caller's properties say themselves stays. Fails with
 * `not_found` when the base or the view does not exist, and as `createNote` does.
 */
export async function createInBase(
  draft: Draft,
  request: CreateInBaseRequest,
): Promise<CreatedInBase> {
  const source = await findSource(draft.vault, request);
  if (source.path === undefined || source.query !== undefined) {
    throw new VaultError('invalid_input', 'Name a base.');
  }
  const { base } = source;
  const view = chooseView(base, source.view);
  if (view === undefined) {
    const names = base.views.map(({ name }) => `"${name}"`).join(', ');
    const message = `"${source.path}" has no view "${request.view}". There are: ${names}.`;
    throw new VaultError('not_found', message, { details: { path: source.path } });
  }
  const self = source.self ?? source.path;
  const filters = [base.filter, view.filter].filter((filter) => filter !== undefined);
  const implied = impliedBy(filters, await linkTo(draft, self));
  const types = await readPropertyTypes(draft.vault.vault.parts.disk, []);
  const { content = '', properties = {} } = request;
  const set = propertiesFor(implied, { content, properties, types });
  const { path, others } = await createNote(draft, {
    path: await pathFor(draft, request.name ?? 'Untitled', implied),
    content,
    properties: { ...properties, ...set },
    counted: request.counted === true || request.name === undefined,
  });
  const text = (await draft.read(path)).text;
  const where = { base, view, source: source.path, self, types };
  const unmet = await unmetBy(draft, filters, { path, text, ...where });
  return { path, others, base: source.path, view: view.name, set, unmet, row: unmet.length === 0 };
}

/** The path of the new note. A folder that cannot be one is left to `unmet`. */
async function pathFor(draft: Draft, name: NoteName, { folder }: Implied): Promise<string> {
  if (typeof name !== 'string') return name.path;
  if (folder === undefined || name.includes('/')) return newNotePath(draft.vault, name);
  if (folder === '') return name;
  return isVaultPath(folder) ? `${folder}/${name}` : newNotePath(draft.vault, name);
}

/** The shortest link to a file that leads there from everywhere, as a property holds it. */
async function linkTo(draft: Draft, target: VaultPath): Promise<string | undefined> {
  const byName = await draft.byName(namesAround(foldName(fileNameOf(target))));
  const style = { format: 'shortest', form: 'wikilink' } as const;
  for (const path of linkPaths({ source: '', target }, style, byName)) return `[[${path}]]`;
  return undefined;
}

/** The properties that the filters give a note, beside those that it has already. */
function propertiesFor(
  implied: Implied,
  given: {
    readonly content: string;
    readonly properties: Readonly<Record<string, PropertyValue>>;
    readonly types: ReadonlyMap<string, string>;
  },
): Readonly<Record<string, PropertyValue>> {
  const facts = scanNote(given.content);
  const own = new Map<string, { readonly key: string; readonly value: PropertyValue }>();
  for (const { key, value } of facts.frontmatter?.properties ?? []) {
    own.set(foldName(key), { key, value });
  }
  for (const [key, value] of Object.entries(given.properties))
    own.set(foldName(key), { key, value });
  const set: Record<string, PropertyValue> = {};
  const give = (name: string, values: readonly PropertyValue[], isList: boolean): void => {
    const has = own.get(foldName(name));
    if (has === undefined || has.value === null) {
      set[has?.key ?? name] = isList ? values : (values[0] ?? null);
    } else if (isList && isValueList(has.value)) {
      const there = has.value;
      const missing = values.filter((value) => !there.some((each) => isSame(each, value)));
      if (missing.length > 0) set[has.key] = [...there, ...missing];
    }
  };
  const written = facts.tags.map(({ tag }) => tag);
  const tags = implied.tags.filter((tag) => !written.some((each) => isSame(each, tag)));
  if (tags.length > 0) give('tags', tags, true);
  for (const [name, value] of implied.properties) {
    if (foldName(name) === 'tags') continue;
    if ('is' in value) give(name, [value.is], false);
    else give(name, value.contains, given.types.get(name.toLowerCase()) !== 'text');
  }
  return set;
}

function isValueList(value: PropertyValue): value is readonly PropertyValue[] {
  return Array.isArray(value);
}

/** Whether two entries of a list are the same; tags in any case, with and without `#`. */
function isSame(a: PropertyValue, b: PropertyValue): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return a === b;
  return foldName(a.replace(/^#/, '')) === foldName(b.replace(/^#/, ''));
}
