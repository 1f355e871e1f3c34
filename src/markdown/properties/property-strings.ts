import type { TextRange } from '../../base/text-range.ts';
import type { Property } from '../facts/facts.ts';

/** A string somewhere in a property's value. */
export interface PropertyString {
  /** Which property holds it, as an index into the properties. */
  readonly property: number;
  /** Where in the value it stands: nothing, or `.0`, `.a.b`. */
  readonly path: string;
  readonly text: string;
  /** The scalar as written, quotes included. */
  readonly range: TextRange;
  /** True where the source holds only a YAML alias (`*name`) of a string written elsewhere. */
  readonly aliased: boolean;
}

/** What a block of YAML says: its properties in order, and every string in their values. */
export interface PropertyBlock {
  readonly properties: readonly Property[];
  readonly strings: readonly PropertyString[];
}

/**
 * The strings of one property that stands for a list of words (`tags`, `aliases`): its own value
 * or the entries of its list. The name is compared without regard to case, as the app does for
 * every property name; of several spellings the first counts.
 */
export function stringsOf(block: PropertyBlock, name: string): readonly PropertyString[] {
  const index = block.properties.findIndex(
    ({ key }) => key.length === name.length && key.toLowerCase() === name,
  );
  const property = block.properties[index];
  if (property === undefined) return [];
  const depth = Array.isArray(property.value) ? 1 : 0;
  return block.strings.filter(
    ({ property, path }) => property === index && path.split('.').length - 1 === depth,
  );
}
