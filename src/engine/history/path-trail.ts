import type { VaultPath } from '../../base/vault-path.ts';
import { isInside, vaultPath } from '../../base/vault-path.ts';
import type { ChangeStep } from '../ports/state-store.ts';

/** What can happen to a path that changes which file is there. */
type TrailStep =
  | { readonly do: 'create' | 'delete'; readonly path: VaultPath }
  | { readonly do: 'move' | 'moveFolder'; readonly path: VaultPath; readonly to: VaultPath };

type Numbered = TrailStep & {
  /** Later steps have higher numbers. */
  readonly number: number;
};
type FolderMove = Numbered & { readonly do: 'moveFolder' };

/** A step of a change as steps of a trail; none when the step leaves every file where it is. */
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
 * The steps of a whole change as steps of a trail. Files that swap places are written as new
 * (`from` says where each was), in no particular order. In the trail they all leave first, each to
 * a path of its own, and then arrive.
 */
export function changeTrail(steps: readonly ChangeStep[]): readonly TrailStep[] {
  const left = new Map<VaultPath, VaultPath>();
  for (const step of steps) if (step.do === 'write' && step.from) left.set(step.from, step.path);
  if (left.size === 0) return steps.flatMap(trailSteps);
  const onTheWay = (from: VaultPath): VaultPath => `${from}//` as VaultPath; // No file has this path.
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
 * Everything that happened to paths, in order, to tell where a file is now that was at a path
 * before all of it. An undo adds to both ends: at the beginning while it reads history from the
 * newest change to older ones, at the end what it does itself. The cost of a question grows with
 * the steps at the paths of the file and with the number of moved folders.
 */
export class PathTrail {
  readonly #files = new Map<VaultPath, Numbered[]>();
  readonly #folders: FolderMove[] = [];
  #first = 0;
  #last = 0;

  /** Adds a step that happened before all others. */
  addBefore(step: TrailStep): void {
    const numbered = { ...step, number: --this.#first };
    for (const steps of this.#stepsLike(numbered)) steps.unshift(numbered);
  }

  /** Adds a step that happened after all others. */
  addAfter(step: TrailStep): void {
    const numbered = { ...step, number: ++this.#last };
    for (const steps of this.#stepsLike(numbered)) steps.push(numbered);
  }

  /** The path now of the file or folder that was at this path at the beginning. */
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
   * The path now of a place, whatever file is there: only moves of the folders around it count. For
   * putting a file back to where it was.
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
 * Follows one file through a trail. After the file was deleted, other files may be created and
 * deleted at its path before it is brought back. Undos take back the latest deletion first, so a
 * `create` brings this file back once all later deletions at the path have been taken back.
 */
class Follower {
  at: VaultPath;
  /** The number of the last step that was followed. */
  number = Number.NEGATIVE_INFINITY;
  /** Which file is at the path now. */
  #holder: 'itself' | 'another' | undefined = 'itself';
  /** How many files were deleted at the path after this one, and are not brought back. */
  #deletedAfter = 0;
  /** Another folder that has taken the place of a folder around the file, which was gone. */
  #otherFolder: VaultPath | undefined;

  constructor(path: VaultPath) {
    this.at = path;
  }

  /** Whether a folder move touches the path of the file. */
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
