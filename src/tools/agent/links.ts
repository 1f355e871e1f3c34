import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { listNeighbors } from '../../engine/operations/list/list-graph.ts';
import { backlinkLines } from '../../engine/operations/read/backlink-lines.ts';
import { addLink } from '../../engine/operations/write/add-link.ts';
import type { Neighborhood } from '../../engine/ports/index-store.ts';
import { defineTool } from '../define/define-tool.ts';
import { choice, countOr, filled, given, optionalText } from '../define/note-input.ts';
import { fitItems, itemsWithin } from '../wording/fit-answer.ts';
import { withReport } from '../wording/writing-answer.ts';
import { exactly, NotePath, warningsShape } from './schemas.ts';

export const linkAddTool = defineTool({
  name: 'link_add',
  title: 'Add link',
  description:
    'Add a link to another file on a line of its own at the end of a note, written as the vault writes links. Nothing happens when the note has that link: added is false, line is where it stands.',
  effect: 'write',
  input: z.object({
    from: filled('Path of the note that gets the link, e.g. "devlog/topic.md"'),
    to: filled('Path of the note or file it leads to'),
    heading: optionalText('Heading of the target to lead to'),
    alias: optionalText('Text that the link shows'),
  }),
  output: z.object({ added: z.boolean(), line: z.int().describe('From 1'), ...warningsShape }),
  record: ['from', 'to', 'heading'],
  run: async (vault, { from, to, heading, alias }) => {
    const report = await vault.change(addLink, {
      name: exactly(from),
      target: exactly(to),
      ...given({ heading, display: alias }),
    });
    return withReport(report, { added: report.added, line: report.line });
  },
});

export const backlinksSearchTool = defineTool({
  name: 'backlinks_search',
  title: 'Search backlinks',
  description: 'List the links to a note or other file, with the lines they stand on.',
  effect: 'read',
  existing: 'path',
  input: z.object({ path: NotePath }),
  output: z.object({
    total: z.int().describe('How many links there are'),
    truncated: z.boolean().describe('Whether some are left out'),
    backlinks: z
      .array(
        z.object({
          path: z.string(),
          line: z.int().describe('From 1'),
          text: z.string().describe('The line, or the part of it around the link'),
        }),
      )
      .readonly()
      .describe('By path and line'),
  }),
  record: ['path'],
  run: async (vault, { path }) => {
    const { total, lines } = await backlinkLines(vault, {
      name: exactly(path),
      limit: limits.foundLinesMax,
      charsMax: limits.foundLineCharsMax,
    });
    const backlinks = fitItems(lines, { total, truncated: true });
    return { total, truncated: total > backlinks.length, backlinks };
  },
});

const neighborsStandard = 100;
const nodesCharsMax = limits.answerCharsMax / 2;

export const graphNeighborsTool = defineTool({
  name: 'graph_neighbors',
  title: 'Graph neighbors',
  description:
    'List the notes around a note in the graph of links, with how many links away they are, and the links between them.',
  effect: 'read',
  appView: 'find',
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

/** As much of a graph as an answer holds. Edges to nodes that are left out are left out too. */
function fitGraph(graph: Neighborhood): Neighborhood {
  const nodes = itemsWithin(graph.nodes, nodesCharsMax);
  const shown = new Set(nodes.map(({ path }) => path));
  const between = graph.edges.filter(({ from, to }) => shown.has(from) && shown.has(to));
  const edges = fitItems(between, { nodes, truncated: true });
  const isCut = nodes.length < graph.nodes.length || edges.length < between.length;
  return { nodes, edges, truncated: graph.truncated || isCut };
}
