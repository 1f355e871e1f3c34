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
/** Longer texts have no key. */
const keyCharsMax = 1_000;

/** The place of each printable character of ASCII in the order of the collator. */
const weights = new Uint8Array(128);
/** Stands before the digits of a number. All weights are below 256, so that a key takes a byte for each. */
const numberWeight = 100;
let weight = 0;
let before = '';
const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
for (const character of printable.filter((each) => !/\d/.test(each)).sort(collator.compare)) {
  if (before === '' || collator.compare(before, character) !== 0) weight++;
  before = character;
  // All numbers stand before all letters.
  weights[character.charCodeAt(0)] = /[a-z]/i.test(character) ? weight + numberWeight : weight;
}

/**
 * A text with its key. Comparing two keys is many times faster than comparing texts by the collator,
 * so the key is worth its cost when a text is compared more than a few times.
 */
export function collated(text: string): CollatedText {
  return {
    text,
    key: text.length <= keyCharsMax && /^[ -~]*$/.test(text) ? keyOf(text) : undefined,
  };
}

function keyOf(text: string): string | undefined {
  const codes: number[] = [];
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (!isDigit(code)) {
      codes.push(weights[code] ?? 0);
      at++;
      continue;
    }
    let end = at + 1;
    while (end < text.length && isDigit(text.charCodeAt(end))) end++;
    while (at < end - 1 && text.charCodeAt(at) === 48) at++;
    if (end - at > digitsMax) return undefined;
    codes.push(numberWeight, end - at);
    for (; at < end; at++) codes.push(text.charCodeAt(at));
  }
  return String.fromCharCode(...codes);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Compares two texts for sorting: zero where they differ in case only. */
export function compareCollated(a: CollatedText, b: CollatedText): number {
  if (a.key === undefined || b.key === undefined) return collator.compare(a.text, b.text);
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** Compares two texts for sorting. Texts that differ in case only have a fixed order. */
export function compareTexts(a: CollatedText, b: CollatedText): number {
  return compareCollated(a, b) || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0);
}
