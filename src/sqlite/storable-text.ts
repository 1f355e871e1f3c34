/**
 * A text as SQLite keeps it unharmed: NUL ends a text in some of its functions, and a lone
 * surrogate has no UTF-8. Both become U+FFFD. Nearly every text is returned as it is.
 */
export function storableText(text: string): string {
  return harmful.test(text) ? text.replace(allHarmful, '\ufffd') : text;
}

const harmful = /[\0\p{Surrogate}]/u;
const allHarmful = /[\0\p{Surrogate}]/gu;
