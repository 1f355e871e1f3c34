/**
 * Returns the texts that begin with a part, then those that only contain it, each in their order.
 */
export function beginningFirst(
  texts: readonly string[],
  part: string,
  keyOf: (text: string) => string,
): readonly string[] {
  const holding = texts.filter((text) => keyOf(text).includes(part));
  return [
    ...holding.filter((text) => keyOf(text).startsWith(part)),
    ...holding.filter((text) => !keyOf(text).startsWith(part)),
  ];
}
