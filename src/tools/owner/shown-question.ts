import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { askerKey, isSameAsker } from '../../engine/decide/asker.ts';
import { brakeQuestion } from '../../engine/decide/brake-question.ts';
import type { Vault } from '../../engine/open/vault.ts';
import type { Question } from '../../engine/ports/questions.ts';

/** A question as the owner is shown it. */
export interface ShownQuestion extends Question {
  /** The files that have changed since it was asked: an answer for this call alone would allow nothing. */
  readonly changed?: readonly string[];
}

/** Whether a question waits for an answer. */
export function isOpen({ answer, used }: Question): boolean {
  return answer === undefined && !used;
}

/**
 * A question as it is now. The reasons of one that waits follow what has happened since it was asked:
 * an undo, or the answer to an earlier question.
 */
export async function shownQuestion(
  question: Question,
  { all, parts }: { readonly all: readonly Question[]; readonly parts: Vault['parts'] },
): Promise<ShownQuestion> {
  if (!isOpen(question)) return question;
  const { asker, timeMs, files, denied = false } = question;
  const span = { sinceMs: timeMs - limits.brakeMs, untilMs: timeMs };
  const [destroyed, changed] = await Promise.all([
    parts.state.destroyedFiles(askerKey(asker), span),
    changedFiles(question, parts),
  ]);
  const before = all.filter(
    (each) =>
      Number(each.id.slice(1)) < Number(question.id.slice(1)) && isSameAsker(each.asker, asker),
  );
  const waits = before.some(isOpen);
  const wasAllowed = before.some(
    (each) => isSameCall(each, question) && each.answer?.says === 'once',
  );
  const text = brakeQuestion({ destroys: files, destroyed, waits, denied, wasAllowed });
  return { ...question, text, ...(changed.length === 0 ? {} : { changed }) };
}

/** Whether two questions are about the same files, though these may have changed, and neither call was made. */
function isSameCall(one: Question, other: Question): boolean {
  const paths = ({ tool, paths, files }: Question): string => JSON.stringify([tool, files, paths]);
  return !one.used && !other.used && paths(one) === paths(other);
}

/** The files of a question that have another content than when it was asked. */
async function changedFiles(
  { contents = {} }: Question,
  { disk }: Vault['parts'],
): Promise<readonly string[]> {
  const isChanged = async (path: VaultPath, content: string): Promise<boolean> => {
    const stat = await disk.stat(path);
    if (stat?.stamp === content) return false;
    const bytesMax = limits.historyContentBytesMax;
    if (stat === undefined || stat.size > bytesMax) return true;
    return (await disk.read(path, { bytesMax })).version !== content;
  };
  const found = await Promise.all(
    Object.entries(contents).map(async ([path, content]) => {
      // A file that cannot be read now is no reason to hide the question.
      const changed = await isChanged(path as VaultPath, content).catch(() => false);
      return changed ? [path] : [];
    }),
  );
  return found.flat();
}
