/** The word that is being typed: what it means so far, how it is written, and the quote it is in. */
interface UnfinishedWord {
  readonly value: string;
  readonly written: string;
  /** The quote that is still open; empty outside of quotes. */
  readonly quote: '' | '"' | "'";
}

/**
 * Splits a command line into words as bash does: at blanks that are neither quoted nor escaped. The
 * last word is what stands directly before the end; empty when the line ends with a blank.
 */
export function readShellLine(line: string): {
  readonly words: readonly string[];
  readonly last: UnfinishedWord;
} {
  const words: string[] = [];
  let value = '';
  let written = '';
  let quote: UnfinishedWord['quote'] = '';
  for (let at = 0; at < line.length; at++) {
    const sign = line.charAt(at);
    if (quote === '' && /\s/.test(sign)) {
      if (written !== '') words.push(value);
      value = '';
      written = '';
      continue;
    }
    written += sign;
    if (sign === quote) quote = '';
    else if (quote === '' && (sign === '"' || sign === "'")) quote = sign;
    else if (sign === '\\' && quote !== "'" && escapes(line.charAt(at + 1), quote)) {
      at++;
      written += line.charAt(at);
      value += line.charAt(at);
    } else value += sign;
  }
  return { words, last: { value, written, quote } };
}

/** Whether a backslash before this character is one of the shell. */
function escapes(next: string, quote: '' | '"'): boolean {
  return next !== '' && (quote === '' || /["\\$`]/.test(next));
}

/** What separates words in bash beside blanks, so that only what follows it is replaced. */
const bashBreaks = /[@><=;|&(:]/;

/**
 * A completion as bash has to put it in place of the word that is being typed: escaped, or as the open
 * quote takes it, and without the beginning that bash does not replace.
 */
export function bashReply(candidate: string, { written, quote }: UnfinishedWord): string {
  if (quote === "'") return candidate.replaceAll("'", `'\\''`);
  if (quote === '"') return candidate.replace(/["\\$`]/g, '\\$&');
  const escaped = candidate.replace(/[^\p{L}\p{N}\p{M}_./%+,:=@-]/gu, '\\$&').replace(/^~/, '\\~');
  return escaped.slice(keptBefore(written));
}

/** How much of a written word bash leaves as it is. */
function keptBefore(written: string): number {
  let kept = 0;
  for (let at = 0; at < written.length; at++) {
    if (written.charAt(at) === '\\') at++;
    else if (bashBreaks.test(written.charAt(at))) kept = at + 1;
  }
  return kept;
}
