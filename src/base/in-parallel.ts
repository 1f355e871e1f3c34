/**
 * Does something for every item, at most `atOnce` at a time, and answers the results in order.
 * After a failure no further item is begun; it is thrown once those under way have ended, so that
 * nothing goes on behind the caller's back.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  let failed: { readonly error: unknown } | undefined;
  const lane = async (): Promise<void> => {
    while (failed === undefined && next < items.length) {
      const at = next++;
      try {
        results[at] = await work(items[at] as Item);
      } catch (error) {
        failed ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  if (failed !== undefined) throw failed.error;
  return results;
}
