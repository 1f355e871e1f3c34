/**
 * A text as part of one line, for lists that models and people read, so that it cannot pass for
 * lines of its own: tabs and line breaks become spaces, invisible characters that could steer or
 * deceive a reader are escaped, and a text longer than `charsMax` is cut and ends with `…`.
 */
export function oneLine(text: string, charsMax: number): string {
  const line = text
    .replace(/[\t-\r\u0085\u2028\u2029]+/g, ' ')
    .trim()
    .replace(unseen, escaped);
  if (line.length <= charsMax) return line;
  const cut = line.slice(0, charsMax - 1);
  return `${isHighSurrogate(cut.charCodeAt(cut.length - 1)) ? cut.slice(0, -1) : cut}…`;
}

/**
 * A text of several lines for a person who decides about it: invisible characters are escaped, so
 * that none is missed. Tabs, line ends and what joins emoji stay.
 */
export function shownText(text: string): string {
  return text.replace(invisible, (part, at: number) =>
    part === '\r' && text[at + 1] === '\n' ? part : escaped(part),
  );
}

/**
 * A text as one JSON string of at most `charsMax` characters, so that a reader sees where words of
 * others begin and end. What `oneLine` folds or escapes is escaped as JSON does it. A text that is
 * too long is cut and ends with `…` before the closing quote.
 */
export function quotedLine(text: string, charsMax: number): string {
  const pieces = Array.from(text.slice(0, charsMax), escapedInJson);
  const line = pieces.join('');
  if (text.length <= charsMax && line.length + 2 <= charsMax) return `"${line}"`;
  let cut = '';
  for (const piece of pieces) {
    if (cut.length + piece.length + 3 > charsMax) break;
    cut += piece;
  }
  return `"${cut}…"`;
}

function escapedInJson(character: string): string {
  const escaped = JSON.stringify(character).slice(1, -1);
  return escaped.replace(/[\u2028\u2029]/g, unitsInJson).replace(unseen, unitsInJson);
}

function unitsInJson(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Control characters, lone surrogates, marks for the direction of text, and tag characters. */
const unseen = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/**
 * The same, all other characters without a shape (zero-width ones, separators of lines and
 * paragraphs), and the variation selectors that only carry data.
 */
const invisible =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?(?=\u200d))(?![\t\n])[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\u{e0000}-\u{e01ef}]/gu;

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
