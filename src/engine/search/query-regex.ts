/**
 * The expression of a query: case does not count unless it is asked for, `^` and `$` are ends of
 * lines. Unicode's rules where the expression follows them, the lax ones of old where it does not
 * (`\-`). Throws a SyntaxError where it is none. Global, for whoever wants every place.
 */
export function queryRegex(source: string, options: { readonly sensitive: boolean }): RegExp {
  const flags = options.sensitive ? 'gm' : 'gim';
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return new RegExp(source, flags);
  }
}

/** Whether an expression matches somewhere in a text. */
export function matchesIn(regex: RegExp, text: string): boolean {
  regex.lastIndex = 0;
  return regex.test(text);
}
