import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { isHidden } from '../../base/vault-path.ts';
import { contentOf } from '../draft/draft-content.ts';
import type { ChangePlan } from '../draft/plan-change.ts';
import type { VaultDraft } from '../draft/vault-draft.ts';
import type { StoredChange } from '../ports/state-store.ts';
import { decodeText } from '../text/scan-file.ts';
import type { ChangeReport } from '../vault/draft.ts';
import type { NoteChange } from '../vault/served-notes.ts';
import { changeFiles } from './change-files.ts';
import { historySees } from './change-row.ts';

/** A plan that was made by running an operation, with what the operation answers. */
export interface Planned<Result> {
  readonly draft: VaultDraft;
  readonly result: Result;
  readonly change: ChangePlan;
}

/** The files of a change as its caller may see them, and the warnings of its draft. */
export function changeReport(
  { vault, warnings }: VaultDraft,
  { steps, kept }: { steps: ChangePlan['steps']; kept: readonly VaultPath[] },
): Pick<ChangeReport, 'files' | 'kept' | 'warnings'> {
  return { files: changeFiles(steps, historySees(vault)), kept, warnings };
}

/** The answer of a change that has nothing to do. */
export function unchangedReport<Result extends object>(
  planned: Planned<Result>,
): Result & ChangeReport {
  const { result, draft } = planned;
  const report = { dryRun: false, files: [], kept: [], warnings: draft.warnings };
  return { ...result, ...reportedVersion(changedNote(draft, result)), ...report };
}

/** The version that a note has after a change; none when the note is among the `kept` files. */
export function reportedVersion(
  note: NoteChange | undefined,
  kept: readonly VaultPath[] = [],
): Pick<ChangeReport, 'version'> {
  if (note === undefined) return {};
  const isKept = kept.some((path) => path === note.from || path === note.to);
  return isKept ? {} : { version: note.after };
}

/**
 * What a draft does to the one file that its operation's result names as `path`: the version
 * before and after, and the text if the caller has a connection (`ServedNotes`). Undefined when the
 * result names no file, when that file is deleted, and when its content was not read.
 */
export function changedNote(draft: VaultDraft, result: object): NoteChange | undefined {
  // Not every `path` of a result is that of a file; others are not found in the draft.
  return changeOf(draft, ('path' in result ? result.path : '') as VaultPath);
}

/** The same for every file that the result names, as `path` or in the list `paths`. */
export function changedNotes(draft: VaultDraft, result: object): readonly NoteChange[] {
  const several = 'paths' in result ? (result.paths as readonly VaultPath[]) : [];
  const notes = [changedNote(draft, result), ...several.map((path) => changeOf(draft, path))];
  return notes.filter((note) => note !== undefined);
}

function changeOf({ files, vault }: VaultDraft, to: VaultPath): NoteChange | undefined {
  const file = files.files.get(to);
  const after = file?.after?.version ?? file?.found?.version;
  if (file === undefined || after === undefined) return undefined;
  const { origin, found, text } = file;
  return {
    to,
    after,
    ...(origin === undefined ? {} : { from: origin }),
    ...(found?.version === undefined ? {} : { before: found.version }),
    ...(vault.served === undefined ? {} : { text: text ?? decodeText(contentOf(file).bytes) }),
  };
}

/** Every path that the steps of a change name. */
export function pathsOf({ steps }: Pick<StoredChange, 'steps'>): VaultPath[] {
  const paths = new Set<VaultPath>();
  for (const step of steps) {
    paths.add(step.path);
    if ('to' in step) paths.add(step.to);
  }
  return Array.from(paths);
}

/** The paths that the index has to look at after a change. */
export function touchedPaths(draft: VaultDraft, { steps }: ChangePlan): readonly VaultPath[] {
  if (draft.rawPlan !== undefined) return pathsOf({ steps });
  const paths = new Set<VaultPath>(draft.inMovedFolders);
  for (const step of steps) {
    // `inMovedFolders` has the files of a moved folder, but none of a dot folder: those are not in
    // the index, which therefore has to walk the folder at its new place.
    if (step.do === 'moveFolder' && isHidden(step.path)) paths.add(step.to);
    if (step.do === 'makeFolder' || step.do === 'dropFolder' || step.do === 'moveFolder') continue;
    paths.add(step.path);
    if (step.do === 'move') paths.add(step.to);
  }
  // A file that was written in a folder which moved afterwards is now at another path.
  for (const [path] of draft.files.touched()) paths.add(path);
  return Array.from(paths);
}

/** The error for a change whose files have changed after each plan. */
export function keepsChanging({ steps }: ChangePlan): VaultError {
  const [path] = steps.flatMap((step) => (step.do === 'makeFolder' ? [] : [step.path]));
  return new VaultError(
    'conflict',
    `"${path}" or another file of this change keeps changing; nothing was written. Try again.`,
    { details: { path } },
  );
}
