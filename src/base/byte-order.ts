const surrogate = /[\ud800-\udfff]/;

/**
 * Sorts names, in place, by their bytes in UTF-8. JavaScript sorts by UTF-16 units, which gives the
 * same order except for characters beyond the first 65,536: those have to come last.
 */
export function sortByBytes(names: string[]): string[] {
  return names.some((name) => surrogate.test(name)) ? names.sort(compareBytes) : names.sort();
}

/** Compares two texts by their bytes in UTF-8. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rankOf(left) - rankOf(right);
  }
  return a.length - b.length;
}

/** The rank of a UTF-16 unit; surrogates come after all others. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x1_0000 : unit;
}
