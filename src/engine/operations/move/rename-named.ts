import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import {
  fileNameOf,
  folderOf,
  foldName,
  isVaultPath,
  stemOf,
  vaultPath,
} from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import { fileKind } from '../../ports/file-kind.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import type { MovedFile } from './move-file.ts';
import { moveFolder } from './move-folder.ts';
import { renameBlock } from './rename-block.ts';
import { renameNote } from './rename-file.ts';
import { renameHeading } from './rename-heading.ts';
import type { RenamedPart } from './rename-part.ts';
import { type RenamedProperty, renameProperty } from './rename-property.ts';
import { type RenamedTag, renameTag } from './rename-tag.ts';

interface RenameRequest {
  /**
   * A note; or a folder (`Folder/`), a tag (`#tag`), a property (`property:name`), a heading
   * (`Note#Heading`, `Note#A > B`) or a block (`Note#^id`). A file with exactly this name comes first, whatever is in it.
   */
  readonly name: NoteName;
  readonly newName: string;
  /** The version that the note must have; not for folders, tags and properties. */
  readonly version?: VersionStart;
}

/** What was renamed, and how many links or tags were rewritten. */
export type Renamed =
  | (MovedFile & {
      readonly what: 'note';
      /** The first heading of the note, if it still is the note's old name. */
      readonly oldHeading?: string;
    })
  | (MovedFile & { readonly what: 'folder'; readonly moved: number })
  | (RenamedPart & { readonly what: 'heading' | 'block' })
  | (RenamedProperty & { readonly what: 'property' })
  | (RenamedTag & {
      readonly what: 'tag';
      /** How many notes had the new tag before. */
      readonly joined: number;
    });

/**
 * Renames what a name means, and rewrites every link to it, or every use of a tag. Fails as
 * `renameNote`, `moveFolder`, `renameTag`, `renameProperty`, `renameHeading` and `renameBlock` do, and with
 * `invalid_input` when a version is given for a folder, a tag or a property.
 */
export async function renameNamed(draft: Draft, request: RenameRequest): Promise<Renamed> {
  const { name, newName } = request;
  if (typeof name !== 'string') return renamedNote(draft, request);
  if (name.trimEnd().endsWith('/')) {
    checkNoVersion(request);
    return renamedFolder(draft, name.trim(), newName.trim());
  }
  const property = /^\s*property:(.*)$/is.exec(name)?.[1];
  if (property !== undefined && !(await isNote(draft, name))) {
    checkNoVersion(request);
    const newProperty = newName.replace(/^\s*property:/i, '');
    return { what: 'property', ...(await renameProperty(draft, { property, newProperty })) };
  }
  if (!name.includes('#') || (await isNote(draft, name))) return renamedNote(draft, request);
  if (name.trimStart().startsWith('#')) {
    checkNoVersion(request);
    return renamedTag(draft, name.trim(), newName.trim());
  }
  return renamedPart(draft, { ...request, name });
}

/** The longest names come first: a note may be called "C# notes". */
const splitsMax = 10;

/** Renames the heading or block that a name ends with, after the name of its note. */
async function renamedPart(
  draft: Draft,
  { name, newName, version }: RenameRequest & { readonly name: string },
): Promise<Renamed> {
  const parts = name.split('#').slice(0, splitsMax);
  let note = parts[0] ?? '';
  for (let count = parts.length; count > 1; count--) {
    const asked = parts.slice(0, count).join('#');
    if (asked === name || !(await isNote(draft, asked))) continue;
    note = asked;
    break;
  }
  const part = name.slice(note.length + 1).trim();
  // The new name may be written as the old one, with the note before it.
  const put = newName.startsWith(`${note}#`) ? newName.slice(note.length + 1) : newName;
  const which = { name: note, ...(version === undefined ? {} : { version }) };
  if (part.startsWith('^')) {
    const renamed = await renameBlock(draft, { ...which, block: part, newBlock: put.trim() });
    return { what: 'block', ...renamed };
  }
  return {
    what: 'heading',
    ...(await renameHeading(draft, { ...which, heading: part, newHeading: put })),
  };
}

async function renamedTag(draft: Draft, tag: string, newTag: string): Promise<Renamed> {
  const joined = newTag === '' ? 0 : await countTagged(draft, newTag, tag);
  return { what: 'tag', ...(await renameTag(draft, { tag, newTag })), joined };
}

