import { isMap, isPair, isScalar, isSeq, type Pair } from 'yaml';
import type { TextRange } from '../../base/text-range.ts';
import type { TextEdit } from '../text/text-edit.ts';
import { applyEdits } from '../text/text-edit.ts';
import { readYaml, YamlRefusal } from './yaml-document.ts';
import { endOf, startOf } from './yaml-nodes.ts';
import { escapeForScalar, scalarOffsets } from './yaml-offsets.ts';
import { YamlValues } from './yaml-values.ts';

/** A text in YAML: the name or the value of an entry, or an element of a list. */
export interface YamlScalar {
  /** The names and numbers that lead to it; for a name, those of its mapping and then itself. */
  readonly path: readonly string[];
  readonly isKey: boolean;
  readonly text: string;
  /** As it is written, quotes included. */
  readonly range: TextRange;
}

/**
 * Lists everything in a piece of YAML that is not a list or a mapping, in its order. What an alias
 * stands for is listed once, at its anchor. Throws `YamlRefusal` as `readYaml` and `YamlValues` do.
 */
export function yamlScalars(source: string, nestingMax: number): readonly YamlScalar[] {
  const document = readYaml(source, nestingMax);
  // Refuses names that occur twice, and aliases that multiply.
  new YamlValues(document, source, nestingMax).valueOf(document.contents, () => undefined);
  const found: YamlScalar[] = [];
  const add = (node: unknown, path: readonly string[], isKey: boolean): void => {
    if (!isScalar(node) || node.value === null || node.value === undefined) return;
    const range = { start: startOf(node), end: endOf(node, source) };
    found.push({ path, isKey, text: String(node.value), range });
  };
  const addPair = ({ key, value }: Pair, path: readonly string[]): void => {
    const below = [...path, isScalar(key) ? String(key.value ?? '') : ''];
    add(key, below, true);
    visit(value, below);
  };
  const visit = (node: unknown, path: readonly string[]): void => {
    if (isMap(node)) for (const pair of node.items) addPair(pair, path);
    else if (isSeq(node)) {
      for (const [at, item] of node.items.entries()) visit(item, [...path, String(at)]);
    } else if (isPair(node)) addPair(node, path);
    else add(node, path, false);
  };
  visit(document.contents, []);
  return found;
}

/**
 * Returns edits of a piece of YAML that make these edits of the texts of some of its scalars, and
 * nothing else: a text keeps its quotes, and gets some where it needs them now. The edited YAML is
 * read again to prove it. Undefined when the texts cannot be written so.
 */
export function changeScalars(
  source: string,
  changes: ReadonlyMap<YamlScalar, readonly TextEdit[]>,
  nestingMax: number,
): readonly TextEdit[] | undefined {
  if (changes.size === 0) return [];
  const byPlace = new Map(Array.from(changes, ([{ range }, edits]) => [range.start, edits]));
  const expected = yamlScalars(source, nestingMax).map(({ path, isKey, text, range }) => {
    const now = applyEdits(text, byPlace.get(range.start) ?? []);
    return `${path.length} ${isKey} ${now}`;
  });
  for (const isQuoted of [false, true]) {
    const edits = Array.from(changes).flatMap(([scalar, own]) =>
      isQuoted ? quoted(source, scalar, own) : written(source, scalar, own),
    );
    if (isProven(applyEdits(source, edits), expected, nestingMax)) return edits;
  }
  return undefined;
}

function isProven(source: string, expected: readonly string[], nestingMax: number): boolean {
  try {
    const found = yamlScalars(source, nestingMax);
    return (
      found.length === expected.length &&
      found.every(({ path, isKey, text }, at) => {
        return expected[at] === `${path.length} ${isKey} ${text}`;
      })
    );
  } catch (error) {
    if (error instanceof YamlRefusal) return false;
    throw error;
  }
}

/** The edits where the text itself is written; the whole scalar anew where that cannot be told. */
function written(source: string, scalar: YamlScalar, edits: readonly TextEdit[]): TextEdit[] {
  const { text, range } = scalar;
  const offsets = scalarOffsets(source, range, text);
  if (offsets === undefined) return anew(scalar, edits);
  const quote = /["']/.exec(source.charAt(range.start))?.[0] ?? '';
  return edits.map((edit) => ({
    range: {
      start: offsets[edit.range.start] ?? range.start,
      end: offsets[edit.range.end] ?? range.end,
    },
    text: escapeForScalar(edit.text, quote),
  }));
}

/** The same, where a text of one line without quotes gets some. */
function quoted(source: string, scalar: YamlScalar, edits: readonly TextEdit[]): TextEdit[] {
  const { start, end } = scalar.range;
  const isPlain = !/^["'|>]|\n/.test(source.slice(start, end));
  return isPlain ? anew(scalar, edits) : written(source, scalar, edits);
}

function anew({ text, range }: YamlScalar, edits: readonly TextEdit[]): TextEdit[] {
  const put = applyEdits(text, edits);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they need the escapes of double quotes
  const isSimple = !/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/.test(put);
  return [{ range, text: isSimple ? `'${escapeForScalar(put, "'")}'` : JSON.stringify(put) }];
}
