import type { GraphShape } from './graph-shape.ts';
import { groupsOf } from './graph-shape.ts';

/** The angle between two neighbours on a spiral that fills a disc evenly. */
const goldenAngle = Math.PI * (3 - Math.sqrt(5));

/**
 * Where the nodes are before the layout begins: x, y, x, y … The nodes of a group are together on a
 * disc, and the discs stand around the middle, so that a vault looks the same tomorrow.
 */
export function startPositions(shape: GraphShape): Float32Array {
  const points = new Float32Array(2 * shape.nodes.length);
  const groups = groupsOf(shape);
  const ring = 10 * Math.sqrt(shape.nodes.length);
  const discOf = new Map(
    groups.map(([group], at) => {
      const angle = (2 * Math.PI * at) / groups.length;
      return [group, { x: ring * Math.cos(angle), y: ring * Math.sin(angle), filled: 0 }];
    }),
  );
  shape.nodes.forEach(({ group }, at) => {
    const disc = discOf.get(group);
    if (disc === undefined) return;
    const distance = 4 * Math.sqrt(disc.filled);
    const angle = goldenAngle * disc.filled++;
    points[2 * at] = disc.x + distance * Math.cos(angle);
    points[2 * at + 1] = disc.y + distance * Math.sin(angle);
  });
  return points;
}
