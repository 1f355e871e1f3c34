import type { PropertyValue } from '../facts/facts.ts';

/** Whether two property values are equal. The order of a map's keys does not matter. */
export function propertyEqual(a: PropertyValue, b: PropertyValue): boolean {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b)) return false;
  if (isList(a) || isList(b)) {
    if (!isList(a) || !isList(b) || a.length !== b.length) return false;
    return a.every((item, index) => propertyEqual(item, b[index] ?? null));
  }
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && propertyEqual(a[key] ?? null, b[key] ?? null))
  );
}

/** Whether a property value is a list. (`Array.isArray` does not narrow readonly arrays.) */
export function isList(value: PropertyValue): value is readonly PropertyValue[] {
  return Array.isArray(value);
}

/** Whether a property value is a map. */
export function isMapValue(
  value: PropertyValue,
): value is { readonly [key: string]: PropertyValue } {
  return isObject(value) && !isList(value);
}

function isObject(
  value: PropertyValue,
): value is readonly PropertyValue[] | { readonly [key: string]: PropertyValue } {
  return typeof value === 'object' && value !== null;
}

/**
 * Matches a new list with an old one: returns for each new entry the index of the old entry that it
 * keeps, or undefined where it is new. Kept entries keep their order, and as many as possible are
 * kept; lists too long for that keep only their common start and end.
 */
export function keptEntries(
  before: readonly PropertyValue[],
  after: readonly PropertyValue[],
): (number | undefined)[] {
  const same = (i: number, j: number) => propertyEqual(before[i] ?? null, after[j] ?? null);
  const kept: (number | undefined)[] = after.map(() => undefined);
  let start = 0;
  while (start < before.length && start < after.length && same(start, start)) {
    kept[start] = start;
    start++;
  }
  let ends = 0;
  while (
    ends < Math.min(before.length, after.length) - start &&
    same(before.length - 1 - ends, after.length - 1 - ends)
  ) {
    ends++;
    kept[after.length - ends] = before.length - ends;
  }
  const rows = before.length - ends - start;
  const columns = after.length - ends - start;
  if (rows * columns > cellsMax) return kept;
  // The longest common subsequence: `best` is its length for what follows (row, column).
  const best = Array.from({ length: rows + 1 }, () => new Array<number>(columns + 1).fill(0));
  const at = (row: number, column: number) => best[row]?.[column] ?? 0;
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const cells = best[row];
      if (cells === undefined) continue;
      cells[column] = same(start + row, start + column)
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (same(start + row, start + column)) kept[start + column++] = start + row++;
    else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return kept;
}

/** The size of the table of comparisons up to which as many entries as possible are kept. */
const cellsMax = 1_000_000;
