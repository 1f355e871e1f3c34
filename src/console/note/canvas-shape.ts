import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import { isObject } from '../../base/json.ts';

/** A box of a canvas. */
export interface CanvasBox {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** One of the six colours of a canvas; absent for none and for any other. */
  readonly color?: string;
  readonly holds:
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'file'; readonly path: string; readonly subpath: string }
    | { readonly type: 'link'; readonly address: string }
    | { readonly type: 'group'; readonly label: string };
}

/** A line between two boxes, as a path of SVG, with its label in the middle. */
interface CanvasEdge {
  readonly d: string;
  readonly label: string;
  readonly x: number;
  readonly y: number;
}

/** What is drawn of a canvas. */
export interface CanvasShape {
  readonly boxes: readonly CanvasBox[];
  readonly edges: readonly CanvasEdge[];
  /** How many boxes and lines there are in all. */
  readonly boxCount: number;
  readonly edgeCount: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Farther from the middle nothing is drawn: the numbers come from a file. */
const farthest = 1_000_000;

/**
 * Reads a canvas, at most `boxesMax` of its boxes; undefined when it is not JSON. Boxes without a place
 * or size are left out.
 */
export function canvasShape(
  json: string,
  boxesMax: number = consoleNoteLimits.canvasBoxesMax,
): CanvasShape | undefined {
  let canvas: unknown;
  try {
    canvas = json.trim() === '' ? {} : JSON.parse(json.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
  if (!isObject(canvas)) return undefined;
  const nodes = listOf(canvas['nodes']);
  const lines = listOf(canvas['edges']);
  const found = nodes.slice(0, Math.min(boxesMax, consoleNoteLimits.canvasBoxesMax)).flatMap(boxOf);
  // Groups stand behind what is in them.
  const groups = found.filter(({ holds }) => holds.type === 'group');
  const boxes = [...groups, ...found.filter(({ holds }) => holds.type !== 'group')];
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const edges = lines
    .slice(0, consoleNoteLimits.canvasEdgesMax)
    .flatMap((edge) => edgeOf(edge, byId));
  const margin = 40;
  const x = Math.min(...boxes.map((box) => box.x), farthest) - margin;
  const y = Math.min(...boxes.map((box) => box.y), farthest) - margin;
  const right = Math.max(...boxes.map((box) => box.x + box.width), -farthest) + margin;
  const bottom = Math.max(...boxes.map((box) => box.y + box.height), -farthest) + margin;
  return {
    boxes,
    edges,
    boxCount: nodes.length,
    edgeCount: lines.length,
    ...(boxes.length === 0
      ? { x: 0, y: 0, width: 1, height: 1 }
      : { x, y, width: right - x, height: bottom - y }),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown, charsMax: number = consoleNoteLimits.canvasNameCharsMax): string {
  return typeof value === 'string' ? value.slice(0, charsMax) : '';
}

function boxOf(node: unknown): CanvasBox[] {
  if (!isObject(node)) return [];
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((key) => node[key]);
  if (!isPlace(x) || !isPlace(y) || !isPlace(width) || !isPlace(height)) return [];
  if (width <= 0 || height <= 0) return [];
  const holds = contentOf(node);
  if (holds === undefined) return [];
  const color = textOf(node['color']);
  return [
    {
      id: textOf(node['id']),
      x,
      y,
      width,
      height,
      holds,
      ...(/^[1-6]$/.test(color) ? { color } : {}),
    },
  ];
}

function isPlace(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= farthest;
}

function contentOf(node: Readonly<Record<string, unknown>>): CanvasBox['holds'] | undefined {
  const { boxCharsMax } = consoleNoteLimits;
  switch (node['type']) {
    case 'text':
      return { type: 'text', text: textOf(node['text'], boxCharsMax) };
    case 'file':
      return { type: 'file', path: textOf(node['file']), subpath: textOf(node['subpath']) };
    case 'link':
      return { type: 'link', address: textOf(node['url']) };
    case 'group':
      return { type: 'group', label: textOf(node['label'], boxCharsMax) };
    default:
      return undefined;
  }
}

type Side = 'top' | 'right' | 'bottom' | 'left';
const directions: Readonly<Record<Side, readonly [number, number]>> = {
  top: [0, -1],
  right: [1, 0],
  bottom: [0, 1],
  left: [-1, 0],
};

function edgeOf(edge: unknown, boxes: ReadonlyMap<string, CanvasBox>): CanvasEdge[] {
  if (!isObject(edge)) return [];
  const from = boxes.get(textOf(edge['fromNode']));
  const to = boxes.get(textOf(edge['toNode']));
  if (from === undefined || to === undefined) return [];
  const start = pointOf(from, sideOf(edge['fromSide'], 'right'));
  const end = pointOf(to, sideOf(edge['toSide'], 'left'));
  const reach = Math.max(30, Math.hypot(end.x - start.x, end.y - start.y) / 3);
  const bend = (point: typeof start) =>
    `${point.x + point.dx * reach} ${point.y + point.dy * reach}`;
  return [
    {
      d: `M${start.x} ${start.y}C${bend(start)} ${bend(end)} ${end.x} ${end.y}`,
      label: textOf(edge['label']),
      x: (start.x + end.x) / 2,
      y: (start.y + end.y) / 2,
    },
  ];
}

function sideOf(value: unknown, otherwise: Side): Side {
  return typeof value === 'string' && Object.hasOwn(directions, value)
    ? (value as Side)
    : otherwise;
}

/** The middle of a side, and in which direction a line leaves it. */
function pointOf({ x, y, width, height }: CanvasBox, side: Side) {
  const [dx, dy] = directions[side];
  return { x: x + (width * (1 + dx)) / 2, y: y + (height * (1 + dy)) / 2, dx, dy };
}
