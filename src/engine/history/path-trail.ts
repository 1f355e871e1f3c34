import type { VaultPath } from '../../base/vault-path.ts';
import { isInside, vaultPath } from '../../base/vault-path.ts';
import type { ChangeStep } from '../ports/state-store.ts';

/** What can happen to a path, as far as it matters for what is found there. */
export type TrailStep =
  | { readonly do: 'create' | 'delete'; readonly path: VaultPath }
  | { readonly do: 'move' | 'moveFolder'; readonly path: VaultPath; readonly to: VaultPath };

type Numbered = TrailStep & {
  /** Later steps have higher numbers. */
  readonly number: number;
};
type FolderMove = Numbered & { readonly do: 'moveFolder' };

/** A step of a change as a trail takes it: nothing where it leaves every path as it is. */
export function trailSteps(step: ChangeStep): readonly TrailStep[] {
  switch (step.do) {
    case 'write':
      return step.before === undefined ? [{ do: 'create', path: step.path }] : [];
    case 'makeFolder':
    case 'dropFolder':
      return [];
    case 'move':
      return step.over === undefined ? [step] : [{ do: 'delete', path: step.to }, step];
    default:
      return [step];
  }
}

/**
 * The steps of a whole change as a trail takes them. Files that change places are written anew, in
 * no particular order: they all leave before the first of them arrives.
 */
export function changeTrail(steps: readonly ChangeStep[]): readonly TrailStep[] {
  const left = new Map<VaultPath, VaultPath>();
  for (const step of steps) if (step.do === 'write' && step.from) left.set(step.from, step.path);
  if (left.size === 0) return steps.flatMap(trailSteps);
  const onTheWay = (from: VaultPath): VaultPath => `${from}//` as VaultPath; // Nobody's path.
  const isTaken = (step: ChangeStep): boolean =>
    step.do === 'write' && step.from !== undefined && step.before !== undefined;
  return [
    ...Array.from(left.keys(), (path): TrailStep => ({ do: 'move', path, to: onTheWay(path) })),
    ...steps.flatMap((step): readonly TrailStep[] =>
      isTaken(step) && !left.has(step.path) ? [{ do: 'delete', path: step.path }] : [],
    ),
    ...Array.from(left, ([from, to]): TrailStep => ({ do: 'move', path: onTheWay(from), to })),
    ...steps.flatMap((step): readonly TrailStep[] => {
      if (step.do === 'write' && step.from !== undefined) return [];
      if (!left.has(step.path)) return trailSteps(step);
      return step.do === 'write' ? [{ do: 'create', path: step.path }] : [];
    }),
  ];
}

/**
 * Steps in the order in which they happened, to tell where something is now that was at a path
 * before the first of them. It grows at both ends: backwards while history is read from its
 * newest change on, forwards with what an undo does itself. A question costs what happened to the
 * paths of the file and how many folders moved.
 */
export class PathTrail {
  readonly #files = new Map<VaultPath, Numbered[]>();
  readonly #folders: FolderMove[] = [];
  #first = 0;
  #last = 0;

  /** Adds what happened before everything else. */
  addBefore(step: TrailStep): void {
    const numbered = { ...step, number: --this.#first };
    for (const steps of this.#stepsLike(numbered)) steps.unshift(numbered);
  }

  /** Adds what happened after everything else. */
  addAfter(step: TrailStep): void {
    const numbered = { ...step, number: ++this.#last };
    for (const steps of this.#stepsLike(numbered)) steps.push(numbered);
  }

  /** Where the file or folder is now that was at this path. */
  now(path: VaultPath): VaultPath {
    const file = new Follower(path);
    for (;;) {
      const own = this.#files.get(file.at)?.find(({ number }) => number > file.number);
      const folder = this.#folders.find((move) => move.number > file.number && file.concerns(move));
      if (own === undefined && folder === undefined) return file.at;
      if (folder === undefined || (own !== undefined && own.number < folder.number)) {
        if (own !== undefined) file.take(own);
      } else file.takeFolder(folder);
    }
  }

  /**
   * The path by which this place is reached now: only the folders around it count, since whatever
   * else had this path meanwhile was something else.
   */
  place(path: VaultPath): VaultPath {
    const place = new Follower(path);
    for (const move of this.#folders) {
      if (place.at !== move.path && place.concerns(move)) place.takeFolder(move);
    }
    return place.at;
  }

  #stepsLike(step: Numbered): Numbered[][] {
    if (step.do === 'moveFolder') return [this.#folders as Numbered[]];
    const paths = step.do === 'move' ? [step.path, step.to] : [step.path];
    return paths.map((path) => {
      const known = this.#files.get(path) ?? [];
      this.#files.set(path, known);
      return known;
    });
  }
}

/**
 * One file on its way. When it is deleted, others may come and go at its path until it is brought
 * back; as undos take back the latest deletion first, it is its turn when all later ones had theirs.
 */
class Follower {
  at: VaultPath;
  /** The step that was taken last. */
  number = Number.NEGATIVE_INFINITY;
  #holder: 'itself' | 'another' | undefined = 'itself';
  #deletedAfter = 0;
  /** A folder that came to lie where a folder around it had been, which was gone then. */
  #otherFolder: VaultPath | undefined;

  constructor(path: VaultPath) {
    this.at = path;
  }

  concerns({ path, to }: FolderMove): boolean {
    return isWithin(this.at, path) || isWithin(this.at, to);
  }

  take(step: Numbered): void {
    this.number = step.number;
    switch (step.do) {
      case 'create':
        this.#holder = this.#deletedAfter === 0 ? 'itself' : 'another';
        if (this.#deletedAfter > 0) this.#deletedAfter--;
        return;
      case 'delete':
        if (this.#holder === 'another') this.#deletedAfter++;
        this.#holder = undefined;
        return;
      default:
        if (step.to === this.at) this.#holder = 'another';
        else if (this.#holder === 'another') this.#holder = undefined;
        else this.at = step.to;
    }
  }

  takeFolder({ path, to, number }: FolderMove): void {
    this.number = number;
    const other = this.#otherFolder;
    if (!isWithin(this.at, path)) {
      if (other === undefined || isWithin(other, to)) this.#otherFolder = to;
    } else if (other !== undefined && isWithin(path, other)) {
      if (path === other) this.#otherFolder = undefined;
    } else {
      this.at = vaultPath(to + this.at.slice(path.length));
      if (other !== undefined) this.#otherFolder = vaultPath(to + other.slice(path.length));
    }
  }
}

function isWithin(path: VaultPath, folder: VaultPath): boolean {
  return path === folder || isInside(path, folder);
}
