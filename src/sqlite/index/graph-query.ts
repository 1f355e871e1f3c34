import type { VaultPath } from '../../base/vault-path.ts';
import type { Neighborhood, NeighborhoodRequest } from '../../engine/ports/index-store.ts';
import type { View } from '../../engine/ports/view.ts';
import { makeSees } from '../../engine/ports/view.ts';
import type { IndexConnection } from '../tables/index-connection.ts';

interface File {
  readonly id: number;
  readonly path: VaultPath;
}

/** See `IndexStore.neighborhood`. Costs one query by index for each note that is expanded. */
export function neighborhood(
  connection: IndexConnection,
  view: View,
  path: VaultPath,
  request: NeighborhoodRequest,
): Neighborhood {
  connection.wantLateIndexes();
  return connection.read(() => {
    const start = makeSees(view)(path)
      ? connection.get<File>('SELECT id, path FROM file WHERE path = ?', path)
      : undefined;
    return start === undefined
      ? { nodes: [], edges: [], truncated: false }
      : new Search(connection, view, request).from(start);
  });
}

/** One search for neighbours, level by level. */
class Search {
  readonly #connection: IndexConnection;
  readonly #seen: string;
  readonly #request: NeighborhoodRequest;
  readonly #nodes = new Map<number, { readonly path: VaultPath; readonly depth: number }>();
  readonly #edges = new Map<string, { readonly from: VaultPath; readonly to: VaultPath }>();
  #linksLeft: number;
  #truncated = false;

  constructor(connection: IndexConnection, view: View, request: NeighborhoodRequest) {
    this.#connection = connection;
    this.#seen = connection.sees(view, 'f.path');
    this.#request = request;
    this.#linksLeft = request.linksMax;
  }

  from(start: File): Neighborhood {
    this.#nodes.set(start.id, { path: start.path, depth: 0 });
    let level: readonly File[] = [start];
    for (let depth = 1; depth <= this.#request.depth && level.length > 0; depth++) {
      level = level.flatMap((file) => this.#expand(file, depth)).sort(byPath);
    }
    const nodes = Array.from(this.#nodes.values());
    const edges = Array.from(this.#edges.values());
    return {
      nodes: nodes.sort((a, b) => a.depth - b.depth || byPath(a, b)),
      edges: edges.sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to)),
      truncated: this.#truncated,
    };
  }

  /** Follows the links of one note; returns the notes that were not known before. */
  #expand(file: File, depth: number): readonly File[] {
    const { direction } = this.#request;
    const targets = direction === 'in' ? [] : this.#linked('target', file);
    const sources = direction === 'out' ? [] : this.#linked('source', file);
    return [
      ...targets.filter((target) => this.#add({ from: file, to: target }, target, depth)),
      ...sources.filter((source) => this.#add({ from: source, to: file }, source, depth)),
    ];
  }

  /** Adds a link and the note at its other end, unless there are too many; returns if that is new. */
  #add(edge: { readonly from: File; readonly to: File }, far: File, depth: number): boolean {
    const isNew = !this.#nodes.has(far.id);
    if (isNew && this.#nodes.size > this.#request.limit) {
      this.#truncated = true;
      return false;
    }
    if (isNew) this.#nodes.set(far.id, { path: far.path, depth });
    const { from, to } = edge;
    this.#edges.set(`${from.id} ${to.id}`, { from: from.path, to: to.path });
    return isNew;
  }

  /** The files at the other end of a file's links, at most as many as the limits still allow. */
  #linked(end: 'source' | 'target', file: File): readonly File[] {
    const max = Math.min(this.#linksLeft, this.#request.noteLinksMax);
    const near = end === 'source' ? 'target' : 'source';
    const files = this.#connection.all<File>(
      `SELECT DISTINCT f.id, f.path FROM edge e CROSS JOIN file f ON f.id = e.${end}
       WHERE e.${near} = ? AND f.id <> e.${near} AND f.kind <> 'attachment' AND ${this.#seen}
       LIMIT ?`,
      file.id,
      max + 1,
    );
    if (files.length > max) this.#truncated = true;
    const taken = files.slice(0, max);
    this.#linksLeft -= taken.length;
    return taken;
  }
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return compare(a.path, b.path);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
