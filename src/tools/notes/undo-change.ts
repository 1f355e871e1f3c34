import { z } from 'zod';
import { VaultError } from '../../base/vault-error.ts';
import { undoSelection } from '../../engine/operations/history/undo-selection.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { withAdvice } from '../define/advice.ts';
import { ChangeNameShape, optionalChange } from '../define/change-name-input.ts';
import { defineTool } from '../define/define-tool.ts';
import { flag, optionalText } from '../define/note-input.ts';
import { firstOf } from '../wording/fit-answer.ts';
import { changeShape, filesInOrder, withReport } from '../wording/writing-answer.ts';
import { ShownFile, shownFile } from './list-changes.ts';

const idsMax = 500;

export const undoChangeTool = defineTool({
  name: 'undo_change',
  title: 'Undo change',
  description:
    'Take back one change by id, or all of a session: give one of the two. Later edits stay where they can; files that cannot be taken back are listed.',
  effect: 'destroy',
  input: z.object({
    id: optionalChange('"change" of an answer'),
    session: optionalText('From list_changes, or "current"'),
    dry_run: flag('Change nothing, show the diff'),
  }),
  output: z.object({
    ...changeShape,
    undone: z.array(ChangeNameShape).readonly(),
    files: z.array(ShownFile).readonly(),
    files_total: z.number(),
    /** Files that had been edited since; these edits were kept. */
    merged: z.array(z.string()).readonly().optional(),
    left: z
      .array(z.object({ path: z.string(), reason: z.string() }))
      .readonly()
      .optional(),
  }),
  record: ['id', 'session'],
  run: async (vault, { id, session, dry_run: dryRun = false }) => {
    if ((id === undefined) === (session === undefined)) {
      throw new VaultError('invalid_input', 'Give exactly one of "id" and "session".');
    }
    const which = id === undefined ? { session: sessionOf(vault, session) } : { names: [id] };
    const report = await withAdvice({ invalid_input: adviceToRedo }, () =>
      undoSelection(vault, { ...which, dryRun }),
    );
    const { undone, files, merged, left } = report;
    return withReport(report, {
      change: report.change ?? null,
      undone: firstOf(undone, idsMax),
      files: firstOf(filesInOrder(files).map(shownFile)),
      files_total: files.length,
      ...(merged.length === 0 ? {} : { merged: firstOf(merged) }),
      ...(left.length === 0 ? {} : { left: firstOf(left) }),
    });
  },
});

const adviceToRedo = 'To bring a change back, undo the change that took it back.';

/** The id of a session; `current` is that of the caller's connection. */
function sessionOf(vault: BoundVault, session = ''): string {
  if (session !== 'current') return session;
  const { connection } = vault.caller;
  if (connection !== undefined) return connection;
  throw new VaultError(
    'invalid_input',
    'This connection has no session of its own: take one from list_changes.',
  );
}
