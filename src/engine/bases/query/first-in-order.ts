/**
 * The first items in an order that has no two equal ones, without sorting the others. Costs little
 * more than one comparison for each item when few are wanted.
 */
export function firstInOrder<T>(
  items: readonly T[],
  count: number,
  compare: (a: T, b: T) => number,
): readonly T[] {
  if (count * 8 > items.length) return Array.from(items).sort(compare).slice(0, count);
  const first = items.slice(0, count).sort(compare);
  for (let at = count; at < items.length; at++) {
    const item = items[at] as T;
    const last = first[count - 1];
    if (last === undefined || compare(item, last) > 0) continue;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(item, first[middle] as T) < 0) high = middle;
      else low = middle + 1;
    }
    first.pop();
    first.splice(low, 0, item);
  }
  return first;
}
