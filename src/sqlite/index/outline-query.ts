import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { folderOf, joinPath } from '../../base/vault-path.ts';
import type { GraphOutline, GraphOutlineRequest } from '../../engine/ports/graph-outline.ts';
import type { View } from '../../engine/ports/view.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { tagKey } from '../tables/index-schema.ts';

/** How many sources the links are read of at a time. */
const sourcesAtOnce = 5_000;

interface Outlined {
  readonly id: number;
  readonly path: VaultPath;
}

/** See `IndexStore.outline`. Costs one pass over the notes and one over the links. */
export function outline(
  connection: IndexConnection,
  view: View,
  request: GraphOutlineRequest,
): GraphOutline {
  connection.tryMakeLateIndexes();
  return connection.read(() => {
    const notes = admittedNotes(connection, view, request.tag);
    const pairs = linkPairs(connection, notes);
    const degrees = new Uint32Array(notes.length);
    for (const end of pairs) degrees[end] = (degrees[end] ?? 0) + 1;
    const degreeOf = (at: number): number => degrees[at] ?? 0;
    // Notes are in path order, which decides among those with as many links.
    const best = Array.from(notes.keys())
      .sort((a, b) => degreeOf(b) - degreeOf(a) || a - b)
      .slice(0, request.limit);
    const places = new Map(best.map((at, place) => [at, place]));
    return {
      notes: notes.length,
      drawn: best.length,
      nodes: best.flatMap((at) => {
        const path = notes[at]?.path;
        return path === undefined ? [] : [[path, folderOf(path), degreeOf(at)] as const];
      }),
      ...drawnEdges(pairs, places, request.linesMax),
      ...groups(notes, pairs, request),
    };
  });
}

function admittedNotes(
  connection: IndexConnection,
  view: View,
  tag: string | undefined,
): readonly Outlined[] {
  const key = tag === undefined ? undefined : tagKey(tag.replace(/^#/, ''));
  // "0" comes right after "/": the range holds exactly the tags nested under this one.
  const tagged = 'f.id IN (SELECT file FROM tag WHERE key = ? OR (key > ? AND key < ?))';
  return connection.all<Outlined>(
    `SELECT f.id, f.path FROM file f
     WHERE f.kind <> 'attachment' AND ${connection.sees(view, 'f.path')}
       ${key === undefined ? '' : `AND ${tagged}`} ORDER BY f.path`,
    ...(key === undefined ? [] : [key, `${key}/`, `${key}0`]),
  );
}

/** The links between the notes, each pair once, as positions: from, to, from, to … */
function linkPairs(connection: IndexConnection, notes: readonly Outlined[]): readonly number[] {
  const positions = new Map(notes.map(({ id }, at) => [id, at]));
  const ids = Array.from(positions.keys()).sort((a, b) => a - b);
  const pairs: number[] = [];
  for (let from = 0; from < ids.length; from += sourcesAtOnce) {
    const range = [ids[from] ?? 0, ids[Math.min(from + sourcesAtOnce, ids.length) - 1] ?? 0];
    const links = connection.all<{ source: number; target: number }>(
      `SELECT DISTINCT source, target FROM edge
       WHERE source BETWEEN ? AND ? AND target IS NOT NULL AND target <> source`,
      ...range,
    );
    for (const { source, target } of links) {
      const [near, far] = [positions.get(source), positions.get(target)];
      if (near !== undefined && far !== undefined) pairs.push(near, far);
    }
  }
  return pairs;
}

/** The links between the notes that are drawn, by their places among those. */
function drawnEdges(
  pairs: readonly number[],
  places: ReadonlyMap<number, number>,
  linesMax: number,
): Pick<GraphOutline, 'pairs' | 'edges'> {
  const edges: number[] = [];
  let linked = 0;
  for (let at = 0; at < pairs.length; at += 2) {
    const from = places.get(pairs[at] ?? -1);
    const to = places.get(pairs[at + 1] ?? -1);
    if (from === undefined || to === undefined) continue;
    linked++;
    if (linked <= linesMax) edges.push(from, to);
  }
  return { pairs: linked, edges };
}

/** The notes by the folders directly in a folder, and the links between these. */
function groups(
  notes: readonly Outlined[],
  pairs: readonly number[],
  { folder, linesMax, foldersMax }: GraphOutlineRequest,
): Pick<GraphOutline, 'groups' | 'folders' | 'lines' | 'between'> {
  const numbers = new Map<VaultFolder, number>();
  const all: { folder: VaultFolder; notes: number; links: number }[] = [];
  const groupOf = notes.map(({ path }) => {
    const name = groupName(path, folder);
    const number = numbers.get(name) ?? all.push({ folder: name, notes: 0, links: 0 }) - 1;
    numbers.set(name, number);
    const group = all[number];
    if (group !== undefined) group.notes++;
    return number;
  });
  const sizeOf = (number: number): number => all[number]?.notes ?? 0;
  // Folders are in path order, which decides among those with as many notes.
  const largest = Array.from(all.keys())
    .sort((a, b) => sizeOf(b) - sizeOf(a) || a - b)
    .slice(0, foldersMax)
    .sort((a, b) => a - b);
  const places = new Map(largest.map((number, place) => [number, place]));
  const between = new Map<string, [one: number, other: number, links: number]>();
  for (let at = 0; at < pairs.length; at += 2) {
    const ends = [groupOf[pairs[at] ?? -1] ?? 0, groupOf[pairs[at + 1] ?? -1] ?? 0];
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    for (const end of new Set([low, high])) {
      const group = all[end];
      if (group !== undefined) group.links++;
    }
    const [one, other] = [places.get(low), places.get(high)];
    if (low === high || one === undefined || other === undefined) continue;
    const line = between.get(`${one} ${other}`) ?? [one, other, 0];
    line[2]++;
    between.set(`${one} ${other}`, line);
  }
  const lines = Array.from(between.values());
  return {
    groups: all.length,
    folders: largest.flatMap((number) => all[number] ?? []),
    lines: lines.length,
    between: lines.sort((a, b) => b[2] - a[2]).slice(0, linesMax),
  };
}

/** The folder directly in `folder` that a note is in; `folder` itself for a note directly in it. */
function groupName(path: VaultPath, folder: VaultFolder): VaultFolder {
  const start = folder === '' ? 0 : folder.length + 1;
  const slash = path.indexOf('/', start);
  return slash === -1 ? folder : joinPath(folder, path.slice(start, slash));
}
