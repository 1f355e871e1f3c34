/** The layout that was drawn last, so that the way back to the graph does not compute it again. */
interface KeptLayout {
  /** What was asked for, and the newest change that the answer knew of. */
  readonly key: string;
  readonly points: readonly number[];
}

const stored = 'vaultdoor-graph-1';

/** The points that were kept for this graph; undefined when another one was kept. */
export function keptLayout(key: string, nodes: number): Float32Array | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(stored) ?? 'null') as KeptLayout | null;
    if (kept === null || kept.key !== key || kept.points.length !== 2 * nodes) return undefined;
    return Float32Array.from(kept.points);
  } catch {
    return undefined;
  }
}

/** Keeps a layout as long as this tab is open. Where there is no room for it, it is computed anew. */
export function keepLayout(key: string, points: Float32Array): void {
  try {
    const kept: KeptLayout = { key, points: Array.from(points, (number) => Math.round(number)) };
    sessionStorage.setItem(stored, JSON.stringify(kept));
  } catch {
    sessionStorage.removeItem(stored);
  }
}
