/** Text as it is, or a character that has no shape, by its number. */
type ShownText = string | { readonly code: string };

// Controls, marks for the direction of text, zero-width and other characters that nobody sees. What
// joins emoji stays, and so does the tab.
const invisible =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?(?=\u200d))(?!\t)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{e0000}-\u{e01ef}]/gu;

/** A text for a place that shows no markup, such as a title: invisible characters are written by number. */
export function visibleText(text: string): string {
  return showInvisible(text)
    .map((part) => (typeof part === 'string' ? part : part.code))
    .join('');
}

/** Splits a line so that invisible characters can be drawn as marks. */
export function showInvisible(text: string): ShownText[] {
  const shown: ShownText[] = [];
  let done = 0;
  for (const { 0: character, index } of text.matchAll(invisible)) {
    if (index > done) shown.push(text.slice(done, index));
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    shown.push({ code: character === '\r' ? 'CR' : `U+${code}` });
    done = index + character.length;
  }
  if (done < text.length) shown.push(text.slice(done));
  return shown;
}
