import { z } from 'zod';
import type { Caller } from '../../base/caller.ts';
import type { ChangeName } from '../../base/change-name.ts';
import { VaultError } from '../../base/vault-error.ts';
import { listChanges } from '../../engine/operations/history/list-changes.ts';
import { redoChange } from '../../engine/operations/history/redo-change.ts';
import { showChange } from '../../engine/operations/history/show-change.ts';
import { undoSelection } from '../../engine/operations/history/undo-selection.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { ChangeNameInput, ChangeNameShape } from '../define/change-name-input.ts';
import { defineTool } from '../define/define-tool.ts';
import { plainPaint } from '../wording/plain-voice.ts';
import { sinceMs } from '../wording/since.ts';
import { timeAgo } from '../wording/time-ago.ts';
import { filesInOrder } from '../wording/writing-answer.ts';
import { changeText, firstOf } from './change-text.ts';
import { whoText, withSession } from './change-who.ts';
import { DryRun, reportShape } from './define-change.ts';
import { changeFilter, clientsFor, whatText } from './history.ts';
import { listOf } from './schemas.ts';
import { counted, plain } from './text.ts';

const Undone = z.object({
  undone: listOf(ChangeNameShape),
  restored: listOf(z.string()),
  merged: listOf(z.string()),
  left: listOf(z.object({ path: z.string(), reason: z.string() })),
  ...reportShape,
});

const UndoneSelection = Undone.extend({
  changes: listOf(ChangeNameShape),
  /** How many of the last changes were asked for; absent where numbers or only a filter were given. */
  last: z.number().exactOptional(),
});

export const undoTool = defineTool({
  name: 'undo',
  title: 'Undo changes',
  description:
    'Undoes changes: the last one, those with these numbers, the last few, or all of a session, of an app, since a time, or at a path. Without arguments it takes back the last one, and asks first when it was typed at a terminal. The last one is the newest change that is not undone yet and is no undo itself: an undo is taken back by its number, or by "redo". Later edits elsewhere in a file stay. A file that cannot be restored is left as it is and listed. If folders were moved in between, the undo becomes several changes.',
  effect: 'destroy',
  raw: true, // Changes of remote clients may be about files that begin with a dot.
  input: z.object({
    ids: z
      .array(ChangeNameInput)
      .exactOptional()
      .describe(
        'The numbers of the changes, from "history"; or the names that an app was told, such as c-3f9a01bc.',
      ),
    last: z.coerce
      .number()
      .int()
      .min(1)
      .exactOptional()
      .describe('Undo this many of the last changes that are not undone yet and are no undo.'),
    ...changeFilter,
    yes: z.boolean().default(false).describe('Do not ask for confirmation.'),
    dryRun: DryRun,
  }),
  output: UndoneSelection,
  record: ['ids', 'last', 'session', 'client', 'since', 'path'],
  positional: ['ids'],
  examples: [
    'vaultdoor undo',
    'vaultdoor undo 1 2',
    'vaultdoor undo --since 2h --path Notes --dry-run',
  ],
  run: async (vault, { yes, dryRun, since, client, ids: names, ...which }) => {
    const when = sinceMs(since, vault.vault.parts.clock.nowMs());
    const request = { ...which, ...clientsFor(client), names, ...when, dryRun };
    const isChosen = [names, since, client, which.session, which.path].some(
      (how) => how !== undefined,
    );
    const last = which.last ?? (isChosen ? undefined : 1);
    // Scripts have always taken back the last change without a question.
    const asks = !yes && (isChosen || vault.caller.ask !== undefined);
    const confirm = (preview: Preview) =>
      isChosen ? confirmUndo(vault.caller, preview) : confirmLast(vault, preview);
    const undone = await undoSelection(vault, asks ? { ...request, confirm } : request).catch(
      (error: unknown) => rethrowWithRedo(vault, error, isChosen),
    );
    return last === undefined ? undone : { ...undone, last };
  },
  isFault: ({ left }) => left.length > 0,
  text: (answer, paint) => changeText(answer, paint, undoneNotes(answer), leftLines(answer)),
  remarks: ({ last = 0, undone }) =>
    undone.length < last && last > 1
      ? [`Only ${counted(undone.length, 'change')} of ${last}: there were no others to take back.`]
      : [],
});

