import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { checkPropertyName } from '../../../markdown/properties/set-property.ts';
import { renameInAllBases } from '../../moves/keep-bases.ts';
import { checkAllRead, seenPaths, visitTexts } from '../../moves/unread-files.ts';
import { fileKind } from '../../ports/file-kind.ts';
import { readPropertyTypes } from '../../settings/property-types.ts';
import type { Draft } from '../../vault/draft.ts';

interface RenamePropertyRequest {
  readonly property: string;
  readonly newProperty: string;
  readonly force?: boolean;
}

/** What renaming a property did. */
export interface RenamedProperty {
  /** The number of notes that have the new name now. */
  readonly notes: number;
  /** The number of files whose bases have it now; absent for none. */
  readonly bases?: number;
}

/** How many notes a failure names. */
const shownMax = 5;

/**
 * Renames a property of all notes that have it, in any case, and its uses in bases. Its place in each
 * note, its value and all comments stay. Notes that the caller may not see keep it. Fails with
 * `not_found` when no note has the property, with `already_exists` when a note has both names, with
 * `unavailable` when some notes cannot be read and `force` is not set, and with `invalid_input` for a
 * name that cannot be one.
 */
export async function renameProperty(
  draft: Draft,
  request: RenamePropertyRequest,
): Promise<RenamedProperty> {
  const rename = { from: request.property.trim(), to: request.newProperty.trim() };
  checkPropertyName(rename.from);
  checkPropertyName(rename.to);
  // The bases first: then no note that this draft has changed is looked through for them.
  const kept = await renameInAllBases(draft, { property: rename });
  const having = (await draft.filesWithProperty(rename.from)).filter(
    (path) => fileKind(path) === 'note',
  );
  const both: VaultPath[] = [];
  let notes = 0;
  const unread = await visitTexts(draft, await seenPaths(draft, having), async (texts, turns) => {
    for (const { path, text } of texts) {
      await turns.next();
      const found = await draft.vault.work('renameProperty', text, rename);
      if (found.did === 'both') both.push(path);
      if (found.did !== 'renamed') continue;
      await draft.write(path, found.text);
      notes += 1;
    }
  });
  if (both.length > 0) throw hasBoth(both, rename);
  const force = request.force ?? false;
  await checkAllRead(draft, { what: 'properties', unread: [...unread, ...kept.unread], force });
  if (notes === 0) {
    throw new VaultError('not_found', `No note of the vault has the property "${rename.from}".`, {
      details: { property: rename.from },
    });
  }
  await warnOfType(draft, rename.from);
  return { notes, ...(kept.bases === 0 ? {} : { bases: kept.bases }) };
}

function hasBoth(
  paths: readonly VaultPath[],
  { from, to }: { readonly from: string; readonly to: string },
): VaultError {
  const shown = paths.slice(0, shownMax).map((path) => `"${path}"`);
  const list = shown.join(', ') + (paths.length > shownMax ? ', …' : '');
  const notes = paths.length === 1 ? '1 note has' : `${paths.length} notes have`;
  return new VaultError(
    'already_exists',
    `${notes} both "${from}" and "${to}", so one value would be lost: ${list}. Remove one of the two there first; nothing was changed.`,
    { details: { paths: paths.slice(0, shownMax), count: paths.length } },
  );
}

/** Changes never write the settings of the app, so the type that they give a property stays behind. */
async function warnOfType(draft: Draft, property: string): Promise<void> {
  const types = await readPropertyTypes(draft.vault.vault.parts.disk, []);
  const type = types.get(property.toLowerCase());
  if (type === undefined) return;
  draft.warn(
    `Obsidian's settings (.obsidian/types.json) still have the type of "${property}" (${type}) under its old name; set the type of the new one in the app.`,
  );
}
