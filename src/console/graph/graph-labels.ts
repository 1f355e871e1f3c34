/** A node whose name is to be drawn, in pixels of the canvas. */
interface LabelledNode {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly label?: string | null | undefined;
}

interface LabelSettings {
  readonly labelSize: number;
  readonly labelFont: string;
  readonly labelWeight: string;
  /** The width of the canvas. */
  readonly width: number;
}

/** Where a name is drawn. */
interface Place {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/** Pixels between a node and its name. */
const gap = 3;

/**
 * Draws the names of nodes: to the right of a node, or to its left where the canvas ends, and never over
 * another name. What is not drawn shows when one zooms in.
 */
export class GraphLabels {
  readonly #looks: { readonly colour: (name: string) => string };
  #drawn: Place[] = [];

  constructor(looks: { readonly colour: (name: string) => string }) {
    this.#looks = looks;
  }

  /** Forgets what was drawn: the whole picture is drawn anew. */
  begin(): void {
    this.#drawn = [];
  }

  draw(
    context: CanvasRenderingContext2D,
    node: LabelledNode,
    { labelSize, labelFont, labelWeight, width }: LabelSettings,
  ): void {
    const { label, y } = node;
    if (!label) return;
    context.font = `${labelWeight} ${labelSize}px ${labelFont}`;
    const place = placeOf(node, { text: context.measureText(label).width, width });
    const isTaken = this.#drawn.some(
      (other) =>
        Math.abs(other.y - y) < labelSize + 2 &&
        other.left < place.right + gap &&
        place.left < other.right + gap,
    );
    if (isTaken) return;
    this.#drawn.push(place);
    context.fillStyle = this.#looks.colour('text');
    context.fillText(label, place.left, y + labelSize / 3);
  }
}

/** Where a name has room: right of its node, else left of it, else as far right as it goes. */
function placeOf(
  { x, y, size }: Pick<LabelledNode, 'x' | 'y' | 'size'>,
  { text, width }: { readonly text: number; readonly width: number },
): Place {
  const right = x + size + gap;
  const left = x - size - gap - text;
  const start = right + text <= width ? right : left >= 0 ? left : Math.max(0, width - text);
  return { left: start, right: start + text, y };
}
