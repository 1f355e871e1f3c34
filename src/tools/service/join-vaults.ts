import { limits } from '../../base/limits.ts';
import type { Completions, ListedNote } from './service.ts';

/** The latest notes of several vaults. Fails only when no vault has an answer. */
export async function joinNotes(
  asked: readonly Promise<readonly ListedNote[]>[],
): Promise<readonly ListedNote[]> {
  const notes = (await answersOf(asked)).flat();
  return notes.sort((a, b) => b.modifiedMs - a.modifiedMs).slice(0, limits.resourcesMax);
}

/** What several vaults would complete, each value once. Fails only when no vault has an answer. */
export async function joinCompletions(
  asked: readonly Promise<Completions>[],
): Promise<Completions> {
  const answers = await answersOf(asked);
  const all = answers.flatMap(({ values }) => values);
  const values = Array.from(new Set(all));
  const total = answers.reduce((sum, answer) => sum + answer.total, 0);
  return {
    values: values.slice(0, limits.completionsMax),
    total: total - (all.length - values.length),
  };
}

/** A vault that cannot be asked does not keep the others from answering. */
async function answersOf<T>(asked: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(asked);
  const answers = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const [failed] = settled.filter((each) => each.status === 'rejected');
  if (answers.length === 0 && failed !== undefined) throw failed.reason;
  return answers;
}
