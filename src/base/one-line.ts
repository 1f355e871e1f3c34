/**
 * A text as part of one line, for lists that models and people read, so that it cannot pass for
 * lines of its own: tabs and line breaks become spaces, invisible characters that could steer or
 * deceive a reader are escaped, and a text longer than `charsMax` is cut and ends with `…`.
 */
export function oneLine(text: string, charsMax: number): string {
  const line = text
    .replace(/[\t-\r\u0085\u2028\u2029]+/g, ' ')
    .trim()
    .replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  if (line.length <= charsMax) return line;
  const cut = line.slice(0, charsMax - 1);
  return `${isHighSurrogate(cut.charCodeAt(cut.length - 1)) ? cut.slice(0, -1) : cut}…`;
}

/** Control characters, lone surrogates, marks for the direction of text, and tag characters. */
const unseen = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
