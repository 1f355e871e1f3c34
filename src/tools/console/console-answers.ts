import type { VersionStart } from '../../base/version.ts';
import type { showConflict } from '../../engine/operations/conflicts/compare-conflict.ts';
import type { mergeConflict } from '../../engine/operations/conflicts/merge-conflict.ts';
import type { ChangeTexts } from '../../engine/operations/history/change-texts.ts';
import type { countChanges } from '../../engine/operations/history/count-changes.ts';
import type {
  diffVersions,
  listVersions,
  readVersion,
  restoreVersion,
} from '../../engine/operations/history/file-versions.ts';
import type { FeedPage } from '../../engine/operations/history/list-feed.ts';
import type { SessionPage } from '../../engine/operations/history/list-sessions.ts';
import type { Redone } from '../../engine/operations/history/redo-change.ts';
import type { undoSelection } from '../../engine/operations/history/undo-selection.ts';
import type { listConflicts, listFiles } from '../../engine/operations/list/list-files.ts';
import type { countNotesInFolders } from '../../engine/operations/list/list-folders.ts';
import type {
  listNeighbors,
  listOrphans,
  listUnresolved,
} from '../../engine/operations/list/list-graph.ts';
import type { listTagged } from '../../engine/operations/list/list-tags.ts';
import type { ShownBase } from '../../engine/operations/query/show-base.ts';
import type { backlinkLines } from '../../engine/operations/read/backlink-lines.ts';
import type { noteFacts } from '../../engine/operations/read/note-facts.ts';
import type { searchNotes } from '../../engine/operations/search/search-notes.ts';
import type { checkVault } from '../../engine/operations/vault/check-vault.ts';
import type { measureSizes, measureVault } from '../../engine/operations/vault/describe-vault.ts';
import type { ProblemPages } from '../../engine/operations/vault/list-problems.ts';
import type { listTotals } from '../../engine/operations/vault/list-totals.ts';
import type { GraphOutline } from '../../engine/ports/graph-outline.ts';
import type { TagRow } from '../../engine/ports/index-store.ts';
import type { ChangeReport } from '../../engine/vault/draft.ts';

/** What an operation answers. */
type Answer<Operation extends (...args: never[]) => Promise<unknown>> = Awaited<
  ReturnType<Operation>
>;

type Undone = Answer<typeof undoSelection>;

/** What each tool of the console answers, beside `at`; see `ConsoleAnswer`. */
export interface ConsoleAnswers {
  readonly changes: FeedPage;
  readonly change: ChangeTexts;
  readonly sessions: SessionPage;
  readonly undo: Undone;
  readonly redo: Omit<Undone, 'changes'> & Pick<Redone, 'redone'>;
  readonly counts: Answer<typeof countChanges>;
  readonly search: Answer<typeof searchNotes>;
  readonly note: Omit<Answer<typeof noteFacts>, 'version'> & {
    readonly version: VersionStart;
    readonly text: string;
    readonly modifiedMs: number;
  };
  readonly base: ShownBase;
  readonly files: Answer<typeof listFiles>;
  readonly backlinks: Answer<typeof backlinkLines>;
  readonly neighbors: Answer<typeof listNeighbors>;
  readonly versions: Answer<typeof listVersions>;
  readonly version: Answer<typeof readVersion>;
  readonly diff_versions: Answer<typeof diffVersions>;
  readonly restore_version: Answer<typeof restoreVersion> & ChangeReport;
  readonly tags: { readonly total: number; readonly items: readonly TagRow[] };
  readonly tagged: Answer<typeof listTagged>;
  readonly folders: Answer<typeof countNotesInFolders>;
  readonly info: Answer<typeof measureVault>;
  readonly unresolved: Answer<typeof listUnresolved>;
  readonly orphans: Answer<typeof listOrphans>;
  readonly problems: ProblemPages;
  readonly sizes: Answer<typeof measureSizes>;
  readonly totals: Answer<typeof listTotals>;
  readonly conflicts: Answer<typeof listConflicts>;
  readonly conflict: Answer<typeof showConflict>;
  readonly merge_conflict: Answer<typeof mergeConflict>;
  /** The lists of `problems` are left out; `index` has the first of the `differences`. */
  readonly check: Pick<
    Answer<typeof checkVault>,
    'files' | 'index' | 'recovered' | 'unrecovered'
  > & { readonly differences: number };
  readonly graph: GraphOutline;
}

/** The names of the tools. */
export type ConsoleToolName = keyof ConsoleAnswers;

/** An answer with the number of the newest change that it is sure to know of; 0 when there is none. */
export type ConsoleAnswer<Name extends ConsoleToolName> = ConsoleAnswers[Name] & {
  readonly at: number;
};
