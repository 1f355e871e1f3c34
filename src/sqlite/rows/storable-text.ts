/**
 * A quick test for texts that may have to be changed. Without the `u` flag it is much faster, but it
 * also finds surrogate pairs, which are harmless.
 */
const suspect = /[\0\ud800-\udfff]/;
const harmful = /[\0\p{Surrogate}]/gu;

/**
 * The text as a database can store it: NUL, which PostgreSQL refuses and which ends a text in some functions
 * of SQLite, and lone surrogates, which have no UTF-8, become U+FFFD. Nearly every text is returned unchanged.
 */
export function storableText(text: string): string {
  return suspect.test(text) ? text.replace(harmful, '\ufffd') : text;
}

/** The same for a text that may be absent, which is NULL. */
export function storableOrNull(text: string | undefined): string | null {
  return text === undefined ? null : storableText(text);
}
