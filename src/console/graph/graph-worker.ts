import iterate from 'graphology-layout-forceatlas2/iterate.js';
import { consolePageLimits } from '../../base/console-page-limits.ts';

/** What the page sends: where the nodes are, and pairs of their positions in that list. */
export interface LayoutRequest {
  readonly points: Float32Array;
  readonly edges: readonly number[];
}

/** What it gets: where the nodes are now. */
export interface LayoutNews {
  readonly points: Float32Array;
  readonly isDone: boolean;
}

// How the package lays out the numbers of a node and of an edge.
const node = { numbers: 10, mass: 6, convergence: 7, size: 8 } as const;
const edge = { numbers: 3 } as const;

addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  const { nodes, edges } = matrices(data);
  const count = nodes.length / node.numbers;
  const settings = {
    linLogMode: false,
    outboundAttractionDistribution: false,
    adjustSizes: false,
    edgeWeightInfluence: 0,
    scalingRatio: 10,
    strongGravityMode: true,
    gravity: 0.2,
    slowDown: 1 + Math.log(Math.max(1, count)),
    barnesHutOptimize: count > 1_000,
    barnesHutTheta: 0.7,
  };
  const { layoutSteps, layoutStepsOfLarge, layoutLarge, layoutNewsMs } = consolePageLimits;
  const steps = count > layoutLarge ? layoutStepsOfLarge : layoutSteps;
  let toldMs = performance.now();
  for (let step = 1; step < steps; step++) {
    iterate(settings, nodes, edges);
    if (performance.now() < toldMs + layoutNewsMs) continue;
    tell(nodes, false);
    toldMs = performance.now();
  }
  tell(nodes, true);
});

function matrices({ points, edges: pairs }: LayoutRequest): {
  readonly nodes: Float32Array;
  readonly edges: Float32Array;
} {
  const nodes = new Float32Array((points.length / 2) * node.numbers);
  const edges = new Float32Array((pairs.length / 2) * edge.numbers);
  for (let at = 0; at < points.length / 2; at++) {
    const offset = at * node.numbers;
    nodes[offset] = points[2 * at] ?? 0;
    nodes[offset + 1] = points[2 * at + 1] ?? 0;
    nodes[offset + node.mass] = 1;
    nodes[offset + node.convergence] = 1;
    nodes[offset + node.size] = 1;
  }
  pairs.forEach((place, at) => {
    const offset = place * node.numbers;
    edges[Math.floor(at / 2) * edge.numbers + (at % 2)] = offset;
    nodes[offset + node.mass] = (nodes[offset + node.mass] ?? 0) + 1;
  });
  for (let at = 2; at < edges.length; at += edge.numbers) edges[at] = 1;
  return { nodes, edges };
}

function tell(nodes: Float32Array, isDone: boolean): void {
  const points = new Float32Array((nodes.length / node.numbers) * 2);
  for (let at = 0; at < points.length / 2; at++) {
    points[2 * at] = nodes[at * node.numbers] ?? 0;
    points[2 * at + 1] = nodes[at * node.numbers + 1] ?? 0;
  }
  postMessage({ points, isDone } satisfies LayoutNews);
}
