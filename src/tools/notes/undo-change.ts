import { z } from 'zod';
import { VaultError } from '../../base/vault-error.ts';
import { undoSelection } from '../../engine/operations/history/undo-selection.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { withAdvice } from '../define/advice.ts';
import { ChangeNameShape, optionalChanges } from '../define/change-name-input.ts';
import { defineTool } from '../define/define-tool.ts';
import { flag, optionalText } from '../define/note-input.ts';
import { firstOf } from '../wording/fit-answer.ts';
import { changeShape, deedShape, filesByDeed, withReport } from '../wording/writing-answer.ts';

const idsMax = 50;
const filesMax = 10;

const published = z.object({
  id: optionalChanges('As answers give it; or several'),
  session: optionalText('From list_changes, or current'),
});

export const undoChangeTool = defineTool({
  name: 'undo_change',
  title: 'Undo change',
  description:
    'Take back changes: your last one, these ids, or a session. Later edits stay where they can.',
  effect: 'destroy',
  appView: 'changes',
  published,
  input: published.extend({ dry_run: flag('Only show the diff') }),
  output: z.object({
    ...changeShape,
    undone: z.array(ChangeNameShape).readonly(),
    /** How many changes were undone, when not all are listed. */
    undone_total: z.number().optional(),
    ...deedShape,
    /** Files that had been edited since; these edits were kept. */
    merged: z.array(z.string()).readonly().optional(),
    left: z
      .array(z.object({ path: z.string(), reason: z.string() }))
      .readonly()
      .optional(),
  }),
  record: ['id', 'session'],
  run: async (vault, { id, session, dry_run: dryRun = false }) => {
    if (id !== undefined && session !== undefined) {
      throw new VaultError('invalid_input', 'Give one of "id" and "session", or none of them.');
    }
    const which = id === undefined ? sessionOf(vault, session) : { names: id };
    const isOwn = id === undefined && (session === undefined || session === 'current');
    const report = await withAdvice(
      { invalid_input: adviceToRedo, ...(isOwn ? { not_found: adviceToList } : {}) },
      () => undoSelection(vault, { ...which, dryRun }),
    );
    const { undone, files, merged, left } = report;
    const shown = firstOf(undone, idsMax);
    return withReport(report, {
      change: report.change ?? null,
      undone: shown,
      ...(shown.length < undone.length ? { undone_total: undone.length } : {}),
      ...filesByDeed(files, filesMax, 'undo'),
      ...(merged.length === 0 ? {} : { merged: firstOf(merged) }),
      ...(left.length === 0 ? {} : { left: firstOf(left) }),
    });
  },
});

const adviceToList =
  'This connection has made none that is not undone; list_changes shows those of others.';
const adviceToRedo = 'To bring a change back, undo the change that took it back.';

/**
 * All changes of a session, where `current` is that of the caller's connection; without a session,
 * the last change of that connection.
 */
function sessionOf(vault: BoundVault, session?: string) {
  if (session !== undefined && session !== 'current') return { session };
  const { connection } = vault.caller;
  if (connection === undefined) {
    throw new VaultError(
      'invalid_input',
      `Give ${session === undefined ? 'id' : 'id or another session'}: this connection has no session of its own. list_changes shows them.`,
    );
  }
  return { session: connection, ...(session === undefined ? { last: 1 } : {}) };
}
