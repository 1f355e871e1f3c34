import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import {
  extensionOf,
  fileNameOf,
  foldName,
  pathKey,
  type VaultPath,
  vaultPath,
} from '../../../base/vault-path.ts';
import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import { setProperties } from '../../../markdown/properties/set-property.ts';
import { keepLinks } from '../../moves/keep-links.ts';
import { namesAround } from '../../moves/rewrite-links.ts';
import { checkFree, newNotePath, newPath, taken } from '../../new-notes/new-path.ts';
import { fileKind } from '../../ports/file-kind.ts';
import { isIndexUnusable } from '../../ports/index-store.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';

interface CreateNoteRequest {
  /** The exact path; it is never taken for the name of a file elsewhere. */
  readonly path: string;
  /** The text, or a function that makes it for the path at which the note will be. */
  readonly content?: string | ((path: VaultPath) => Promise<string>);
  readonly properties?: Readonly<Record<string, PropertyValue>>;
  /** Whether an existing file is replaced. */
  readonly overwrite?: boolean;
  /** Whether a number is added to a name that is taken: `Untitled 1`. */
  readonly counted?: boolean;
}

/**
 * Creates a note, a canvas or a base, and the folders it needs. Rewrites links in other notes that
 * would now lead to the new file, so that they keep their target. `others` are files of the same
 * name elsewhere. Without a usable index, both are left out with a warning. Fails with
 * `already_exists` when the path is taken and `overwrite` is not set, and with `invalid_input` for
 * a name that does not work everywhere; see `checkNewPath`.
 */
export async function createNote(
  draft: Draft,
  request: CreateNoteRequest,
): Promise<{ readonly path: VaultPath; readonly others: readonly VaultPath[] }> {
  const asked = await newPath(draft, withExtension(request.path));
  const { content = '', properties = {} } = request;
  const text = withProperties(
    asked,
    typeof content === 'string' ? content : await content(asked),
    properties,
  );
  const path = request.counted === true ? await countedPath(draft, asked) : asked;
  const there = request.overwrite === true ? await taken(draft, path) : undefined;
  if (there !== undefined) {
    await draft.put(there, new TextEncoder().encode(text));
    draft.overwrites(there);
    return { path: there, others: await othersNamed(draft, there) };
  }
  // All names that the rest asks for, in one question to the index.
  await draft.byName(namesAround(nameOf(path))).catch(unlessUnusable);
  await checkFree(draft, path);
  await keepLinksOfOthers(draft, path);
  await draft.create(path, text);
  return { path, others: await othersNamed(draft, path) };
}

/** Rewrites links of other notes that a new file would take over, so that they keep their target. */
export async function keepLinksOfOthers(draft: Draft, path: VaultPath): Promise<void> {
  try {
    const { unread } = await keepLinks(draft, { moves: new Map(), added: [path] });
    if (unread.length === 0) return;
    draft.warn(`Links in ${unread.length} files that cannot be read may lead to "${path}" now.`);
  } catch (error) {
    if (!isIndexUnusable(error)) throw error;
    draft.warn(`${error.message} Links that may lead to "${path}" now were not looked for.`);
  }
}

/**
 * Makes a note as `createNote` does, from a name: a bare name goes into the folder that the vault's
 * settings choose for new notes, and `{ path }` means exactly that path.
 */
export async function createNamedNote(
  draft: Draft,
  { name, ...request }: Omit<CreateNoteRequest, 'path'> & { readonly name: NoteName },
): ReturnType<typeof createNote> {
  const path = typeof name === 'string' ? await newNotePath(draft.vault, name) : name.path;
  return createNote(draft, { ...request, path });
}

/** Adds `.md` to a path, unless it already names a note, a canvas or a base. */
function withExtension(path: string): string {
  if (path.trim() === '' || path.endsWith('/')) {
    throw new VaultError('invalid_input', 'Name the new note, not only its folder.');
  }
  return ['md', 'canvas', 'base'].includes(extensionOf(path)) ? path : `${path}.md`;
}

function withProperties(
  path: VaultPath,
  content: string,
  properties: Readonly<Record<string, PropertyValue>>,
): string {
  const entries = Object.entries(properties);
  if (entries.length > 0 && fileKind(path) !== 'note') {
    throw new VaultError(
      'invalid_input',
      `Only notes have properties, and "${path}" is not a note.`,
    );
  }
  return setProperties(content, entries);
}

/** Returns the first free path of `Name.md`, `Name 1.md`, `Name 2.md` and so on. */
export async function countedPath(draft: Draft, path: VaultPath): Promise<VaultPath> {
  const stem = path.slice(0, path.length - extensionOf(path).length - 1);
  const extension = path.slice(stem.length);
  const numbered = (n: number): VaultPath => vaultPath(n === 0 ? path : `${stem} ${n}${extension}`);
  // Tried in growing groups: mostly the first name is free, and even a high number is found fast.
  for (let from = 0, step = 1; from < limits.resultsMax; from += step, step *= 4) {
    const paths = Array.from({ length: step }, (_, index) => numbered(from + index));
    const byName = await draft.byName(paths.map(nameOf)).catch(unlessUnusable);
    for (const free of paths) {
      const key = pathKey(free);
      if (byName?.(nameOf(free)).some((file) => pathKey(file.path) === key)) continue;
      if (byName === undefined && (await draft.twin(free)) !== undefined) continue;
      if ((await draft.kind(free)) === undefined) return free;
    }
  }
  throw new VaultError('already_exists', `Every name like "${path}" is taken; choose another.`);
}

/** The other files with the same name that the caller may see. */
async function othersNamed(draft: Draft, path: VaultPath): Promise<readonly VaultPath[]> {
  const name = nameOf(path);
  const byName = await draft.byName([name]).catch(unlessUnusable);
  return (byName?.(name) ?? [])
    .map((file) => vaultPath(file.path))
    .filter((other) => other !== path && draft.vault.sees(other));
}

function nameOf(path: string): string {
  return foldName(fileNameOf(path));
}

/** For `.catch`: answers undefined where the index cannot be used. */
function unlessUnusable(error: unknown): undefined {
  if (!isIndexUnusable(error)) throw error;
}
