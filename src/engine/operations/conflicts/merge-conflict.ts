import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { keepLinks } from '../../moves/keep-links.ts';
import { moveBookmarks } from '../../moves/move-bookmarks.ts';
import { moveFiles } from '../../moves/move-files.ts';
import { checkAllRead } from '../../moves/unread-files.ts';
import { freePath } from '../../notes/free-path.ts';
import type { SidesChosen } from '../../ports/copy-to-merge.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { ChangeReport, Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { deleteFile } from '../move/delete-file.ts';
import type { ComparedConflict, ShownConflict } from './compare-conflict.ts';
import { brokenProperties, checkToken, compareConflict, mergeFiles } from './compare-conflict.ts';
import { checkSides, readSides } from './read-sides.ts';

interface MergeConflictRequest {
  /** The copy, or the original when it has only one copy. */
  readonly name: NoteName;
  /** What to take where both sides changed something; see `readSides`. */
  readonly choose?: string;
  /** That of the answer in which the numbered places were shown. */
  readonly token?: string;
  /** Puts the copy into `.trash/`, whatever the vault's settings say. */
  readonly trash?: 'local';
  readonly dryRun?: boolean;
}

type MergedConflict = ShownConflict &
  ChangeReport & {
    /** False when a side has to be chosen first: then nothing was changed. */
    readonly merged: boolean;
    /** Where the copy is now; absent when only the history has it, and in a dry run. */
    readonly where?: string;
    /** The number of links to the copy that lead to the original now. */
    readonly links: number;
  };

/**
 * Merges a conflict copy into its original and puts the copy into the trash, as one change. Links to
 * the copy then lead to the original. Changes nothing while a side has to be chosen. Fails with
 * `conflict` when a file has changed since it was shown, with `invalid_input` when the choices do
 * not fit, and as `compareConflict` does.
 */
export async function mergeConflict(
  vault: BoundVault,
  request: MergeConflictRequest,
): Promise<MergedConflict> {
  const { choose, token, trash, dryRun = false } = request;
  const chosen = choose === undefined ? undefined : readSides(choose);
  const compared = await compareConflict(vault, request);
  if (token !== undefined) checkToken(compared, token);
  const { files: _files, common: _common, ...shown } = compared;
  if (compared.total > 0 && chosen === undefined) {
    const nothing = { files: [], kept: [], warnings: [] };
    return { ...shown, ...nothing, dryRun, merged: false, links: 0 };
  }
  if (chosen !== undefined) check(chosen, compared, token);
  const plan = await planned(vault, compared, chosen);
  const report = await vault.change(
    (draft, asked: { readonly trash?: 'local' }) =>
      carryOut(draft, compared, { ...plan, ...asked }),
    { dryRun, ...(trash === undefined ? {} : { trash }) },
  );
  return { ...shown, ...report, merged: true };
}

/** Checks choices against the places that there are. Numbers mean something only with the token. */
function check(chosen: SidesChosen, { total }: ShownConflict, token: string | undefined): void {
  checkSides(chosen, total);
  if (chosen.each.size > 0 && token === undefined) {
    throw new VaultError(
      'invalid_input',
      'Numbered choices need the token that was shown with the numbers, so that they mean the same places.',
      { details: { token: 'missing' } },
    );
  }
}

/** What becomes of the two files. */
interface MergePlan {
  /** The new text of the original; absent when it stays as it is, or gets the copy's bytes. */
  readonly text?: string;
  readonly takesCopy?: true;
  /** The copy stays, under a name that is not that of a conflict copy. */
  readonly keepsBoth?: true;
}

async function planned(
  vault: BoundVault,
  compared: ComparedConflict,
  chosen: SidesChosen = { each: new Map() },
): Promise<MergePlan> {
  const { how, files, path } = compared;
  if (how === 'same') return {};
  if (how === 'whole') {
    const side = chosen.each.get(1) ?? chosen.all;
    if (side === 'copy') return { takesCopy: true };
    return side === 'both' ? { keepsBoth: true } : {};
  }
  const text = (await mergeFiles(vault, compared, chosen))?.text;
  if (text === undefined) return {};
  const problem = await brokenProperties(vault, path, { files, text });
  if (problem === undefined) return { text };
  throw new VaultError(
    'invalid_input',
    `With these choices the properties of "${path}" would be broken: ${problem} Choose "original" or "copy" for the places in the properties.`,
    { details: { choose: problem, path } },
  );
}

async function carryOut(
  draft: Draft,
  { path, copy, files }: ComparedConflict,
  plan: MergePlan & { readonly trash?: 'local' },
): Promise<{ readonly path: VaultPath; readonly links: number; readonly where?: string }> {
  await draft.expect(path, files.original.version);
  await draft.expect(copy, files.copy.version);
  if (plan.keepsBoth) {
    const to = await freePath(draft, path);
    const moves = new Map([[copy, to]]);
    const { links } = await moveFiles(draft, { files: moves, links: 'update', force: true });
    return { path, links, where: to };
  }
  if (plan.text !== undefined) await draft.write(path, plan.text);
  if (plan.takesCopy) await draft.put(path, files.copy.bytes);
  // Links of the copy itself are neither counted nor rewritten: it goes into the trash as it is.
  await draft.put(copy, new Uint8Array());
  const moves = new Map([[copy, path]]);
  const { links, unread } = await keepLinks(draft, { moves, added: [] });
  await checkAllRead(draft, { what: 'links to the copy', unread, force: true });
  await moveBookmarks(draft, { files: moves });
  await draft.put(copy, files.copy.bytes);
  const { where } = await deleteFile(draft, {
    name: { path: copy },
    ...(plan.trash === undefined ? {} : { trash: plan.trash }),
  });
  return { path, links, ...(where === undefined ? {} : { where }) };
}
