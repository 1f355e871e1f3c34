/** Names as a part of a sentence: `a, b and c`. */
export function listed(names: readonly string[], word = 'and'): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${word} ${last}`;
}