/** How many notes have exactly the new tag already, unless it is the old one or one below it. */
async function countTagged(draft: Draft, newTag: string, tag: string): Promise<number> {
  const [to = '', from = ''] = [newTag, tag].map((each) => foldName(each.replace(/^#/, '')));
  if (to === from || to.startsWith(`${from}/`)) return 0;
  const view = await draft.vault.listedView();
  const tags = await draft.vault.ask('facts', (store) => store.tags(view));
  return tags.find((each) => foldName(each.tag.replace(/^#/, '')) === to)?.files ?? 0;
}

/**
 * A new name that is a folder and ends in `/` is the folder to move into. Any other bare name stays in
 * the folder around, and one with `/` inside is a path from the root.
 */
async function renamedFolder(draft: Draft, folder: string, newName: string): Promise<Renamed> {
  const from = folder.replace(/\/+$/, '');
  if (from === '') {
    throw new VaultError(
      'invalid_input',
      'The vault itself cannot be renamed; name a folder in it.',
    );
  }
  const asked = newName.replace(/\/+$/, '');
  const parent = isVaultPath(from) ? folderOf(vaultPath(from)) : '';
  const inParent = parent === '' ? asked : `${parent}/${asked}`;
  const fromRoot = asked.replace(/^\/+/, '');
  const isInto = newName.endsWith('/') && fromRoot !== from && (await isFolder(draft, fromRoot));
  const named = asked.includes('/') ? fromRoot : inParent;
  const to = isInto ? `${fromRoot}/${fileNameOf(from)}` : named;
  try {
    return {
      what: 'folder',
      ...(await moveFolder(draft, { folder: from, to: asked === '' ? fileNameOf(from) : to })),
    };
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    const { code, details } = error;
    if (code === 'not_found') {
      throw new VaultError(code, `There is no folder "${from}" in the vault.`, { details });
    }
    if (code !== 'already_exists') throw error;
    throw new VaultError(
      code,
      `${error.message} Folders are not merged; to move it in there, give "${to}/${fileNameOf(from)}/".`,
      { details },
    );
  }
}

async function renamedNote(draft: Draft, request: RenameRequest): Promise<Renamed> {
  try {
    const moved = await renameNote(draft, request);
    const { from, path } = moved;
    const heading = stemOf(path) === stemOf(from) ? undefined : await firstHeading(draft, path);
    const isOld = heading !== undefined && foldName(heading) === foldName(stemOf(from));
    return { what: 'note', ...moved, ...(isOld ? { oldHeading: heading } : {}) };
  } catch (error) {
    const { name } = request;
    if (!(error instanceof VaultError) || error.code !== 'not_found') throw error;
    if (typeof name !== 'string' || !(await isFolder(draft, name.trim()))) throw error;
    throw new VaultError(
      'not_found',
      `"${name.trim()}" is a folder; to rename or move it, give it as "${name.trim()}/".`,
      { details: error.details },
    );
  }
}

/** The text of a note's first heading; undefined when it has none or cannot be read. */
async function firstHeading(draft: Draft, path: VaultPath): Promise<string | undefined> {
  if (fileKind(path) !== 'note') return undefined;
  try {
    const { text } = await draft.read(path);
    const { items } = await draft.vault.work('headings', text, { limit: 1, offset: 0 });
    return items[0]?.text;
  } catch (error) {
    if (error instanceof VaultError && unread.has(error.code)) return undefined;
    throw error;
  }
}

/** Why a note may be renamed that cannot be read. */
const unread: ReadonlySet<string> = new Set(['invalid_input', 'too_large', 'forbidden']);

async function isFolder(draft: Draft, name: string): Promise<boolean> {
  return isVaultPath(name) && (await draft.kind(vaultPath(name))) === 'folder';
}

/** Whether a name leads to a file; true also when it leads to several. */
async function isNote(draft: Draft, name: string): Promise<boolean> {
  if (!isVaultPath(name.trim())) return false;
  try {
    await draft.find(name);
    return true;
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    if (error.code === 'not_found') return false;
    if (error.code === 'ambiguous') return true;
    throw error;
  }
}

function checkNoVersion({ version }: RenameRequest): void {
  if (version === undefined) return;
  throw new VaultError(
    'invalid_input',
    'Only notes have a version; leave it out for a folder, a tag or a property.',
  );
}
