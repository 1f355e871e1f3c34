import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { count } from '../define/note-input.ts';
import { fitItems, nextOffset } from '../wording/fit-answer.ts';

/** A longer text would keep a list from going on. */
const itemCharsMax = 1_000;

export const Offset = count('Skip this many');

/** All of a list from `offset` on: as much of it as the answer holds is shown. */
export function restFrom(offset: number) {
  return { limit: limits.resultsMax, offset };
}

/** A page of a list under its name, as far as it fits, and where the next one begins. */
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

/** The schema of such a page. */
export function pageShape<Key extends string, Item extends z.ZodType>(key: Key, item: Item) {
  return {
    total: z.number(),
    ...({ [key]: z.array(item).readonly() } as {
      readonly [K in Key]: z.ZodReadonly<z.ZodArray<Item>>;
    }),
    next_offset: z.number().optional(),
  };
}

/** The beginning of a text that is one of many. */
export function cutItem(text: string): string {
  return text.length <= itemCharsMax ? text : `${text.slice(0, itemCharsMax)}…`;
}
