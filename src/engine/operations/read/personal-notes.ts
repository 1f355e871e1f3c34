import { inParallel } from '../../../base/in-parallel.ts';
import { limits } from '../../../base/limits.ts';
import { rethrowIfAway, VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { parseFrontmatter } from '../../../markdown/properties/frontmatter.ts';
import { findableNames } from '../../notes/findable-names.ts';
import { personalTag } from '../../tags/allowed-tags.ts';
import { descriptionIn, isPersonal } from '../../tags/personal-note.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

const readsAtOnce = 8;

/** A note with the tag `claude`. */
export interface PersonalNote {
  readonly path: VaultPath;
  /**
   * A name that `findNote` finds: the note's name, or its path where other files share that name.
   */
  readonly name: string;
  /** When the model should read it; undefined where the note has no such text. */
  readonly description: string | undefined;
}

interface PersonalNotesRequest {
  /** Whether a tag in the text of a note counts too, and not only one in its property `tags`. */
  readonly bodyTags: boolean;
}

/**
 * Returns the first `limits.contextNotesMax` notes with the tag `claude` or one nested under it, in
 * path order, and how many there are in all. The index says which notes have the tag; their
 * descriptions are read from the files.
 */
export async function personalNotes(
  vault: BoundVault,
  request: PersonalNotesRequest,
): Promise<{ readonly total: number; readonly notes: readonly PersonalNote[] }> {
  const view = await vault.listedView();
  const page = { limit: limits.contextNotesMax, offset: 0, propertiesOnly: !request.bodyTags };
  const { total, items } = await vault.ask('facts', (store) =>
    store.filesWithTag(view, personalTag, page),
  );
  const read = await inParallel(items, readsAtOnce, ({ path }) =>
    describedNote(vault, path, request),
  );
  const found = read.filter((note) => note !== undefined);
  const names = await findableNames(
    vault,
    found.map(({ path }) => path),
  );
  return {
    total: total - (read.length - found.length),
    notes: found.map((note, at) => ({ ...note, name: names[at] ?? note.path })),
  };
}

/**
 * Reads the description of a note; undefined when the note no longer exists, or has lost the tag
 * since it was indexed.
 */
async function describedNote(
  vault: BoundVault,
  path: VaultPath,
  { bodyTags }: PersonalNotesRequest,
): Promise<Pick<PersonalNote, 'path' | 'description'> | undefined> {
  try {
    const front = parseFrontmatter((await vault.readText(path, { shown: false })).text);
    if (!bodyTags && !front?.propertyTags.some(({ tag }) => isPersonal(tag))) return undefined;
    const description = descriptionIn(front?.frontmatter.properties ?? []);
    // Nothing else of the note is shown.
    vault.hasRead(path, description);
    return { path, description };
  } catch (error) {
    rethrowIfAway(error);
    if (!(error instanceof VaultError)) throw error;
    return error.code === 'not_found' ? undefined : { path, description: undefined };
  }
}
