import { changeTexts } from '../../engine/operations/history/change-texts.ts';
import { countChanges } from '../../engine/operations/history/count-changes.ts';
import { listFeed, type WhichFeed } from '../../engine/operations/history/list-feed.ts';
import { listSessions } from '../../engine/operations/history/list-sessions.ts';
import { redoChange } from '../../engine/operations/history/redo-change.ts';
import { undoSelection } from '../../engine/operations/history/undo-selection.ts';
import type { AnyTool } from '../define/define-tool.ts';
import { inputs } from './console-inputs.ts';
import { defineConsoleTool } from './define-console-tool.ts';

/** What the owner sees and undoes of the history. */
export const changeTools: readonly AnyTool[] = [
  defineConsoleTool({
    name: 'changes',
    title: 'List changes',
    effect: 'read',
    input: inputs.changes,
    record: [],
    run: (vault, { limit, kinds, undone, ...which }) =>
      listFeed(vault, { ...times(which), kinds, undone, limit }),
  }),
  defineConsoleTool({
    name: 'change',
    title: 'Show a change with its texts',
    effect: 'read',
    raw: true, // Changes of remote clients may be about files that begin with a dot.
    input: inputs.change,
    record: ['id'],
    run: changeTexts,
  }),
  defineConsoleTool({
    name: 'sessions',
    title: 'List changes by session',
    effect: 'read',
    input: inputs.sessions,
    record: [],
    run: (vault, { limit, offset, ...which }) =>
      listSessions(vault, { ...times(which), limit, offset }),
  }),
  defineConsoleTool({
    name: 'undo',
    title: 'Undo changes',
    effect: 'destroy',
    raw: true,
    input: inputs.undo,
    record: ['ids', 'paths', 'session'],
    run: (vault, { ids: names, paths, session, dryRun }) =>
      undoSelection(vault, { names, paths, session, dryRun }),
  }),
  defineConsoleTool({
    name: 'redo',
    title: 'Redo changes',
    effect: 'destroy',
    raw: true,
    input: inputs.redo,
    record: ['id'],
    run: (vault, request) => vault.change(redoChange, request),
  }),
  defineConsoleTool({
    name: 'counts',
    title: 'Count changes by day and client',
    effect: 'read',
    input: inputs.counts,
    record: ['days'],
    run: countChanges,
  }),
];

/** The same with the names that operations have for times. */
function times<Which extends { since?: number; until?: number }>({
  since,
  until,
  ...which
}: Which): Omit<Which, 'since' | 'until'> & Pick<WhichFeed, 'sinceMs' | 'untilMs'> {
  return { ...which, sinceMs: since, untilMs: until };
}
