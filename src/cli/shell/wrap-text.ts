/** Breaks a text into lines of at most so many characters, where words end. A longer word stays whole. */
export function wrapText(text: string, width: number): readonly string[] {
  return wrapWords(text.split(' '), width);
}

/**
 * The same for a text with commands and paths in double quotes: what is quoted stays on one line, also
 * where it is longer, because a command that is broken cannot be copied.
 */
export function wrapAroundQuotes(text: string, width: number): readonly string[] {
  const words = text.match(/(?<!\S)[([]?".*?"[.,;:)\]]*(?!\S)|\S+/g);
  return wrapWords(words ?? [''], width);
}

function wrapWords(words: readonly string[], width: number): readonly string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of words) {
    if (row !== '' && row.length + 1 + word.length > width) {
      rows.push(row);
      row = word;
    } else {
      row = row === '' ? word : `${row} ${word}`;
    }
  }
  return [...rows, row];
}
