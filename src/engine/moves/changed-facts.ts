import type { TextRange } from '../../base/text-range.ts';
import type { Link, NoteFacts } from '../../markdown/facts/facts.ts';
import type { TextEdit } from '../../markdown/text/text-edit.ts';

/** A note before and after edits that took away some of its links. */
interface EditedNote {
  readonly before: NoteFacts;
  readonly after: NoteFacts;
  readonly edits: readonly TextEdit[];
  /** The links that are gone. */
  readonly gone: ReadonlySet<Link>;
}

/**
 * Where edits made a heading, tag, task, comment or anything else out of text, and where they took one
 * away, as places in the text afterwards. Both are empty when the note still has the facts that it
 * had, apart from the links that are gone.
 */
export function changedFacts({ before, after, edits, gone }: EditedNote): {
  readonly made: readonly TextRange[];
  readonly lost: readonly TextRange[];
} {
  const expected = placesByKey(before, { gone, moved: movedBy(edits) });
  const found = placesByKey(after, { gone: new Set(), moved: (place) => place });
  const missing = (from: typeof found, other: typeof found): TextRange[] =>
    Array.from(from).flatMap(([key, range]) => (other.has(key) ? [] : [range]));
  return { made: missing(found, expected), lost: missing(expected, found) };
}

/** What stands in a note, as texts that can be compared, each with its moved place. */
function placesByKey(
  facts: NoteFacts,
  { gone, moved }: { gone: ReadonlySet<Link>; moved: (place: number) => number },
): ReadonlyMap<string, TextRange> {
  const places = new Map<string, TextRange>();
  for (const [what, range] of placesOf(facts, gone)) {
    const { start, end } = { start: moved(range.start), end: moved(range.end) };
    places.set(`${start} ${end} ${what}`, { start, end });
  }
  return places;
}

/** What stands where in a note. The texts themselves are not compared: they may have had links. */
function* placesOf(
  facts: NoteFacts,
  gone: ReadonlySet<Link>,
): Generator<readonly [what: string, range: TextRange]> {
  if (facts.frontmatter !== undefined) yield ['properties', facts.frontmatter.range];
  for (const { level, range } of facts.headings) yield [`heading ${level}`, range];
  for (const { type, id = '', range } of facts.blocks) yield [`block ${type} ${id}`, range];
  for (const { id, range } of facts.blockIds) yield [`id ${id}`, range];
  for (const { parent, task, taskRange, range } of facts.listItems) {
    yield [`item ${parent} ${task ?? ''}`, range];
    if (taskRange !== undefined) yield ['task', taskRange];
  }
  for (const link of [...facts.links, ...facts.propertyLinks]) {
    if (!gone.has(link)) yield [`link ${link.form} ${link.link}`, link.range];
  }
  for (const { range } of facts.tags) yield ['tag', range];
  for (const { range } of facts.propertyTags) yield ['property tag', range];
  for (const { type, range } of facts.callouts) yield [`callout ${type}`, range];
  for (const { id, range } of facts.footnotes) yield [`footnote ${id}`, range];
  for (const { id, range } of facts.footnoteReferences) yield [`reference ${id}`, range];
  for (const range of facts.comments) yield ['comment', range];
  for (const range of facts.code) yield ['code', range];
  for (const { code, range } of facts.problems) yield [code, range];
}

/** Where a place of a text is after edits; a place at the end of an edit comes after its new text. */
export function movedBy(edits: readonly TextEdit[]): (place: number) => number {
  const sorted = edits.toSorted((a, b) => a.range.end - b.range.end);
  const shifts = [0];
  for (const { range, text } of sorted) {
    shifts.push((shifts.at(-1) ?? 0) + text.length - (range.end - range.start));
  }
  return (place) => {
    const ended = firstIndex(sorted.length, (at) => (sorted[at]?.range.end ?? 0) > place);
    return place + (shifts[ended] ?? 0);
  };
}

/** Makes the test whether one of these places is at or after `from` and before `to`. */
export function hasPlace(places: readonly number[]): (from: number, to: number) => boolean {
  const sorted = places.toSorted((a, b) => a - b);
  return (from, to) => {
    const first = firstIndex(sorted.length, (at) => (sorted[at] ?? 0) >= from);
    return (sorted[first] ?? Number.POSITIVE_INFINITY) < to;
  };
}

/** The first index for which a test holds that holds for all later ones too; `length` for none. */
function firstIndex(length: number, test: (index: number) => boolean): number {
  let from = 0;
  let to = length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (test(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
