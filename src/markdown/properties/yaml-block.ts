import { isMap, type YAMLMap } from 'yaml';
import type { TextRange } from '../../base/text-range.ts';
import type { Property } from '../facts/facts.ts';
import type { PropertyBlock, PropertyString } from './property-strings.ts';
import { readYaml, YamlRefusal } from './yaml-document.ts';
import { isFlow, keyRangeOf, valueRangeOf } from './yaml-nodes.ts';
import { YamlValues } from './yaml-values.ts';

/**
 * Reads a block of properties with the full YAML parser; undefined when it has only blank lines and
 * comments. Throws `YamlRefusal`, with a range in the block, when it is not valid.
 */
export function parseYamlBlock(text: string, content: TextRange): PropertyBlock | undefined {
  const source = text.slice(content.start, content.end);
  const document = readYaml(source);
  const root = document.contents;
  if (root === null) return undefined;
  if (!isMap(root)) {
    const range = { start: root.range[0], end: root.range[1] };
    throw new YamlRefusal('invalid', 'The block is not a list of "name: value" lines.', range);
  }
  const values = new YamlValues(document, source);
  const shift = (range: TextRange): TextRange => ({
    start: range.start + content.start,
    end: range.end + content.start,
  });
  const properties: Property[] = [];
  const strings: PropertyString[] = [];
  for (const [key, pair] of values.entriesOf(root as unknown as YAMLMap)) {
    const property = properties.length;
    const value = values.valueOf(pair.value, ({ path, text, range, aliased }) =>
      strings.push({ property, path, text, range: shift(range), aliased }),
    );
    const keyRange = shift(keyRangeOf(pair, source));
    const valueRange = shift(valueRangeOf(pair, source));
    // The range of a property on lines of its own includes its comment; inside `{…}` it does not.
    const end = isFlow(root as unknown as YAMLMap)
      ? valueRange.end
      : lineEnd(text, valueRange.end, content.end);
    properties.push({ key, value, range: { start: keyRange.start, end }, keyRange, valueRange });
  }
  return properties.length === 0 ? undefined : { properties, strings };
}

/** Where the line that holds an offset ends, before its line end. */
function lineEnd(text: string, offset: number, limit: number): number {
  const newline = text.indexOf('\n', offset);
  const end = newline === -1 || newline > limit ? limit : newline;
  return end > offset && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end;
}
