import { signal } from '@preact/signals';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { type ApiFailure, asFailure, post } from '../page/api.ts';
import { announced, showToast } from '../page/toast-state.ts';
import { activityStrings } from '../words/activity-strings.ts';
import { inOrder, noteName } from '../words/describe-change.ts';
import type { Piece } from '../words/strings.ts';
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

/** Undoes changes, or some files of them, at once. A bar offers the way back. */
export function undoNow(request: {
  readonly ids: readonly number[];
  readonly paths?: readonly string[];
}): Promise<void> {
  return busy(async () => {
    const answer = await post<Undone>('/undo', request);
    const redo = answer.changes.map(Number).at(-1);
    tellUndone(answer, redo);
    if (answer.left.length > 0) {
      undoRest.value = { left: answer.left, ...(redo === undefined ? {} : { redo }) };
    }
  });
}

/** Takes an undo back. */
export function redoNow(id: number): Promise<void> {
  return busy(async () => {
    const answer = await post<ConsoleAnswer<'redo'>>('/redo', { id });
    const [first] = inOrder(answer.files);
    tell([
      ...(first === undefined ? [] : [{ name: noteName(first.path) }, ': ']),
      activityStrings.redone,
    ]);
    if (answer.left.length > 0) undoRest.value = { left: answer.left };
  });
}

function tellUndone({ files, undone, merged }: Undone, redo: number | undefined): void {
  const [first] = inOrder(files);
  const text: Piece[] = [
    ...(undone.length === 1 && first !== undefined
      ? activityStrings.isBack(noteName(first.path))
      : []),
    activityStrings.changesUndone(undone.map(Number)),
    ...(merged.length === 0 ? [] : [activityStrings.keepsEdits(merged.length)]),
  ];
  tell(text, redo);
}

function tell(text: readonly Piece[], redo?: number): void {
  showToast({
    text,
    ...(redo === undefined
      ? {}
      : { action: { label: activityStrings.redo, run: () => void redoNow(redo) } }),
  });
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
