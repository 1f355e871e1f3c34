import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { count } from '../define/note-input.ts';
import { fitItems, nextOffset } from '../wording/fit-answer.ts';

/** Longer texts are cut: one that fills the whole answer would leave no room for the next page. */
const itemCharsMax = 1_000;

/** The argument `offset` of every list. */
export const Offset = count('Skip this many');

/** The request for a list from `offset` on; `listPage` then shows as much as an answer holds. */
export function restFrom(offset: number) {
  return { limit: limits.resultsMax, offset };
}

/** The answer with the items under `key`, as many as fit, and the offset of the next page. */
export function listPage<Key extends string, Item, Beside extends object = object>(
  key: Key,
  page: { readonly total: number; readonly items: readonly Item[]; readonly offset: number },
  beside?: Beside,
) {
  const { total, items, offset } = page;
  const about = { ...(beside as Beside), total };
  const shown = fitItems(items, about);
  return {
    ...about,
    ...({ [key]: shown } as { readonly [K in Key]: readonly Item[] }),
    ...nextOffset({ total, offset, shown: shown.length }),
  };
}

/** The schema of what `listPage` answers. */
export function pageShape<Key extends string, Item extends z.ZodType>(key: Key, item: Item) {
  return {
    total: z.number(),
    ...({ [key]: z.array(item).readonly() } as {
      readonly [K in Key]: z.ZodReadonly<z.ZodArray<Item>>;
    }),
    next_offset: z.number().optional(),
  };
}

/** The text of an item, cut to `itemCharsMax`. */
export function cutItem(text: string): string {
  return text.length <= itemCharsMax ? text : `${text.slice(0, itemCharsMax)}…`;
}
