import type { VaultPath } from '../base/vault-path.ts';
import { fileNameOf, foldName, stemOf } from '../base/vault-path.ts';
import type { Closeness } from '../engine/closeness.ts';
import { askedName, closeness } from '../engine/closeness.ts';
import { fileKind } from '../engine/file-kind.ts';
import type { CloseRow } from '../engine/index-store.ts';
import type { View } from '../engine/view.ts';
import { makeSees } from '../engine/view.ts';
import type { Connection } from './connection.ts';
import { aliasList, pathList } from './path-list.ts';

const heldMax = 1_000;

/** See `IndexStore.closest`. Costs a look at every name. */
export function closest(
  connection: Connection,
  view: View,
  asked: string,
  limit: number,
): CloseRow[] {
  const folded = foldName(asked).replace(/\.md$/, '');
  const name = askedName(fileNameOf(folded));
  // An alias may have a "/" in it.
  const whole = folded.includes('/') ? askedName(folded) : name;
  const folder = folded.slice(0, folded.length - fileNameOf(folded).length);
  const best = new BestNames({ limit, folder, sees: makeSees(view) });
  // What may end with an extension may be the name of any file.
  const anyKind = /\.[a-z0-9]{1,6}$/.test(folded);
  connection.read(() => {
    const list = pathList(connection);
    list.paths.forEach((path, at) => {
      const other = list.folded[at] ?? '';
      const isNote = fileKind(other) === 'note';
      if (!isNote && !anyKind) return;
      best.add(closeness(name, isNote ? stemOf(other) : fileNameOf(other)), { path });
    });
    for (const [path, alias] of aliasList(connection)) {
      const called = foldName(alias);
      best.add(closeness(name, called), { path, alias });
      if (whole !== name) best.add(closeness(whole, called), { path, alias });
    }
  });
  return best.rows();
}

interface NearName {
  readonly row: CloseRow;
  readonly near: Closeness;
  /** Whether it lies in the folder that was asked for. */
  readonly inFolder: boolean;
}

/** The nearest of many names that are seen, each file once. */
class BestNames {
  readonly #limit: number;
  readonly #folder: string;
  readonly #sees: (path: string) => boolean;
  #found: NearName[] = [];
  /** The last of those that were kept when there were enough. */
  #last: Closeness | undefined;

  constructor(options: {
    readonly limit: number;
    readonly folder: string;
    readonly sees: (path: string) => boolean;
  }) {
    this.#limit = options.limit;
    this.#folder = `/${options.folder}`;
    this.#sees = options.sees;
  }

  add(near: Closeness | undefined, row: CloseRow): void {
    if (near === undefined || this.#isPast(near) || !this.#sees(row.path)) return;
    const inFolder = this.#folder !== '/' && `/${foldName(row.path)}`.includes(this.#folder);
    this.#found.push({ row, near, inFolder });
    // Thousands may be near: not all of them need to be held and sorted at the end.
    if (this.#found.length < heldMax) return;
    this.#keepBest();
    this.#last = this.#found[this.#limit - 1]?.near;
  }

  rows(): CloseRow[] {
    this.#keepBest();
    return this.#found.map(({ row }) => row);
  }

  /** Whether enough are known that are nearer. */
  #isPast(near: Closeness): boolean {
    const last = this.#last;
    return last !== undefined && (near[0] - last[0] || near[1] - last[1]) > 0;
  }

  #keepBest(): void {
    const files = new Set<VaultPath>();
    this.#found = this.#found.sort(nearestFirst).filter(({ row }) => {
      if (files.size >= this.#limit || files.has(row.path)) return false;
      files.add(row.path);
      return true;
    });
  }
}

function nearestFirst(a: NearName, b: NearName): number {
  return (
    a.near[0] - b.near[0] ||
    a.near[1] - b.near[1] ||
    Number(b.inFolder) - Number(a.inFolder) ||
    Number(a.row.alias !== undefined) - Number(b.row.alias !== undefined) ||
    (a.row.path < b.row.path ? -1 : a.row.path > b.row.path ? 1 : 0)
  );
}
