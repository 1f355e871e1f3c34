import { inParallel } from '../../../base/in-parallel.ts';
import { limits } from '../../../base/limits.ts';
import { rethrowIfAway, VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { parseFrontmatter } from '../../../markdown/properties/frontmatter.ts';
import { findableNames } from '../../notes/findable-names.ts';
import { personalTag } from '../../tags/allowed-tags.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

const readsAtOnce = 8;

/** A note that is meant for the model. */
export interface PersonalNote {
  readonly path: VaultPath;
  /** What finds it: its name, or its path where others have that name. */
  readonly name: string;
  /** When to read it; undefined where the note does not say so in words. */
  readonly description: string | undefined;
}

/**
 * The first `limits.contextNotesMax` notes with the tag `claude` or one nested under it, in path
 * order, and how many there are. Which notes these are is the index's answer; the descriptions
 * come from the files.
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

/** A note with its description; undefined when it has gone since it was indexed. */
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
