import { limits } from '../../base/limits.ts';
import { fitItems } from '../fit-answer.ts';
import { nextOffset } from '../next-offset.ts';
import { count } from '../note-input.ts';

/** A longer text would keep a list from going on. */
const itemCharsMax = 1_000;

export const Offset = count('Skip this many');

/** All of a list from `offset` on: as much of it as the answer holds is shown. */
export function restFrom(offset: number) {
  return { limit: limits.resultsMax, offset };
}

/** A page of a list under its name, as far as it fits, and where the next one begins. */
export function listPage<Key extends string, Item>(
  key: Key,
  page: { readonly total: number; readonly items: readonly Item[]; readonly offset: number },
) {
  const { total, items, offset } = page;
  const shown = fitItems(items, { total, offset });
  return {
    total,
    ...({ [key]: shown } as { readonly [K in Key]: readonly Item[] }),
    ...nextOffset({ total, offset, shown: shown.length }),
  };
}

/** The beginning of a text that is one of many. */
export function cutItem(text: string): string {
  return text.length <= itemCharsMax ? text : `${text.slice(0, itemCharsMax)}…`;
}
