import { UndirectedGraph } from 'graphology';
import Sigma from 'sigma';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import { GraphLabels } from './graph-labels.ts';
import { type ColourName, colourOf, sizeOf } from './graph-looks.ts';
import type { GraphShape } from './graph-shape.ts';
import { keepLayout, keptLayout } from './kept-layout.ts';
import { layOut } from './lay-out.ts';
import { startPositions } from './start-positions.ts';

/** A drawn graph. */
export interface DrawnGraph {
  /** Marks a node and what it is linked with; undefined marks none. */
  select(path: string | undefined): void;
  zoom(how: 'in' | 'out' | 'all'): void;
  end(): void;
}

/**
 * Draws a graph, and moves its nodes until the layout is done. Where someone wants less motion, it is
 * drawn when the layout is done. Fails where the browser has no WebGL.
 */
export function drawGraph(
  container: HTMLElement,
  shape: GraphShape,
  {
    key,
    onSelect,
    onDone,
  }: {
    /** The same for the same graph; its layout is kept under it. */
    readonly key: string;
    readonly onSelect: (path: string | undefined) => void;
    readonly onDone: () => void;
  },
): DrawnGraph {
  const kept = keptLayout(key, shape.nodes.length);
  const graph = graphOf(shape, kept ?? startPositions(shape));
  let selected: string | undefined;
  let near = new Set<string>();
  const looks = readLooks(container);
  const labels = new GraphLabels(looks);
  const sigma = new Sigma(graph, container, {
    defaultEdgeColor: looks.colour('line-2'),
    labelColor: { color: looks.colour('text') },
    labelFont: looks.font,
    labelSize: 12,
    ...labelling(shape),
    minCameraRatio: 0.02,
    maxCameraRatio: 4,
    allowInvalidContainer: true,
    zIndex: true,
    nodeReducer: (path, { colour, ...data }) => {
      const isFar = selected !== undefined && path !== selected && !near.has(path);
      return {
        ...data,
        color: looks.colour(isFar ? 'line-2' : (colour as ColourName)),
        ...(isFar ? { label: null } : {}),
        ...(path === selected ? { highlighted: true, zIndex: 1 } : {}),
      };
    },
    edgeReducer: (edge, data) => {
      if (selected === undefined) return data;
      return graph.hasExtremity(edge, selected)
        ? { ...data, color: looks.colour('accent'), zIndex: 1 }
        : { ...data, hidden: shape.nodes.length > 500 };
    },
    defaultDrawNodeLabel: (context, data, settings) =>
      labels.draw(context, data, { ...settings, width: container.clientWidth }),
    defaultDrawNodeHover: (context, data, settings) =>
      looks.hover(context, data, settings.labelSize),
  });
  sigma.on('beforeRender', () => labels.begin());
  sigma.on('clickNode', ({ node }) => onSelect(node));
  sigma.on('enterNode', () => container.classList.add('is-over-node'));
  sigma.on('leaveNode', () => container.classList.remove('is-over-node'));
  sigma.on('clickStage', () => onSelect(undefined));
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const recolour = (): void => {
    looks.read();
    sigma.setSetting('defaultEdgeColor', looks.colour('line-2'));
    sigma.setSetting('labelColor', { color: looks.colour('text') });
    sigma.refresh();
  };
  dark.addEventListener('change', recolour);
  const stop = kept === undefined ? moveNodes(graph, shape, { key, onDone }) : undefined;
  if (stop === undefined) onDone();
  return {
    select(path) {
      selected = path !== undefined && graph.hasNode(path) ? path : undefined;
      near = new Set(selected === undefined ? [] : graph.neighbors(selected));
      sigma.refresh({ skipIndexation: true });
    },
    zoom(how) {
      const camera = sigma.getCamera();
      const duration = isStill() ? 0 : 200;
      if (how === 'all') void camera.animatedReset({ duration });
      else if (how === 'in') void camera.animatedZoom({ duration });
      else void camera.animatedUnzoom({ duration });
    },
    end() {
      stop?.();
      dark.removeEventListener('change', recolour);
      sigma.kill();
    },
  };
}

/** How many names are shown: all of a small graph, in a large one those of the best linked. */
function labelling({ kind, nodes }: GraphShape) {
  const isSmall = kind === 'folders' || nodes.length <= consolePageLimits.labelledGraph;
  return isSmall
    ? { labelRenderedSizeThreshold: 0, labelGridCellSize: 40, labelDensity: 3 }
    : { labelRenderedSizeThreshold: 6 };
}

/** Whether someone wants less motion. */
function isStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

function graphOf(shape: GraphShape, points: Float32Array): UndirectedGraph {
  const graph = new UndirectedGraph();
  const colour = colourOf(shape);
  const mostNotes = shape.nodes.reduce((most, { notes = 0 }) => Math.max(most, notes), 0);
  shape.nodes.forEach((node, at) => {
    graph.addNode(node.path, {
      x: points[2 * at],
      y: points[2 * at + 1],
      size: sizeOf(node, mostNotes),
      label: node.label,
      colour: colour(node),
    });
  });
  for (let at = 0; at + 1 < shape.edges.length; at += 2) {
    const [from, to] = [shape.nodes[shape.edges[at] ?? -1], shape.nodes[shape.edges[at + 1] ?? -1]];
    if (from === undefined || to === undefined || from === to) continue;
    graph.mergeEdge(from.path, to.path);
  }
  return graph;
}

/** Moves the nodes as the layout goes on. Ends it when the result is called. */
function moveNodes(
  graph: UndirectedGraph,
  shape: GraphShape,
  { key, onDone }: { readonly key: string; readonly onDone: () => void },
): () => void {
  const request = { points: startPositions(shape), edges: shape.edges };
  return layOut(request, ({ points, isDone }) => {
    if (isDone || !isStill()) {
      let at = 0;
      graph.updateEachNodeAttributes(
        (_, attributes) => {
          const [x, y] = [points[2 * at], points[2 * at + 1]];
          at++;
          return { ...attributes, x, y };
        },
        { attributes: ['x', 'y'] },
      );
    }
    if (!isDone) return;
    keepLayout(key, points);
    onDone();
  });
}

interface HoveredNode {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly label?: string | null | undefined;
  readonly color?: string;
}

/** Colours and font of the style sheet, for the canvas. */
function readLooks(container: HTMLElement) {
  let style = getComputedStyle(container);
  let colours = new Map<string, string>();
  const colour = (name: string): string => {
    const known = colours.get(name) ?? style.getPropertyValue(`--${name}`).trim();
    colours.set(name, known);
    return known;
  };
  return {
    colour,
    font: style.fontFamily,
    read(): void {
      style = getComputedStyle(container);
      colours = new Map();
    },
    /** The node under the pointer: its name on a plate. */
    hover(
      context: CanvasRenderingContext2D,
      { x, y, size, label, color }: HoveredNode,
      height: number,
    ): void {
      context.beginPath();
      context.arc(x, y, size + 3, 0, 2 * Math.PI);
      context.strokeStyle = color ?? colour('accent');
      context.lineWidth = 2;
      context.stroke();
      if (typeof label !== 'string' || label === '') return;
      context.font = `600 ${height}px ${style.fontFamily}`;
      const width = context.measureText(label).width;
      context.fillStyle = colour('panel');
      context.fillRect(x + size + 4, y - height, width + 10, 2 * height);
      context.fillStyle = colour('text');
      context.fillText(label, x + size + 9, y + height / 3);
    },
  };
}
