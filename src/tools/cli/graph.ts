import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { listNeighbors } from '../../engine/operations/list/list-graph.ts';
import { defineTool, type Paint } from '../define/define-tool.ts';
import { noteName } from '../wording/describe-change.ts';
import { listOf, NoteName } from './schemas.ts';
import { lines, plain } from './text.ts';

const neighborsStandard = 100;

const GraphSchema = z.object({
  /** The note itself at depth 0, then its neighbors, nearest first. */
  nodes: listOf(z.object({ path: z.string(), depth: z.number() })),
  /** The links between them that were followed. */
  edges: listOf(z.object({ from: z.string(), to: z.string() })),
  truncated: z.boolean(),
});
type Graph = z.output<typeof GraphSchema>;

const GraphFormat = z.enum(['tree', 'dot', 'mermaid', 'json']);
type GraphFormat = z.output<typeof GraphFormat>;

export const graphTool = defineTool({
  name: 'graph',
  title: 'Graph of a note',
  description:
    'Shows the notes around a note: those it links to (→), those that link to it (←), and both (↔).',
  effect: 'read',
  input: z.object({
    name: NoteName,
    depth: z.coerce
      .number()
      .int()
      .min(1)
      .max(limits.graphDepthMax)
      .default(1)
      .describe(`How many links away, at most ${limits.graphDepthMax}.`),
    direction: z
      .enum(['both', 'out', 'in'])
      .default('both')
      .describe('Follow links of the note, links to it, or both.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(limits.graphNodesMax)
      .default(neighborsStandard)
      .describe(`At most this many neighbors, up to ${limits.graphNodesMax}.`),
    format: GraphFormat.default('tree').describe(
      'How to print it: as a tree, or for Graphviz, Mermaid or programs.',
    ),
  }),
  output: GraphSchema.extend({ format: GraphFormat }),
  record: ['name', 'depth', 'direction', 'limit', 'format'],
  positional: ['name'],
  examples: [
    'vaultdoor graph Greenhouse',
    'vaultdoor graph Sourdough --depth 2 --direction in',
    'vaultdoor graph Home --format dot',
  ],
  run: async (vault, { format, ...request }) => ({
    ...(await listNeighbors(vault, request)),
    format,
  }),
  text: ({ format, ...graph }, paint) => writers[format](graph, paint),
});

const writers: Readonly<Record<GraphFormat, (graph: Graph, paint: Paint) => string>> = {
  tree: treeText,
  dot: dotText,
  mermaid: mermaidText,
  json: (graph) => `${JSON.stringify(graph, undefined, 2)}\n`,
};

/** Each note once, below the note through which it was found first. */
function treeText(graph: Graph, paint: Paint): string {
  const [root] = graph.nodes;
  if (root === undefined) return '';
  const names = namesOf(graph);
  const below = childrenOf(graph);
  const shown: string[] = [paint.strong(plain(root.path))];
  const isLink = new Set(graph.edges.map(({ from, to }) => edgeKey(from, to)));
  const add = (path: string, indent: string): void => {
    const children = below.get(path) ?? [];
    children.forEach((child, at) => {
      const isLast = at === children.length - 1;
      const goesOut = isLink.has(edgeKey(path, child));
      const comesIn = isLink.has(edgeKey(child, path));
      const sign = goesOut && comesIn ? '↔' : goesOut ? '→' : '←';
      const branch = `${indent}${isLast ? '└' : '├'}─${sign} `;
      shown.push(paint.faint(branch) + (names.get(child) ?? ''));
      add(child, `${indent}${isLast ? '   ' : '│  '}`);
    });
  };
  add(root.path, '');
  return lines([
    ...shown,
    ...(graph.nodes.length === 1 ? ['No links.'] : []),
    ...(graph.truncated ? ['… some are left out; a larger --limit shows more.'] : []),
  ]);
}

/** For each note those that are one link further away and were not found before. */
function childrenOf({ nodes, edges }: Graph): ReadonlyMap<string, readonly string[]> {
  const around = new Map<string, string[]>();
  const join = (one: string, other: string): void => {
    const known = around.get(one);
    if (known === undefined) around.set(one, [other]);
    else known.push(other);
  };
  for (const { from, to } of edges) {
    join(from, to);
    join(to, from);
  }
  const depths = new Map(nodes.map(({ path, depth }) => [path, depth]));
  const placed = new Set<string>();
  const below = new Map<string, readonly string[]>();
  for (const { path, depth } of nodes) {
    const children: string[] = [];
    for (const other of new Set(around.get(path) ?? [])) {
      if (depths.get(other) !== depth + 1 || placed.has(other)) continue;
      placed.add(other);
      children.push(other);
    }
    below.set(path, children);
  }
  return below;
}

/** The name of each note, or its path where two have the same name. */
function namesOf({ nodes }: Graph): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const { path } of nodes) {
    const name = noteName(path);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Map(
    nodes.map(({ path }) => {
      const name = noteName(path);
      return [path, plain(counts.get(name) === 1 ? name : path)];
    }),
  );
}

function edgeKey(from: string, to: string): string {
  return `${from}\n${to}`;
}

function dotText({ nodes, edges }: Graph): string {
  const quoted = (text: string): string => `"${plain(text).replace(/["\\]/g, '\\$&')}"`;
  return lines([
    'digraph vault {',
    '  node [shape=box];',
    ...nodes.map(({ path }) => `  ${quoted(path)} [label=${quoted(noteName(path))}];`),
    ...edges.map(({ from, to }) => `  ${quoted(from)} -> ${quoted(to)};`),
    '}',
  ]);
}

function mermaidText({ nodes, edges }: Graph): string {
  const ids = new Map(nodes.map(({ path }, at) => [path, `n${at}`]));
  const label = (path: string): string =>
    plain(noteName(path)).replace(/["#<>&]/g, (sign) => `#${sign.charCodeAt(0)};`);
  return lines([
    'graph LR',
    ...nodes.map(({ path }) => `  ${ids.get(path)}["${label(path)}"]`),
    ...edges.map(({ from, to }) => `  ${ids.get(from)} --> ${ids.get(to)}`),
  ]);
}
