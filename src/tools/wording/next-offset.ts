/** Where the next page begins; nothing when this one is the last. */
export function nextOffset(page: {
  readonly total: number;
  readonly offset: number;
  readonly shown: number;
}): { readonly next_offset?: number } {
  const next = page.offset + page.shown;
  return page.shown > 0 && next < page.total ? { next_offset: next } : {};
}
