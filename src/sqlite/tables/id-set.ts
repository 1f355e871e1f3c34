/** Ids of files, ascending, each once. A typed array needs four bytes for each. */
export type IdSet = Uint32Array;

export const noIds: IdSet = new Uint32Array(0);

/** Parses the text of `group_concat`: ids in ascending order, separated by commas. */
export function parseIds(text: string | null | undefined): IdSet {
  if (text === null || text === undefined || text === '') return noIds;
  let count = 1;
  for (let at = text.indexOf(','); at !== -1; at = text.indexOf(',', at + 1)) count++;
  const ids = new Uint32Array(count);
  let next = 0;
  let id = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === comma) {
      ids[next++] = id;
      id = 0;
    } else id = id * 10 + code - zero;
  }
  ids[next] = id;
  return ids;
}

const comma = 44;
const zero = 48;

/** The ids that are in both sets. */
export function intersect(a: IdSet, b: IdSet): IdSet {
  const both = new Uint32Array(Math.min(a.length, b.length));
  let size = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [x, y] = [a[i] as number, b[j] as number];
    if (x === y) both[size++] = x;
    if (x <= y) i++;
    if (y <= x) j++;
  }
  return both.subarray(0, size);
}

/** The ids that are in `a` and not in `b`. */
export function subtract(a: IdSet, b: IdSet): IdSet {
  if (b.length === 0) return a;
  const left = new Uint32Array(a.length);
  let size = 0;
  let j = 0;
  for (const id of a) {
    while (j < b.length && (b[j] as number) < id) j++;
    if (b[j] !== id) left[size++] = id;
  }
  return left.subarray(0, size);
}

/** The ids that are in either set. */
export function unite(a: IdSet, b: IdSet): IdSet {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const all = new Uint32Array(a.length + b.length);
  let size = 0;
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const x = i < a.length ? (a[i] as number) : Number.POSITIVE_INFINITY;
    const y = j < b.length ? (b[j] as number) : Number.POSITIVE_INFINITY;
    all[size++] = Math.min(x, y);
    if (x <= y) i++;
    if (y <= x) j++;
  }
  return all.subarray(0, size);
}

/** Whether the two sets have an id in common. */
export function meets(a: IdSet, b: IdSet): boolean {
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [x, y] = [a[i] as number, b[j] as number];
    if (x === y) return true;
    if (x < y) i++;
    else j++;
  }
  return false;
}

/** The ids as a JSON array, for `json_each`. */
export function idsJson(ids: IdSet): string {
  return `[${ids.join(',')}]`;
}
