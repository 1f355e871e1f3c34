/**
 * Does something for every item, at most `atOnce` in parallel, and answers the results in order.
 * After a failure no further item is begun. The failure is thrown when the items under way have
 * ended, so that nothing goes on in the background.
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
