import { VaultError } from '../../base/vault-error.ts';
import { operatorPlaces } from './query-tokens.ts';

const named = /^([\p{L}_-]+):(?![:/])(.*)$/su;
/** A value that is compared: `<2026-12-01`, `>=4`. */
const comparison = /^[<>]=?\s*["\d]/;
const day = /^(\d{4}-\d\d-\d\d|today|tomorrow|yesterday|overdue)$/i;
/** The dates of a task, which other programs search for in this way. */
const taskDates: ReadonlySet<string> = new Set(['due', 'scheduled', 'start', 'starts', 'done']);
/** Words that other programs have for an operator. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['filename', 'file'],
  ['folder', 'path'],
  ['hashtag', 'tag'],
  ['todo', 'task-todo'],
]);

/**
 * Fails with `invalid_input` when a word of a query is meant as an operator that does not exist: a
 * misspelled one (`tga:x`), one of another program (`folder:x`), or a comparison
 * (`due:<2026-12-01`, `rating:>4`). Any other word with a colon is text to look for:
 * `https://x.org`, `12:30`, `Note: a`, `foo:bar`.
 */
export function checkOperator(
  word: string,
  /** What stands directly after the word in the query. */
  after: string,
): void {
  const [, written = '', value = ''] = named.exec(word) ?? [];
  if (written === '' || (value === '' && after !== '"' && after !== '(')) return;
  const name = written.toLowerCase();
  const nearest = otherNames.get(name) ?? misspelled(name);
  if (nearest !== undefined) {
    throw unknown(written, `use "${nearest}:"`);
  }
  if (!comparison.test(value) && !(taskDates.has(name) && day.test(value))) return;
  throw unknown(written, `to compare a property write [${written}:${value}]`);
}

function unknown(operator: string, todo: string): VaultError {
  return new VaultError(
    'invalid_input',
    `There is no search operator "${operator}:"; ${todo}. To look for the text itself, put it in quotes.`,
    { details: { operator: operator.toLowerCase() } },
  );
}

/**
 * The operator that a name becomes when two neighbouring letters are swapped, or one is left out or
 * added; undefined if there is none. Another letter in place of one is no such mistake, because
 * `math:` and `time:` would pass for operators; neither is another first letter.
 */
function misspelled(name: string): string | undefined {
  const letters = lettersOf(name);
  return Object.keys(operatorPlaces).find((operator) => {
    const right = lettersOf(operator);
    return right[0] === letters[0] && (right === letters || isOneSlip(letters, right));
  });
}

/** The dashes of `match-case` are easily left out or written in another way. */
function lettersOf(name: string): string {
  return name.replace(/[-_]/g, '');
}

function isOneSlip(a: string, b: string): boolean {
  const at = firstDifference(a, b);
  if (a.length === b.length) {
    const swapped = a.charAt(at) === b.charAt(at + 1) && a.charAt(at + 1) === b.charAt(at);
    return swapped && a.slice(at + 2) === b.slice(at + 2);
  }
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.length === short.length + 1 && short.slice(at) === long.slice(at + 1);
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charAt(at) === b.charAt(at)) at++;
  return at;
}
