import { isMap, type Pair, type YAMLMap } from 'yaml';
import { VaultError } from '../../base/vault-error.ts';
import type { PropertyValue } from '../facts/facts.ts';
import { type FrontmatterBlock, findFrontmatter } from './frontmatter-block.ts';
import { readYaml, YamlRefusal } from './yaml-document.ts';
import { YamlValues } from './yaml-values.ts';

/** One property of a block that is to be edited. */
export interface WrittenProperty {
  readonly key: string;
  readonly value: PropertyValue;
  /** How the YAML library read it. */
  readonly pair: Pair;
}

/**
 * A block of properties with everything that an edit needs. Offsets count from the start of its
 * content.
 */
export interface PropertyDocument {
  readonly block: FrontmatterBlock;
  /** The YAML between the two `---` lines. */
  readonly source: string;
  /** The line end of the block. */
  readonly eol: string;
  /** Undefined when the block has only blank lines and comments. */
  readonly map: YAMLMap | undefined;
  readonly properties: readonly WrittenProperty[];
}

/**
 * Opens the properties of a note for editing; undefined when it has no block of them. Fails with
 * `invalid_input` when the block is not valid YAML, because an edit could then destroy it.
 */
export function openProperties(text: string): PropertyDocument | undefined {
  const block = findFrontmatter(text);
  if (block === undefined) return undefined;
  const source = text.slice(block.content.start, block.content.end);
  const eol = text.charAt(block.content.start - 2) === '\r' ? '\r\n' : '\n';
  try {
    const document = readYaml(source);
    const map = document.contents;
    if (map === null) return { block, source, eol, map: undefined, properties: [] };
    if (!isMap(map)) {
      const range = { start: map.range[0], end: map.range[1] };
      throw new YamlRefusal('invalid', 'The block is not a list of "name: value" lines.', range);
    }
    const root = map as unknown as YAMLMap;
    const values = new YamlValues(document, source);
    const properties = Array.from(values.entriesOf(root), ([key, pair]) => {
      return { key, pair, value: values.valueOf(pair.value, () => undefined) };
    });
    return { block, source, eol, map: root, properties };
  } catch (error) {
    if (!(error instanceof YamlRefusal)) throw error;
    const line = text.slice(0, block.content.start + error.range.start).split('\n').length;
    throw new VaultError(
      'invalid_input',
      `The properties of this note are not valid YAML: ${error.message} Correct line ${line} first, then try again; nothing was changed.`,
      { details: { line } },
    );
  }
}

/**
 * Finds a property by name: with exactly this spelling, or else with other upper and lower case;
 * undefined when there is none.
 */
export function findProperty(
  { properties }: PropertyDocument,
  key: string,
): WrittenProperty | undefined {
  const folded = key.toLowerCase();
  return (
    properties.find((property) => property.key === key) ??
    properties.find((property) => property.key.toLowerCase() === folded)
  );
}
