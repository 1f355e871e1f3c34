/**
 * Makes the regular expression of a query: case is ignored unless `sensitive`, and `^` and `$`
 * match at line ends. Uses Unicode mode where the expression is valid in it, else the older mode,
 * which allows `\-`. Throws a SyntaxError when the expression is invalid. It has the global flag,
 * for finding every match.
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
