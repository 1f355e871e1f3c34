import { signal } from '@preact/signals';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { noteName } from '../../tools/wording/describe-change.ts';
import { asFailure, get, post } from '../page/api.ts';
import { showToast } from '../page/toast-state.ts';
import { news } from '../page/vault-news.ts';
import { notesStrings } from '../words/notes-strings.ts';

/** Whether a version is being restored; a second one has to wait. */
export const isRestoring = signal(false);

/** A version as the list of versions has it. Its number changes as newer versions are made. */
type FileVersion = ConsoleAnswer<'versions'>['versions'][number];

/** Where a version that was listed earlier is in a newer list; undefined when it is gone. */
export function findVersion(
  versions: readonly FileVersion[],
  wanted: FileVersion,
): FileVersion | undefined {
  return versions.find(({ id, timeMs }) => id === wanted.id && timeMs === wanted.timeMs);
}

/** Gives a file the content of a version, at once. A bar offers the way back. */
export function restoreVersion(path: string, wanted: FileVersion): Promise<boolean> {
  const name = noteName(path);
  return busy(async () => {
    // A client may have made a newer version since the list was shown, which moves the numbers.
    const { versions } = await get<ConsoleAnswer<'versions'>>('/versions', { path });
    const version = findVersion(versions, wanted)?.version ?? wanted.version;
    const request = { path, version };
    const answer = await post<ConsoleAnswer<'restore_version'>>('/restore-version', request);
    const change = Number(answer.change);
    if (!(change > 0)) return showToast({ text: notesStrings.restoreNothing(name) });
    showToast({
      text: notesStrings.restored(name),
      action: {
        label: notesStrings.undo,
        icon: 'undo',
        run: () => void undoRestore(change, name),
      },
    });
  });
}

function undoRestore(change: number, name: string): Promise<boolean> {
  return busy(async () => {
    await post<ConsoleAnswer<'undo'>>('/undo', { ids: [change] });
    showToast({ text: notesStrings.undoneRestore(name) });
  });
}

/** Does one thing at a time, and says why when it does not work. Answers whether it did. */
async function busy(work: () => Promise<void>): Promise<boolean> {
  if (isRestoring.peek()) return false;
  isRestoring.value = true;
  try {
    await work();
    return true;
  } catch (error) {
    const failure = asFailure(error);
    if (failure !== undefined) showToast({ text: [failure.message] });
    return false;
  } finally {
    isRestoring.value = false;
    news.value++;
  }
}
