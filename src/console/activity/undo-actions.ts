import { signal } from '@preact/signals';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import type { Piece } from '../../tools/wording/change-sentences.ts';
import { inOrder, noteName } from '../../tools/wording/describe-change.ts';
import { type ApiFailure, asFailure, post } from '../page/api.ts';
import { announced, showToast } from '../page/toast-state.ts';
import { activityStrings } from '../words/activity-strings.ts';
import { refreshFeed } from './feed-state.ts';

/** What an undo could not do, for a dialog that says so. */
interface UndoRest {
  readonly left: readonly { readonly path: string; readonly reason: string }[];
  /** The undo itself, which can be redone; absent when nothing went back. */
  readonly redo?: number;
  readonly failure?: ApiFailure;
}

export const undoRest = signal<UndoRest | undefined>(undefined);
/** Whether an undo or redo is on its way; a second one has to wait. */
export const isBusy = signal(false);
/** Counts undos and redos, so that the open change is asked for again. */
export const undoCount = signal(0);

type Undone = ConsoleAnswer<'undo'>;

/** Some files of one change, and how many it has in all. */
interface PartOfChange {
  readonly paths: readonly string[];
  readonly of: number;
}

/** Undoes changes, or some files of one, at once. A bar offers the way back. */
export function undoNow(ids: readonly number[], part?: PartOfChange): Promise<void> {
  return busy(async () => {
    const paths = part === undefined ? {} : { paths: part.paths };
    const answer = await post<Undone>('/undo', { ids, ...paths });
    const redo = answer.changes.map(Number).at(-1);
    showToast({
      text: undoneText(answer, part),
      ...(redo === undefined
        ? {}
        : { action: { label: activityStrings.redo, run: () => void redoNow(redo, part) } }),
    });
    if (answer.left.length > 0) {
      undoRest.value = { left: answer.left, ...(redo === undefined ? {} : { redo }) };
    }
  });
}

/** Takes an undo back: all changes that it undid, or the part of one that it was about. */
export function redoNow(id: number, part?: PartOfChange): Promise<void> {
  return busy(async () => {
    const { redone, left } = await post<ConsoleAnswer<'redo'>>('/redo', { id });
    const [first] = redone;
    if (first !== undefined) {
      const undo = () => void undoNow(redone, part);
      showToast({
        text: [
          part === undefined
            ? activityStrings.changesRedone(redone)
            : activityStrings.filesRedone(first, { files: part.paths.length, of: part.of }),
        ],
        action: { label: activityStrings.undo, icon: 'undo', run: undo },
      });
    }
    if (left.length > 0) undoRest.value = { left };
  });
}

function undoneText(
  { files, undone, merged, left }: Undone,
  part: PartOfChange | undefined,
): Piece[] {
  const [first] = inOrder(files);
  const ids = undone.map(Number);
  const [id] = ids;
  return [
    ...(ids.length === 1 && first !== undefined && merged.length === 0
      ? activityStrings.isBack(noteName(first.path))
      : []),
    part === undefined || id === undefined
      ? activityStrings.changesUndone(ids)
      : activityStrings.filesUndone(id, { files: part.paths.length, of: part.of }),
    ...(merged.length === 0 ? [] : [activityStrings.keepsEdits(merged.length)]),
    ...(left.length === 0
      ? []
      : [activityStrings.wereLeft(left.map(({ path }) => noteName(path)))]),
  ];
}

async function busy(work: () => Promise<void>): Promise<void> {
  if (isBusy.peek()) return;
  isBusy.value = true;
  try {
    await work();
  } catch (error) {
    const failure = asFailure(error);
    if (failure !== undefined) {
      undoRest.value = { left: leftOf(failure), failure };
      announced.value = { text: failure.message, isUrgent: false };
    }
  } finally {
    isBusy.value = false;
    undoCount.value++;
    await refreshFeed({ atTop: false });
  }
}

/** The files that a failure names with its reasons. */
function leftOf({ details }: ApiFailure): UndoRest['left'] {
  const left = details['left'];
  if (!Array.isArray(left)) return [];
  return left.filter(
    (file): file is UndoRest['left'][number] =>
      typeof file?.path === 'string' && typeof file?.reason === 'string',
  );
}
