import { inParallel } from '../../../base/in-parallel.ts';
import { limits } from '../../../base/limits.ts';
import { rethrowIfAway, VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { parseFrontmatter } from '../../../markdown/properties/frontmatter.ts';
import { findableNames } from '../../notes/findable-names.ts';
import { personalTag } from '../../tags/allowed-tags.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

const readsAtOnce = 8;

/** A note that its author wrote for the model. */
export interface PersonalNote {
  readonly path: VaultPath;
  /**
   * A name that `findNote` finds: the note's name, or its path where other files share that name.
   */
  readonly name: string;
  /** When the model should read it; undefined where the note has no such text. */
  readonly description: string | undefined;
}

/**
 * Returns the first `limits.contextNotesMax` notes with the tag `claude` or one nested under it, in
 * path order, and how many there are in all. The index says which notes have the tag; their
 * descriptions are read from the files.
 */
export async function personalNotes(
  vault: BoundVault,
): Promise<{ readonly total: number; readonly notes: readonly PersonalNote[] }> {
  const view = await vault.listedView();
  const { total, items } = await vault.ask('facts', (store) =>
    store.filesWithTag(view, personalTag, { limit: limits.contextNotesMax, offset: 0 }),
  );
  const read = await inParallel(items, readsAtOnce, ({ path }) => describedNote(vault, path));
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

/** Reads the description of a note; undefined when the note no longer exists. */
async function describedNote(
  vault: BoundVault,
  path: VaultPath,
): Promise<Pick<PersonalNote, 'path' | 'description'> | undefined> {
  try {
    return { path, description: descriptionIn((await vault.readText(path)).text) };
  } catch (error) {
    rethrowIfAway(error);
    if (!(error instanceof VaultError)) throw error;
    return error.code === 'not_found' ? undefined : { path, description: undefined };
  }
}

function descriptionIn(text: string): string | undefined {
  const properties = parseFrontmatter(text)?.frontmatter.properties ?? [];
  const value = properties.find(({ key }) => key.toLowerCase() === 'description')?.value;
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
