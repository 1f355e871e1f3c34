import type { CommonGround } from '../../engine/ports/graph-outline.ts';
import { noteName } from './describe-change.ts';

/** Says in a few words what two notes have in common, such as "both link to Bread, #baking, rye". */
export function commonGround(common: readonly CommonGround[]): string {
  return common.map(inWords).join(', ');
}

function inWords({ by, what }: CommonGround): string {
  switch (by) {
    case 'linked':
      return 'linked';
    case 'target':
      return `both link to ${noteName(what)}`;
    case 'source':
      return `both are linked from ${noteName(what)}`;
    case 'tag':
      return `#${what}`;
    case 'word':
      return `"${what}"`;
    case 'meaning':
      return 'alike in meaning';
  }
}
