/** Texts as lists of files show them: without regard to case, `b9` before `b10`. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** A text to be sorted. */
export interface CollatedText {
  readonly text: string;
  /** Has the same order by code units as the text has by the collator; absent for some texts. */
  readonly key: string | undefined;
}

/** The digits of a longer number are not counted here. */
const digitsMax = 100;

/** The places of the printable characters of ASCII in the order of the collator, from 1. */
const weights = new Map<string, string>();
let weight = 0;
let before = '';
const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
for (const character of printable.filter((each) => !/\d/.test(each)).sort(collator.compare)) {
  // All numbers stand before all letters.
  if (before === '' || collator.compare(before, character) !== 0) weight++;
  before = character;
  weights.set(character, String.fromCharCode(/[a-z]/i.test(character) ? weight + 200 : weight));
}
const numberWeight = String.fromCharCode(200);

/**
 * A text with its key. Comparing two keys is many times faster than comparing texts by the collator,
 * so the key is worth its cost when a text is compared more than a few times.
 */
export function collated(text: string): CollatedText {
  return { text, key: /^[ -~]*$/.test(text) ? keyOf(text) : undefined };
}

function keyOf(text: string): string | undefined {
  let key = '';
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) {
      key += weights.get(text.charAt(at)) ?? '';
      at++;
      continue;
    }
    let end = at + 1;
    while (end < text.length && isDigit(text.charCodeAt(end))) end++;
    while (at < end - 1 && text.charCodeAt(at) === 48) at++;
    if (end - at > digitsMax) return undefined;
    key += numberWeight + String.fromCharCode(end - at) + text.slice(at, end);
    at = end;
  }
  return key;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Compares two texts for sorting: zero where they differ in case only. */
export function compareCollated(a: CollatedText, b: CollatedText): number {
  if (a.key === undefined || b.key === undefined) return collator.compare(a.text, b.text);
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** Sorts by text. Texts that differ in case only keep a fixed order. */
export function sortedByText<T>(items: readonly T[], textOf: (item: T) => string): readonly T[] {
  return items
    .map((item) => ({ item, by: collated(textOf(item)) }))
    .sort((a, b) => compareCollated(a.by, b.by) || (a.by.text < b.by.text ? -1 : 1))
    .map(({ item }) => item);
}
