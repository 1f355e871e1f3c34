import { type GraphNode, type GraphShape, groupsOf } from './graph-shape.ts';

/** The colours of the largest groups, as properties of the style sheet; the others share one. */
const groupColours = ['c1', 'accent', 'c2', 'c5', 'c3', 'c6', 'c4'] as const;
const otherColour = 'edge';

export type ColourName = (typeof groupColours)[number] | typeof otherColour;

/** A group as the legend shows it. */
interface GroupLook {
  readonly group: string;
  readonly nodes: number;
  readonly colour: ColourName;
}

/** The groups of a graph with their colours, the largest first, and how many more there are. */
export function legendOf(shape: GraphShape): {
  readonly groups: readonly GroupLook[];
  readonly others: number;
} {
  const all = groupsOf(shape);
  const groups = all.slice(0, groupColours.length).map(
    ([group, nodes], at): GroupLook => ({
      group,
      nodes,
      colour: groupColours[at] ?? otherColour,
    }),
  );
  return { groups, others: all.length - groups.length };
}

/** The colour of each node. */
export function colourOf(shape: GraphShape): (node: GraphNode) => ColourName {
  const colours = new Map(legendOf(shape).groups.map(({ group, colour }) => [group, colour]));
  return ({ group }) => colours.get(group) ?? otherColour;
}

/** The radius of a node, in pixels: notes by their links, folders by their notes. */
export function sizeOf({ links, notes }: GraphNode, mostNotes: number): number {
  if (notes !== undefined) return 8 + 26 * Math.sqrt(notes / Math.max(1, mostNotes));
  return Math.min(14, 3 + 1.3 * Math.sqrt(links));
}
