import type { ConsoleAnswers } from '../../tools/console/console-answers.ts';
import { folderOf, noteName } from '../../tools/wording/describe-change.ts';
import { graphStrings } from '../words/graph-strings.ts';

/** A note or a folder, as it is drawn. */
export interface GraphNode {
  /** The path of the note, or of the folder; unique in its graph. */
  readonly path: string;
  readonly label: string;
  /** Nodes of the same group have the same colour. */
  readonly group: string;
  /** How many notes it is linked with, or for a folder how many links its notes have. */
  readonly links: number;
  /** For a folder: how many notes are in it. */
  readonly notes?: number;
}

/** What is drawn. */
export interface GraphShape {
  readonly kind: 'notes' | 'folders';
  readonly nodes: readonly GraphNode[];
  /** Pairs of positions in `nodes`: from, to, from, to … */
  readonly edges: readonly number[];
}

/** The notes of an outline. Their groups are the folders directly below `folder`. */
export function noteShape({ nodes, edges }: ConsoleAnswers['graph'], folder: string): GraphShape {
  return {
    kind: 'notes',
    nodes: nodes.map(([path, , links]) => ({
      path,
      label: noteName(path),
      group: groupOf(path, folder),
      links,
    })),
    edges,
  };
}

/** The folders of an outline, as bubbles. */
export function folderShape({ folders, between }: ConsoleAnswers['graph']): GraphShape {
  return {
    kind: 'folders',
    nodes: folders.map(({ folder, notes, links }) => ({
      path: folder,
      label: folder.slice(folder.lastIndexOf('/') + 1) || graphStrings.root,
      group: folder,
      links,
      notes,
    })),
    edges: between.flatMap((line) => line.slice(0, 2)),
  };
}

/** What is around a note. */
export function aroundShape({ nodes, edges }: ConsoleAnswers['neighbors']): GraphShape {
  const placeOf = new Map(nodes.map(({ path }, at) => [path as string, at]));
  const links = new Array<number>(nodes.length).fill(0);
  const pairs = edges.flatMap(({ from, to }) => {
    const [one, other] = [placeOf.get(from), placeOf.get(to)];
    if (one === undefined || other === undefined || one === other) return [];
    links[one] = (links[one] ?? 0) + 1;
    links[other] = (links[other] ?? 0) + 1;
    return [one, other];
  });
  return {
    kind: 'notes',
    nodes: nodes.map(({ path }, at) => ({
      path,
      label: noteName(path),
      group: groupOf(path, ''),
      links: links[at] ?? 0,
    })),
    edges: pairs,
  };
}

/** The groups with their notes, the largest first. */
export function groupsOf({
  nodes,
}: GraphShape): readonly (readonly [group: string, nodes: number])[] {
  const sizes = new Map<string, number>();
  for (const { group, notes = 1 } of nodes) sizes.set(group, (sizes.get(group) ?? 0) + notes);
  return Array.from(sizes).sort(([a, many], [b, other]) => other - many || (a < b ? -1 : 1));
}

/** The folder directly below `folder` that a note is in; `folder` itself for a note beside them. */
function groupOf(path: string, folder: string): string {
  const start = folder === '' ? 0 : folder.length + 1;
  const own = folderOf(path);
  const end = own.indexOf('/', start);
  return end < 0 ? own : own.slice(0, end);
}
