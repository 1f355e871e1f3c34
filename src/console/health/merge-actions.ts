import { signal } from '@preact/signals';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { noteName } from '../../tools/wording/describe-change.ts';
import { asFailure, post } from '../page/api.ts';
import { showToast } from '../page/toast-state.ts';
import { healthStrings } from '../words/health-strings.ts';
import { strings } from '../words/strings.ts';
import type { Choices } from './choose-sides.ts';
import { chooseText } from './choose-sides.ts';

/** Whether a merge, or its undo, is on its way. */
export const isMerging = signal(false);

/** Merges a copy with these choices. Rejects with an `ApiFailure`. A bar offers the way back. */
export async function mergeCopy(
  conflict: ConsoleAnswer<'conflict'>,
  choices: Choices,
): Promise<void> {
  const { path, copy, token } = conflict;
  const choose = chooseText(choices);
  isMerging.value = true;
  try {
    const answer = await post<ConsoleAnswer<'merge_conflict'>>('/merge-conflict', {
      path: copy,
      token,
      ...(choose === '' ? {} : { choose }),
    });
    const file = noteName(path);
    const { change } = answer;
    showToast({
      text: healthStrings.merged(file),
      ...(change === undefined
        ? {}
        : {
            action: {
              label: healthStrings.undo,
              icon: 'undo',
              run: () => void undoMerge(Number(change), file),
            },
          }),
    });
  } finally {
    isMerging.value = false;
  }
}

async function undoMerge(change: number, file: string): Promise<void> {
  await told(async () => {
    const answer = await post<ConsoleAnswer<'undo'>>('/undo', { ids: [change] });
    const [left] = answer.left;
    const redo = answer.changes.map(Number).at(-1);
    showToast({
      text:
        left === undefined
          ? healthStrings.mergeUndone(file)
          : healthStrings.mergeUndoneNot(noteName(left.path), left.reason),
      ...(redo === undefined
        ? {}
        : { action: { label: healthStrings.redo, run: () => void redoMerge(redo, file) } }),
    });
  });
}

async function redoMerge(undo: number, file: string): Promise<void> {
  await told(async () => {
    await post<ConsoleAnswer<'redo'>>('/redo', { id: undo });
    showToast({ text: healthStrings.merged(file) });
  });
}

/** Does something, and shows a failure in the bar. */
async function told(work: () => Promise<void>): Promise<void> {
  if (isMerging.peek()) return;
  isMerging.value = true;
  try {
    await work();
  } catch (error) {
    showToast({ text: [asFailure(error)?.message ?? strings.failed] });
  } finally {
    isMerging.value = false;
  }
}
