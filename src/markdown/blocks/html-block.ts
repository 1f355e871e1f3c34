import { HtmlSearches, tagEnd } from '../inline/inline-html.ts';
import { Code, isBlankBetween, isLetter, isSpace } from '../text/characters.ts';
import { endOf, fromOf, indentEnd, type LineTable } from '../text/line-table.ts';

// Blocks of HTML as remark-parse 8, Obsidian's parser, finds them.

/** Tags that open a block even if more text follows on their line. */
const blockNames = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details ' +
    'dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 ' +
    'head header hgroup hr html iframe legend li link main menu menuitem meta nav noframes ol ' +
    'optgroup option p param pre section source title summary table tbody td tfoot th thead tr ' +
    'track ul'
  ).split(' '),
);

/**
 * What ends a block of HTML: this text on one of its lines, or an empty line; for `raw` one of
 * `</script>`, `</pre>` and `</style>`.
 */
type HtmlEnd = 'raw' | '-->' | '?>' | '>' | ']]>' | 'empty';

/**
 * What ends the block of HTML that a line opens, and whether the block may end (interrupt) the
 * paragraph before it; undefined when the line opens none.
 */
function htmlKind(
  lines: LineTable,
  line: number,
): { end: HtmlEnd; interrupts: boolean } | undefined {
  const { text } = lines;
  const start = indentEnd(lines, line);
  const end = endOf(lines, line);
  if (start >= end || text.charCodeAt(start) !== Code.less) return undefined;
  const closing = text.charCodeAt(start + 1) === Code.slash && start + 1 < end;
  const name = tagName(text, closing ? start + 2 : start + 1, end);
  if (!closing && (name === 'script' || name === 'pre' || name === 'style')) {
    if (endsTagName(text, start + 1 + name.length, end, { slash: false })) {
      return { end: 'raw', interrupts: true };
    }
  }
  const markup = text.slice(start, Math.min(end, start + 9));
  if (markup.startsWith('<!--')) return { end: '-->', interrupts: true };
  if (markup.startsWith('<?')) return { end: '?>', interrupts: true };
  if (markup.startsWith('<!') && isLetter(markup.charCodeAt(2))) {
    return { end: '>', interrupts: true };
  }
  if (markup === '<![CDATA[') return { end: ']]>', interrupts: true };
  if (blockNames.has(name)) {
    const after = (closing ? start + 2 : start + 1) + name.length;
    if (endsTagName(text, after, end, { slash: true })) return { end: 'empty', interrupts: true };
  }
  const tag = tagEnd(text, start, end, new HtmlSearches({ text, start, end }));
  if (tag !== -1 && isBlankBetween(text, tag, end)) return { end: 'empty', interrupts: false };
  return undefined;
}

/**
 * Whether a line opens a block of HTML; with `interrupting`, one that may end the paragraph before
 * it.
 */
export function opensHtmlBlock(
  lines: LineTable,
  line: number,
  how: { interrupting: boolean },
): boolean {
  const kind = htmlKind(lines, line);
  return kind !== undefined && (kind.interrupts || !how.interrupting);
}

/** The line after the block of HTML that begins on a line; -1 when none does. */
export function htmlBlockEnd(lines: LineTable, line: number, last: number): number {
  const kind = htmlKind(lines, line);
  if (kind === undefined) return -1;
  for (let next = line; next < last; next++) {
    const start = fromOf(lines, next);
    const end = endOf(lines, next);
    if (kind.end === 'empty') {
      if (next > line && start === end) return next;
    } else if (closes(lines.text, start, end, kind.end)) {
      return next + 1;
    }
  }
  return last;
}

function closes(text: string, start: number, end: number, wanted: HtmlEnd): boolean {
  if (wanted === 'raw') return /<\/(?:script|pre|style)>/i.test(text.slice(start, end));
  return text.slice(start, end).includes(wanted);
}

/** The letters and digits at `at`, in lower case; cut at 12, more than any of `blockNames` has. */
function tagName(text: string, at: number, end: number): string {
  let i = at;
  while (i < end && /[a-z0-9]/i.test(text.charAt(i)) && i - at < 12) i++;
  return text.slice(at, i).toLowerCase();
}

/**
 * Whether a tag's name ends at `at`: before white space, `>`, the line's end or, with `slash`,
 * `/>`.
 */
function endsTagName(text: string, at: number, end: number, allow: { slash: boolean }): boolean {
  if (at >= end) return true;
  const code = text.charCodeAt(at);
  if (code === Code.greater || isSpace(code)) return true;
  return (
    allow.slash && code === Code.slash && at + 1 < end && text.charCodeAt(at + 1) === Code.greater
  );
}
