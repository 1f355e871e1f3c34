/** Codes of the characters that have a meaning in Markdown or YAML. */
export const Code = {
  tab: 9,
  lineFeed: 10,
  carriageReturn: 13,
  space: 32,
  exclamation: 33,
  quote: 34,
  hash: 35,
  dollar: 36,
  percent: 37,
  ampersand: 38,
  apostrophe: 39,
  openParen: 40,
  closeParen: 41,
  asterisk: 42,
  plus: 43,
  comma: 44,
  dash: 45,
  dot: 46,
  slash: 47,
  digitOne: 49,
  colon: 58,
  semicolon: 59,
  less: 60,
  equals: 61,
  greater: 62,
  question: 63,
  at: 64,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  caret: 94,
  underscore: 95,
  backtick: 96,
  pipe: 124,
  tilde: 126,
} as const;

/** Whether a character is white space in the sense of `\s`. False for NaN, the end of a text. */
export function isSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  if (code < 0xa0) return false;
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

/** Whether a character is an ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Whether a character is an ASCII letter. */
export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** Whether a character is a word character in the sense of `\w`. */
export function isWord(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === Code.underscore;
}

const escapable = maskOf('\\`*{}[]()#+-.!_>~|\n"$%&\',/:;<=?@^');

/** Whether a backslash before this character makes it literal. */
export function isEscapable(code: number): boolean {
  return code < 128 && escapable[code] === 1;
}

/** A table with a 1 for each of the given ASCII characters. */
export function maskOf(characters: string): Uint8Array {
  const mask = new Uint8Array(128);
  for (let i = 0; i < characters.length; i++) mask[characters.charCodeAt(i)] = 1;
  return mask;
}

/** Whether a piece of text holds nothing but white space. */
export function isBlankBetween(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (!isSpace(text.charCodeAt(i))) return false;
  return true;
}