/** Adds to the failure of an undo without a choice, if all changes are undone, what there is to do. */
async function rethrowWithRedo(
  vault: BoundVault,
  error: unknown,
  isChosen: boolean,
): Promise<never> {
  if (isChosen || !(error instanceof VaultError) || error.code !== 'not_found') throw error;
  const { items } = await listChanges(vault, { limit: 1, offset: 0 });
  if (items.length === 0) throw error;
  const message =
    'There is nothing to undo: all is undone. "redo" makes again what was undone last.';
  throw new VaultError('not_found', message, { cause: error, details: error.details });
}

export const redoTool = defineTool({
  name: 'redo',
  title: 'Redo a change',
  description:
    'Reverses an undo: the last one, or the one with this number. All that it had taken back is made again. Without a number it asks first when it was typed at a terminal.',
  effect: 'destroy',
  raw: true, // As for undo.
  input: z.object({
    id: ChangeNameInput.exactOptional().describe(
      'The number of the undo, from "history"; or of a change that was undone alone.',
    ),
    yes: z.boolean().default(false).describe('Do not ask for confirmation.'),
    dryRun: DryRun,
  }),
  output: Undone.extend({ redone: listOf(ChangeNameShape) }),
  record: ['id'],
  positional: ['id'],
  examples: ['vaultdoor redo'],
  run: async (vault, { id, yes, dryRun }) => {
    const { ask } = vault.caller;
    if (id !== undefined || yes || dryRun || ask === undefined) {
      return vault.change(redoChange, { id, dryRun });
    }
    const preview = await vault.change(redoChange, { dryRun: true });
    if (!(await confirmRedo(vault, preview))) {
      throw new VaultError('cancelled', 'Nothing was changed.');
    }
    return vault.change(redoChange, { id: preview.undone[0] });
  },
  isFault: ({ left }) => left.length > 0,
  text: (answer, paint) =>
    changeText(
      answer,
      paint,
      [
        `made ${changesText(answer.redone)} again, which ${changesText(answer.undone)} had taken back`,
        ...undoneNotes(answer).slice(1),
      ],
      leftLines(answer),
    ),
});

type Preview = Pick<z.output<typeof UndoneSelection>, 'undone' | 'files' | 'left'>;

/** Shows the person at the terminal who made the last change, when and what, and asks. */
async function confirmLast(vault: BoundVault, preview: Preview): Promise<boolean> {
  const [id] = preview.undone;
  if (id === undefined) return true;
  const question = [await changeLine(vault, id), ...staysLines(preview), 'Undo this?'].join('\n');
  return (await vault.caller.ask?.(question, 'yes')) === true;
}

/** The same about the changes that a redo would make again. */
async function confirmRedo(
  vault: BoundVault,
  preview: Pick<Preview, 'left' | 'files'> & { readonly redone: readonly ChangeName[] },
): Promise<boolean> {
  const { redone } = preview;
  const shown = await Promise.all(redone.slice(0, linesMax).map((id) => changeLine(vault, id)));
  const more = redone.length - shown.length;
  const question = [
    ...shown,
    ...(more > 0 ? [`… and ${counted(more, 'more change')}`] : []),
    ...staysLines(preview),
    `Make ${redone.length === 1 ? 'this' : 'these'} again?`,
  ].join('\n');
  return (await vault.caller.ask?.(question, 'yes')) === true;
}

/** A change in one line: who made it, when and what. The history may no longer have an old one. */
async function changeLine(vault: BoundVault, id: ChangeName): Promise<string> {
  try {
    const change = withSession(await showChange(vault, { id }));
    const when = timeAgo(change.timeMs, vault.vault.parts.clock.nowMs());
    return `Change ${id}, ${when}, by ${whoText(change, plainPaint)}: ${whatText(change)}`;
  } catch (error) {
    if (error instanceof VaultError && error.code === 'not_found') return `Change ${id}`;
    throw error;
  }
}

