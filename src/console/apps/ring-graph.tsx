import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { FoundNote } from './read-found.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

const size = 240;

/**
 * The notes around a note as a picture: that note in the middle, the others on a ring for each step.
 * The list below it says the same to a screen reader.
 */
export function RingGraph({
  notes,
  links,
}: {
  readonly notes: readonly FoundNote[];
  readonly links: readonly { readonly from: string; readonly to: string }[];
}) {
  const drawn = notes.slice(0, consolePageLimits.viewGraphNodesMax);
  const places = ringPlaces(drawn);
  const lines = links.flatMap(({ from, to }) => {
    const [a, b] = [places.get(from), places.get(to)];
    return a === undefined || b === undefined ? [] : [{ a, b }];
  });
  if (drawn.length < 2) return null;
  return (
    <svg class="app-graph" viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
      {lines.map(({ a, b }) => (
        <line x1={a.x} y1={a.y} x2={b.x} y2={b.y} />
      ))}
      {drawn.map(({ path, depth }) => {
        const place = places.get(path);
        const isMiddle = depth === 0;
        return (
          <circle class={isMiddle ? 'middle' : ''} cx={place?.x} cy={place?.y} r={isMiddle ? 7 : 4}>
            <title>{path}</title>
          </circle>
        );
      })}
    </svg>
  );
}

function ringPlaces(notes: readonly FoundNote[]): ReadonlyMap<string, Point> {
  const deepest = Math.max(1, ...notes.map(({ depth = 0 }) => depth));
  const rings = new Map<number, FoundNote[]>();
  for (const note of notes) {
    const { depth = 0 } = note;
    rings.set(depth, [...(rings.get(depth) ?? []), note]);
  }
  const places = new Map<string, Point>();
  for (const [depth, ring] of rings) {
    const radius = (depth / deepest) * (size / 2 - 12);
    for (const [at, { path }] of ring.entries()) {
      const angle = (2 * Math.PI * at) / ring.length + depth / 2 - Math.PI / 2;
      const point = (way: number): number => Math.round((size / 2 + radius * way) * 10) / 10;
      places.set(path, { x: point(Math.cos(angle)), y: point(Math.sin(angle)) });
    }
  }
  return places;
}
