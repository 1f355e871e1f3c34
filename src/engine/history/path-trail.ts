import type { VaultPath } from '../../base/vault-path.ts';
import { isInside, vaultPath } from '../../base/vault-path.ts';
import type { ChangeStep } from '../ports/state-store.ts';

/** A step of a trail (`PathTrail`): what can happen to a path that changes which file is there. */
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
    case 'append':
    case 'cut':
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
  const targets = new Map<VaultPath, VaultPath>();
  for (const step of steps) if (step.do === 'write' && step.from) targets.set(step.from, step.path);
  if (targets.size === 0) return steps.flatMap(trailSteps);
  const onTheWay = (from: VaultPath): VaultPath => `${from}//` as VaultPath; // No file has this path.
  const replaces = (step: ChangeStep): boolean =>
    step.do === 'write' && step.from !== undefined && step.before !== undefined;
  return [
    // All leave; files that are replaced and do not leave are deleted; all arrive; then the rest.
    ...Array.from(targets.keys(), (path): TrailStep => ({ do: 'move', path, to: onTheWay(path) })),
    ...steps.flatMap((step): readonly TrailStep[] =>
      replaces(step) && !targets.has(step.path) ? [{ do: 'delete', path: step.path }] : [],
    ),
    ...Array.from(targets, ([from, to]): TrailStep => ({ do: 'move', path: onTheWay(from), to })),
    ...steps.flatMap((step): readonly TrailStep[] => {
      if (step.do === 'write' && step.from !== undefined) return [];
      if (!targets.has(step.path)) return trailSteps(step);
      // The file here has left: what is written is a new file, and its deletion is part of the move.
      return step.do === 'write' ? [{ do: 'create', path: step.path }] : [];
    }),
  ];
}

/**
 * Everything that happened to paths, in order. It answers where a file is now that was at a path
 * before all of it. An undo adds to both ends: at the beginning while it reads history from the
 * newest change to older ones, at the end what it does itself. The cost of a question grows with
 * the steps at the paths of the file and with the number of moved folders.
 */
export class PathTrail {
  /** The steps at each path but folder moves, in order; a move is at both of its paths. */
  readonly #files = new Map<VaultPath, Numbered[]>();
  /** The folder moves, in order. */
  readonly #folders: FolderMove[] = [];
  /** The numbers of the first and the last step. */
  #first = 0;
  #last = 0;

  /** Adds a step that happened before all others. */
  addBefore(step: TrailStep): void {
    const numbered = { ...step, number: --this.#first };
    for (const steps of this.#listsFor(numbered)) steps.unshift(numbered);
  }

  /** Adds a step that happened after all others. */
  addAfter(step: TrailStep): void {
    const numbered = { ...step, number: ++this.#last };
    for (const steps of this.#listsFor(numbered)) steps.push(numbered);
  }

  /** The path now of the file or folder that was at this path at the beginning. */
  now(path: VaultPath): VaultPath {
    const file = new Follower(path);
    for (;;) {
      // The next step that concerns the file: one at its path, or a move of a folder around it.
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

  /** The lists that a step belongs to. */
  #listsFor(step: Numbered): Numbered[][] {
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
  /** Which file is at the path now: the followed one, another one, or none. */
  #holder: 'itself' | 'another' | undefined = 'itself';
  /** How many files were deleted at the path after this one, and are not brought back. */
  #deletedAfter = 0;
  /** A folder that has moved to where a folder around the file was, after that one was gone. */
  #otherFolder: VaultPath | undefined;

  constructor(path: VaultPath) {
    this.at = path;
  }

  /** Whether a folder move touches the path of the file. */
  concerns({ path, to }: FolderMove): boolean {
    return isWithin(this.at, path) || isWithin(this.at, to);
  }

  /** Follows a step at the path of the file. */
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

  /** Follows a folder move that concerns the file. */
  takeFolder({ path, to, number }: FolderMove): void {
    this.number = number;
    const other = this.#otherFolder;
    if (!isWithin(this.at, path)) {
      // Another folder comes to where a folder around the file was.
      if (other === undefined || isWithin(other, to)) this.#otherFolder = to;
    } else if (other !== undefined && isWithin(path, other)) {
      // That other folder, or one in it, leaves again.
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
