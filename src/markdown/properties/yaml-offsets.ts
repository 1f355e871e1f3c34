import type { TextRange } from '../../base/text-range.ts';

/** What a backslash and a character mean between double quotes. */
const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
  '\t': '\t',
};
/** How many hex digits follow `\x`, `\u` and `\U`. */
const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/**
 * Returns the offset at which each character of a scalar's value is written: `offsets[i]` is that
 * of `value[i]`, and a last entry is the end. Handles quotes, escapes and folded lines; undefined
 * where value and source cannot be matched.
 */
export function scalarOffsets(
  text: string,
  range: TextRange,
  value: string,
): readonly number[] | undefined {
  const first = text.charAt(range.start);
  const quote = first === '"' || first === "'" ? first : '';
  const start = range.start + quote.length;
  const end = range.end - quote.length;
  // The value is written as it is: by far the most common case. It also covers block scalars of one
  // line, which would need rules of their own otherwise. Between quotes it holds only if nothing is
  // escaped or folded, that is, if both are equally long.
  const source = text.slice(start, end);
  const verbatim = quote === '' || source.length === value.length ? source.indexOf(value) : -1;
  if (verbatim >= 0) {
    return Array.from({ length: value.length + 1 }, (_, index) => start + verbatim + index);
  }
  return aligned(text, { start, end, quote }, value);
}

/** Reads the source and the value side by side, for scalars with escapes or several lines. */
function aligned(
  text: string,
  scalar: { start: number; end: number; quote: string },
  value: string,
): readonly number[] | undefined {
  const offsets: number[] = [];
  let at = textStart(text, scalar);
  let index = 0;
  while (index < value.length && at < scalar.end) {
    // Where the source has a line break, the value has one space, or one or more line ends: which, depends
    // on the kind of scalar, so it is taken from the value. All of them get the offset of the break. The
    // blanks after the break are indentation; if the value goes on with spaces (a literal block that is
    // indented further), that many of the last blanks belong to the value.
    const fold = foldedEnd(text, at, scalar.end);
    const unit = fold > at ? { decoded: value.charAt(index), end: fold } : unitAt(text, at, scalar);
    if (unit === undefined || !value.startsWith(unit.decoded, index)) return undefined;
    if (fold > at && !/\s/.test(unit.decoded)) return undefined;
    for (let i = 0; i < unit.decoded.length; i++) offsets.push(at);
    index += unit.decoded.length;
    if (fold > at) {
      for (; value.charAt(index) === '\n'; index++) offsets.push(at);
      unit.end -= /^ */.exec(value.slice(index))?.[0].length ?? 0;
    }
    at = unit.end;
  }
  // Line ends at the end of a block scalar are not part of its range.
  for (; value.charAt(index) === '\n'; index++) offsets.push(at);
  if (index < value.length || text.slice(at, scalar.end).trim() !== '') return undefined;
  offsets.push(at);
  return offsets;
}

/** Where the text of a scalar begins: for a block scalar, below its `|` or `>`. */
function textStart(
  text: string,
  { start, end, quote }: { start: number; end: number; quote: string },
): number {
  if (quote !== '' || !/[|>]/.test(text.charAt(start))) return start;
  const newline = text.indexOf('\n', start);
  if (newline === -1) return end;
  let at = newline;
  while (at < end && ' \t\r\n'.includes(text.charAt(at))) at++;
  return at;
}

/**
 * The end of the blanks and line ends that begin here, if there is a line end among them; else
 * `start`.
 */
function foldedEnd(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && ' \t\r\n'.includes(text.charAt(at))) at++;
  return text.slice(start, at).includes('\n') ? at : start;
}

/** The character or escape at `at`, decoded, and its end; undefined for an unknown escape. */
function unitAt(
  text: string,
  at: number,
  { quote }: { quote: string },
): { decoded: string; end: number } | undefined {
  const char = text.charAt(at);
  if (quote === "'" && char === "'") return { decoded: "'", end: at + 2 };
  if (quote !== '"' || char !== '\\') return { decoded: char, end: at + 1 };
  const letter = text.charAt(at + 1);
  const digits = hexDigits[letter];
  if (digits !== undefined) {
    const code = Number.parseInt(text.slice(at + 2, at + 2 + digits), 16);
    if (!(code >= 0 && code <= 0x10ffff)) return undefined;
    return { decoded: String.fromCodePoint(code), end: at + 2 + digits };
  }
  const decoded = escapes[letter];
  return decoded === undefined ? undefined : { decoded, end: at + 2 };
}

/** A text as it must be written inside a scalar with this quote, or without one. */
export function escapeForScalar(put: string, quote: string): string {
  if (quote === '"') return put.replace(/[\\"]/g, '\\$&');
  return quote === "'" ? put.replaceAll("'", "''") : put;
}
