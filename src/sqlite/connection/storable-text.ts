/**
 * A text as SQLite keeps it unharmed: NUL ends a text in some of its functions, and a lone
 * surrogate has no UTF-8. Both become U+FFFD. Nearly every text is returned as it is.
 */
export function storableText(text: string): string {
  return suspect.test(text) ? text.replace(harmful, '\ufffd') : text;
}

/** What may be harmful, pairs of surrogates too: without Unicode, an expression is much faster. */
const suspect = /[\0\ud800-\udfff]/;
const harmful = /[\0\p{Surrogate}]/gu;
