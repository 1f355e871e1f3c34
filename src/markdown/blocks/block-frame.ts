import type { TextRange } from '../../base/text-range.ts';
import type { BlockType } from '../facts/facts.ts';
import type { DefinitionSearches } from './link-definition.ts';

/** The type and range of a block. */
export interface FoundBlock {
  readonly type: BlockType;
  readonly range: TextRange;
}

/**
 * A container that is being scanned (the note, a quote, a list item or a footnote), and what was
 * found in it so far.
 */
export class BlockFrame {
  /** The line after its last line. */
  readonly last: number;
  /** How many containers are around it; 0 for the note itself. */
  readonly depth: number;
  /** The line of the list item that contains it; -1 outside of lists. */
  readonly itemLine: number;
  /** The last block found; undefined before the first. */
  block: FoundBlock | undefined = undefined;
  /** The block before its first list, if it has a list. */
  beforeList: FoundBlock | undefined = undefined;
  hasList = false;
  /** Made when the first definition is looked for. */
  searches: DefinitionSearches | undefined = undefined;

  constructor(last: number, depth: number, itemLine: number) {
    this.last = last;
    this.depth = depth;
    this.itemLine = itemLine;
  }
}
