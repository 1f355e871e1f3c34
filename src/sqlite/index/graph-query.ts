import type { VaultPath } from '../../base/vault-path.ts';
import type { Neighborhood, NeighborhoodRequest } from '../../engine/ports/index-store.ts';
import type { View } from '../../engine/ports/view.ts';
import { makeSees } from '../../engine/ports/view.ts';
import type { IndexConnection } from '../tables/index-connection.ts';

interface LinkedFile {
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
  connection.tryMakeLateIndexes();
  return connection.read(() => {
    const start = makeSees(view)(path)
      ? connection.get<LinkedFile>('SELECT id, path FROM file WHERE path = ?', path)
      : undefined;
    return start === undefined
      ? { nodes: [], edges: [], truncated: false }
      : new Search(connection, view, request).from(start);
  });
}

/**
 * One search for neighbours, level by level. `nodes` are files by id, `edges` the links that were
 * followed.
 */
class Search {
  readonly #connection: IndexConnection;
  /** The SQL condition for files `f` that the view admits. */
  readonly #admitted: string;
  readonly #request: NeighborhoodRequest;
  readonly #nodes = new Map<number, { readonly path: VaultPath; readonly depth: number }>();
  readonly #edges = new Map<string, { readonly from: VaultPath; readonly to: VaultPath }>();
  #linksLeft: number;
  #truncated = false;

  constructor(connection: IndexConnection, view: View, request: NeighborhoodRequest) {
    this.#connection = connection;
    this.#admitted = connection.sees(view, 'f.path');
    this.#request = request;
    this.#linksLeft = request.linksMax;
  }

  from(start: LinkedFile): Neighborhood {
    this.#nodes.set(start.id, { path: start.path, depth: 0 });
    let level: readonly LinkedFile[] = [start];
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
  #expand(file: LinkedFile, depth: number): readonly LinkedFile[] {
    const { direction } = this.#request;
    const targets = direction === 'in' ? [] : this.#linked('target', file);
    const sources = direction === 'out' ? [] : this.#linked('source', file);
    return [
      ...targets.filter((target) => this.#add({ from: file, to: target }, target, depth)),
      ...sources.filter((source) => this.#add({ from: source, to: file }, source, depth)),
    ];
  }

  /**
   * Adds a link and the note at its far end, unless there are too many; returns whether the note is
   * new.
   */
  #add(
    edge: { readonly from: LinkedFile; readonly to: LinkedFile },
    far: LinkedFile,
    depth: number,
  ): boolean {
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
  #linked(end: 'source' | 'target', file: LinkedFile): readonly LinkedFile[] {
    const max = Math.min(this.#linksLeft, this.#request.noteLinksMax);
    const near = end === 'source' ? 'target' : 'source';
    const files = this.#connection.all<LinkedFile>(
      `SELECT DISTINCT f.id, f.path FROM edge e CROSS JOIN file f ON f.id = e.${end}
       WHERE e.${near} = ? AND f.id <> e.${near} AND f.kind <> 'attachment' AND ${this.#admitted}
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
