import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { listNeighbors } from '../../engine/operations/list/list-graph.ts';
import type { Neighborhood } from '../../engine/ports/index-store.ts';
import { defineTool } from '../define/define-tool.ts';
import { choice, countOr } from '../define/note-input.ts';
import { fitItems, itemsWithin } from '../wording/fit-answer.ts';
import { exactly, NotePath } from './schemas.ts';

const neighborsStandard = 100;
const nodesCharsMax = limits.answerCharsMax / 2;

export const graphNeighborsTool = defineTool({
  name: 'graph_neighbors',
  title: 'Graph neighbors',
  description:
    'List the notes around a note in the graph of links, with how many links away they are, and the links between them.',
  effect: 'read',
  existing: 'path',
  input: z.object({
    path: NotePath,
    depth: countOr(1, `Links away, at most ${limits.graphDepthMax}`, {
      min: 1,
      max: limits.graphDepthMax,
    }),
    direction: choice(['both', 'out', 'in'], 'Links of the note, or to it'),
    limit: countOr(neighborsStandard, `Neighbors at most, up to ${limits.graphNodesMax}`, {
      min: 1,
      max: limits.graphNodesMax,
    }),
  }),
  output: z.object({
    nodes: z
      .array(z.object({ path: z.string(), depth: z.int() }))
      .readonly()
      .describe('The note itself at depth 0, then its neighbors, nearest first'),
    edges: z
      .array(z.object({ from: z.string(), to: z.string() }))
      .readonly()
      .describe('The links between them that were followed'),
    truncated: z.boolean().describe('Whether some are left out'),
  }),
  record: ['path', 'depth', 'direction', 'limit'],
  run: async (vault, { path, ...request }) =>
    fitGraph(await listNeighbors(vault, { ...request, name: exactly(path) })),
});

/** As much of a graph as an answer holds; no edge leads to a node that is not there. */
function fitGraph(graph: Neighborhood): Neighborhood {
  const nodes = itemsWithin(graph.nodes, nodesCharsMax);
  const shown = new Set(nodes.map(({ path }) => path));
  const between = graph.edges.filter(({ from, to }) => shown.has(from) && shown.has(to));
  const edges = fitItems(between, { nodes, truncated: true });
  const isCut = nodes.length < graph.nodes.length || edges.length < between.length;
  return { nodes, edges, truncated: graph.truncated || isCut };
}
