import type { TextRange } from '../../base/text-range.ts';
import type { BlockType } from '../facts/facts.ts';
import type { DefinitionSearches } from './link-definition.ts';

/** What a block is, and where. */
export interface FoundBlock {
  readonly type: BlockType;
  readonly range: TextRange;
}

/** A container (the note, a quote, an item, a footnote) and what was met in it so far. */
export class BlockFrame {
  /** The line after its last. */
  readonly last: number;
  readonly depth: number;
  /** The line of the list item around it; -1 outside of lists. */
  readonly itemLine: number;
  /** The block met last; undefined before the first. */
  block: FoundBlock | undefined = undefined;
  /** The block before its first list, if it has a list. */
  beforeList: FoundBlock | undefined = undefined;
  hasList = false;
  searches: DefinitionSearches | undefined = undefined;

  constructor(last: number, depth: number, itemLine: number) {
    this.last = last;
    this.depth = depth;
    this.itemLine = itemLine;
  }
}
