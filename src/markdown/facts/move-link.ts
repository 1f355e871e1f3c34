import type { TextRange } from '../../base/text-range.ts';
import type { Link } from './facts.ts';

/**
 * A link with its ranges taken elsewhere, e.g. from a decoded string to the source that it was
 * decoded from. `place` says where an offset went.
 */
export function moveLink(link: Link, place: (offset: number) => number): Link {
  const move = ({ start, end }: TextRange) => ({ start: place(start), end: place(end) });
  return {
    ...link,
    range: move(link.range),
    pathRange: move(link.pathRange),
    ...(link.displayRange === undefined ? {} : { displayRange: move(link.displayRange) }),
  };
}
