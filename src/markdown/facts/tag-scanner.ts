import { isDigit, isSpace, maskOf } from '../text/characters.ts';

/** The ASCII characters that end a tag, as in Obsidian's official importer. */
const tagEnds = maskOf('\'!"#$%&()*+,.:;<=>?@^`{|}~[]\\');

/**
 * Where the tag that begins with the `#` at `at` ends; -1 when it is not a tag, because every
 * character is a digit or there is none.
 */
export function tagEnd(text: string, at: number, end: number): number {
  let digits = true;
  let i = at + 1;
  for (; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code < 128 ? tagEnds[code] === 1 || isSpace(code) : endsTag(code)) break;
    if (digits && !isDigit(code)) digits = false;
  }
  return digits ? -1 : i;
}

/**
 * Whether a character beyond ASCII ends a tag: white space, and Unicode's two blocks of
 * punctuation.
 */
function endsTag(code: number): boolean {
  return (code >= 0x2000 && code <= 0x206f) || (code >= 0x2e00 && code <= 0x2e7f) || isSpace(code);
}
