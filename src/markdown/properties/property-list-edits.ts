import type { YAMLSeq } from 'yaml';
import { isNode, isScalar } from 'yaml';
import type { TextRange } from '../../base/text-range.ts';
import type { PropertyValue } from '../facts/facts.ts';
import type { TextEdit } from '../text/text-edit.ts';
import type { QuoteStyle } from './property-emit.ts';
import { emitFlowItem, emitItem } from './property-emit.ts';
import { keptEntries } from './property-equal.ts';
import { dashOf, isEmptyNode, itemRange } from './yaml-nodes.ts';

/** A list as it is written, its entries, and the entries that it must get. */
interface ListChange {
  readonly source: string;
  readonly eol: string;
  readonly list: YAMLSeq;
  readonly before: readonly PropertyValue[];
  readonly after: readonly PropertyValue[];
}

/**
 * Returns edits for a list with one entry per line. Lines of entries that stay are not changed, nor
 * are comments on lines of their own. Undefined where an entry shares its lines with something
 * else.
 */
export function blockListEdits(change: ListChange): TextEdit[] | undefined {
  const { source, eol, list, before, after } = change;
  const lines = before.map((_, index) => linesOf(source, list, index));
  if (lines.some((line) => line === undefined)) return undefined;
  const first = lines[0];
  if (first === undefined) return undefined;
  const indent = ' '.repeat(dashOf(list, 0) - first.start);
  const write = (text: string) => `${indent}- ${text.replace(/\n(?=.)/g, `\n${indent}`)}`;
  const edits: TextEdit[] = [];
  for (const step of listSteps(before, after)) {
    const line = lines[step.old];
    if (step.kind === 'add') {
      const at = lines[step.old - 1]?.end ?? first.start;
      edits.push({ range: { start: at, end: at }, text: write(emitItem(step.value)) + eol });
    } else if (step.kind === 'remove') {
      if (line !== undefined) edits.push({ range: line, text: '' });
    } else if (step.kind === 'replace') {
      const range = itemRange(list, step.old, source);
      const text = emitItem(step.value, quotesOf(list, step.old));
      if (text.includes('\n') || source.slice(range.start, range.end).includes('\n')) {
        if (line !== undefined) edits.push({ range: line, text: write(text) + eol });
      } else if (range.start === range.end) edits.push({ range, text: ` ${text}` });
      else edits.push({ range, text });
    }
  }
  return edits.map((edit) => ({ ...edit, text: edit.text.replace(/\r?\n/g, eol) }));
}

/**
 * Returns edits for a list in brackets, which stays on its lines. What is between entries that
 * stay, blanks and comments included, is not changed; a removed entry takes the comment after it
 * along.
 */
export function flowListEdits({ source, list, before, after }: ListChange): TextEdit[] {
  const ranges = before.map((_, index) => itemRange(list, index, source));
  const steps = listSteps(before, after);
  const lastStaying =
    steps.findLast(({ kind }) => kind === 'keep' || kind === 'replace')?.old ?? -1;
  const edits: TextEdit[] = [];
  for (const step of steps) {
    const range = ranges[step.old];
    const previous = ranges[step.old - 1];
    if (step.kind === 'replace' && range !== undefined) {
      edits.push({ range, text: emitFlowItem(step.value, quotesOf(list, step.old)) });
    } else if (step.kind === 'add') {
      const text = emitFlowItem(step.value, quotesOf(list, Math.max(0, step.old - 1)));
      const separator = separatorNear(source, ranges, step.old);
      const at = previous?.end ?? range?.start ?? 0;
      const put = previous === undefined ? text + separator : separator + text;
      edits.push({ range: { start: at, end: at }, text: put });
    } else if (step.kind === 'remove' && range !== undefined) {
      const next = ranges[step.old + 1];
      // It goes with the separator after it, or with the one before it if no other entry follows.
      if (step.old < lastStaying && next !== undefined) {
        edits.push({ range: { start: range.start, end: next.start }, text: '' });
      } else {
        const between = previous === undefined ? '' : source.slice(previous.end, range.start);
        const start = plainSeparator.test(between) ? (previous?.end ?? 0) : range.start;
        edits.push({ range: { start, end: range.end }, text: '' });
      }
    }
  }
  return edits;
}

/** A comma and blanks, but no comment. */
const plainSeparator = /^\s*,\s*$/;

/** The separator nearest before an entry: a comma and the blanks around it. */
function separatorNear(source: string, ranges: readonly TextRange[], index: number): string {
  for (let right = Math.min(Math.max(index, 2), ranges.length) - 1; right > 0; right--) {
    const start = ranges[right - 1]?.end ?? 0;
    const between = source.slice(start, ranges[right]?.start);
    if (plainSeparator.test(between)) return between;
    // There is a comment between the two, so only the line end after it can be repeated.
    const line = /\r?\n[ \t]*$/.exec(between);
    if (line !== null) return `,${line[0]}`;
  }
  return ', ';
}

/** The quotes of an entry, which its replacement keeps. */
function quotesOf(list: YAMLSeq, index: number): QuoteStyle {
  const item = list.items[index];
  if (!isScalar(item)) return 'PLAIN';
  return item.type === 'QUOTE_DOUBLE' || item.type === 'QUOTE_SINGLE' ? item.type : 'PLAIN';
}

/** The lines of an entry with their line end; undefined when it shares them with something else. */
function linesOf(source: string, list: YAMLSeq, index: number): TextRange | undefined {
  const dash = dashOf(list, index);
  const start = source.lastIndexOf('\n', dash - 1) + 1;
  if (source.slice(start, dash).trim() !== '') return undefined;
  const item = list.items[index];
  if (isNode(item) && !isEmptyNode(item) && item.range === undefined) return undefined;
  const newline = source.indexOf('\n', itemRange(list, index, source).end);
  return { start, end: newline === -1 ? source.length : newline + 1 };
}

/**
 * One step from a list to another. `old` is the index of the entry it is about, or before which one
 * is added.
 */
type ListStep =
  | { readonly kind: 'keep' | 'remove'; readonly old: number }
  | { readonly kind: 'replace' | 'add'; readonly old: number; readonly value: PropertyValue };

/**
 * Returns the steps that turn one list into another, in order. As many entries as possible stay.
 * Between two that stay, old entries are replaced by new ones one by one, and only then are the
 * rest added or removed, so an entry is never added directly after a removed one.
 */
function listSteps(before: readonly PropertyValue[], after: readonly PropertyValue[]): ListStep[] {
  const kept = keptEntries(before, after);
  const stays = new Set(kept);
  const steps: ListStep[] = [];
  let old = 0;
  for (const [next, value] of after.entries()) {
    const keeps = kept[next];
    if (keeps === undefined) {
      const replaces = old < before.length && !stays.has(old);
      steps.push({ kind: replaces ? 'replace' : 'add', old, value });
      if (replaces) old++;
      continue;
    }
    for (; old < keeps; old++) steps.push({ kind: 'remove', old });
    steps.push({ kind: 'keep', old });
    old++;
  }
  for (; old < before.length; old++) steps.push({ kind: 'remove', old });
  return steps;
}