/** The files that an undo would leave as they are, or take back in part. */
function staysLines(preview: Pick<Preview, 'left' | 'files'>): string[] {
  const { whole, part } = leftOf(preview);
  const reasons = (what: string, files: Preview['left']): string[] =>
    files.map(({ path, reason }) => `  ${what}: ${plain(path)}: ${plain(reason)}`);
  return firstOf([...reasons('only in part', part), ...reasons('stays', whole)]);
}

/** The files that an undo does not touch, and those of which it takes back only some changes. */
function leftOf({ left, files }: Pick<Preview, 'left' | 'files'>) {
  const touched = new Set(files.flatMap(({ path, from }) => [path, from]));
  return {
    whole: left.filter(({ path }) => !touched.has(path)),
    part: left.filter(({ path }) => touched.has(path)),
  };
}

/**
 * Asks the person at the terminal. Fails with `invalid_input` and what to type when there is none.
 */
async function confirmUndo({ ask }: Caller, preview: Preview): Promise<boolean> {
  const { undone, files, left } = preview;
  const { whole, part } = leftOf(preview);
  const what = `${counted(undone.length, 'change')} in ${counted(files.length, 'file')}`;
  if (ask === undefined) {
    const [stays] = whole;
    const more = whole.length > 1 ? ` and ${counted(whole.length - 1, 'other file')}` : '';
    const some = part.length === 0 ? '' : ` (${counted(part.length, 'file')} only in part)`;
    const rest = stays === undefined ? '' : `, and leave ${plain(stays.path)}${more} as it is`;
    throw new VaultError(
      'invalid_input',
      `This would take back ${what}${some}${rest}: --yes does it, --dry-run shows it as a diff.`,
      { details: { ids: undone, left } },
    );
  }
  return ask(
    [
      ...firstOf(
        filesInOrder(files)
          .filter(
            ({ path, from }) => !part.some((each) => each.path === path || each.path === from),
          )
          .map(becomesText),
      ),
      ...staysLines(preview),
      `Take back ${what}?`,
    ].join('\n'),
  );
}

const becomes = {
  created: 'comes back',
  changed: 'changes',
  moved: 'moves',
  deleted: 'is deleted',
} as const;

/** What an undo would do to one file. */
function becomesText({ path, did, from }: Preview['files'][number]): string {
  const moved = from === undefined ? '' : `${plain(from)} -> `;
  return `  ${becomes[did]}: ${moved}${plain(path)}`;
}

/** What an undo did, in lines: which changes it took back, and what it could not restore. */
export function undoneNotes({
  undone,
  merged,
  left,
  files,
  last,
  change,
}: Pick<
  z.output<typeof UndoneSelection>,
  'undone' | 'merged' | 'left' | 'files' | 'last' | 'change'
>): string[] {
  const which = last === 1 && undone.length === 1 ? ', the last one that was not undone yet' : '';
  return [
    change === undefined
      ? `nothing of ${changesText(undone)}${which} is there any more`
      : `took back ${changesText(undone)}${which}`,
    ...merged.map((path) => `kept later edits in ${path}`),
    ...leftLines({ left, files }),
  ];
}

/** The files that an undo leaves, wholly or in part, and why; a dry run prints them before its diff. */
function leftLines(report: Pick<Preview, 'left' | 'files'>): string[] {
  const { whole, part } = leftOf(report);
  return [
    ...part.map(({ path, reason }) => `only in part: ${path}: ${reason}`),
    ...whole.map(({ path, reason }) => `left as it is: ${path}: ${reason}`),
  ];
}

/** How many changes are named one by one. */
const linesMax = 10;

function changesText(ids: readonly ChangeName[]): string {
  if (ids.length > linesMax) return counted(ids.length, 'change');
  return `${ids.length === 1 ? 'change' : 'changes'} ${ids.join(', ')}`;
}
