/** Characters that a terminal draws in two columns: East Asian ones and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
/** Characters that take no column: accents on the letter before, joiners, selectors. */
const none = /[\p{Mn}\p{Me}\p{Cf}]/u;
const plainText = /^[\x20-\x7e]*$/;

/** How many columns of a terminal a line takes. Terminals differ on joined emoji; this adds them up. */
export function displayWidth(text: string): number {
  if (plainText.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** The text, cut to so many columns; a text that is cut ends with `…`. */
export function cutToWidth(text: string, columns: number): string {
  if (text.length <= columns && plainText.test(text)) return text;
  if (displayWidth(text) <= columns) return text;
  return `${text.slice(0, fittingChars(text, columns - 1))}…`;
}

/** How many characters (code units) from the start of the text fit into so many columns. */
export function fittingChars(text: string, columns: number): number {
  let width = 0;
  let at = 0;
  for (const character of text) {
    width += columnsOf(character);
    if (width > columns) break;
    at += character.length;
  }
  return at;
}

/** The text with spaces behind or before it, so that it takes so many columns. */
export function padToWidth(text: string, columns: number, side: 'left' | 'right'): string {
  const spaces = ' '.repeat(Math.max(0, columns - displayWidth(text)));
  return side === 'left' ? text + spaces : spaces + text;
}

function columnsOf(character: string): number {
  if (plainText.test(character)) return 1;
  if (none.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
