/**
 * What a caller calls a change of the history: its number, or for callers who are limited to folders
 * a word, because numbers would tell them how many changes are made elsewhere.
 */
export type ChangeName = number | string;

/** Whether a text has the form of the words that stand for changes: `c-` and eight letters. */
export function isChangeWord(name: string): boolean {
  return /^c-[0-9a-hjkmnp-tv-z]{8}$/.test(name);
}
