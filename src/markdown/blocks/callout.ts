import { Code } from '../text/characters.ts';

/** The callout that the first line of a quote makes it: `[!type]- title`; undefined when none. */
export function calloutOf(
  text: string,
  start: number,
  end: number,
): { type: string; title: string; fold?: '+' | '-' } | undefined {
  if (!text.startsWith('[!', start)) return undefined;
  let close = start + 2;
  while (close < end && text.charCodeAt(close) !== Code.closeBracket) close++;
  if (close >= end || close === start + 2) return undefined;
  const sign = close + 1 < end ? text.charAt(close + 1) : '';
  const fold = sign === '+' || sign === '-' ? sign : undefined;
  const title = text.slice(close + (fold === undefined ? 1 : 2), end).trim();
  // What stands after a `|` in the type is for themes.
  const type = (text.slice(start + 2, close).split('|')[0] ?? '').trim().toLowerCase();
  return { type, title, ...(fold === undefined ? {} : { fold }) };
}
