import { limits } from '../../base/limits.ts';
import type { PropertyValue } from '../facts/facts.ts';
import { applyEdits, type TextEdit } from '../text/text-edit.ts';
import { findFrontmatter } from './frontmatter-block.ts';
import { propertyEqual } from './property-equal.ts';
import { parseYamlFast } from './yaml-fast.ts';
import { plainValue } from './yaml-plain.ts';

/** What YAML writes as it is, without quotes and on one line. */
const simpleText = /^[\p{L}\p{N}](?:[\p{L}\p{N} _./-]*[\p{L}\p{N}])?$/u;
const simpleTextCharsMax = 200;

type Entry = readonly [key: string, value: PropertyValue];

/**
 * Does what `setProperty` does where a word, a number or the like is set in a block of simple YAML:
 * adds a line, or replaces the value on its line. Answers undefined for everything else. The YAML
 * library, which reads and writes the rest, takes ten times as long.
 */
export function setSimply(text: string, key: string, value: PropertyValue): TextEdit[] | undefined {
  const before = readSimply(text);
  if (before === undefined) return undefined;
  const folded = key.toLowerCase();
  const { properties, content } = before;
  const property =
    properties.find((each) => each.key === key) ??
    properties.find((each) => each.key.toLowerCase() === folded);
  const written = property
    ? writeSimply(value, quoteAt(text, property.valueRange.start))
    : writeSimply(value);
  if (written === undefined) return undefined;
  const expected: Entry[] = properties.map((each) => [
    each.key,
    each === property ? value : each.value,
  ]);
  let edit: TextEdit;
  if (property === undefined) {
    if (!isSimple(key)) return undefined;
    expected.push([key, value]);
    const eol = text.charAt(content.start - 2) === '\r' ? '\r\n' : '\n';
    edit = { range: { start: content.end, end: content.end }, text: `${key}:${written}${eol}` };
  } else {
    if (propertyEqual(property.value, value)) return [];
    if (typeof property.value === 'object' && property.value !== null) return undefined;
    const { start, end } = property.valueRange;
    const colonEnd = property.keyRange.end + 1;
    edit =
      written !== '' && start > colonEnd
        ? { range: { start, end }, text: written.slice(1) }
        : { range: { start: colonEnd, end }, text: written };
  }
  return isAfter(applyEdits(text, [edit]), expected) ? [edit] : undefined;
}

/** The properties of a note, and the place of their lines, if they are simple. */
function readSimply(text: string) {
  const content = findFrontmatter(text)?.content;
  if (content === undefined || content.end - content.start > limits.yamlCharsMax / 2)
    return undefined;
  const properties = parseYamlFast(text, content)?.properties;
  return properties && { content, properties };
}

/** Whether the properties of a note are exactly these. */
function isAfter(text: string, expected: readonly Entry[]): boolean {
  const properties = readSimply(text)?.properties ?? [];
  return (
    properties.length === expected.length &&
    properties.every(({ key, value }, at) => {
      const [name, wanted] = expected[at] as Entry;
      return key === name && propertyEqual(value, wanted);
    })
  );
}

/** What is written after the colon, with the space before it; a text keeps the quotes of the old one. */
function writeSimply(value: PropertyValue, quote = ''): string | undefined {
  if (value === null) return '';
  if (typeof value === 'boolean') return ` ${value}`;
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && !Object.is(value, -0) ? ` ${value}` : undefined;
  }
  return typeof value === 'string' && isSimple(value) ? ` ${quote}${value}${quote}` : undefined;
}

function isSimple(text: string): boolean {
  return text.length <= simpleTextCharsMax && simpleText.test(text) && plainValue(text) === text;
}

function quoteAt(text: string, at: number): string {
  const first = text.charAt(at);
  return first === '"' || first === "'" ? first : '';
}
