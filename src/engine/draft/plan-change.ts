import { assert } from '../../base/assert.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { folderOf, isInside, pathKey, trashFolder } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { EntryKind, Random, WritableDisk } from '../ports/ports.ts';
import type { ChangeStep, ContentPut } from '../ports/state-store.ts';
import type { DraftFile, DraftFiles, FoundFile } from './draft-files.ts';
import type { RawPlan } from './raw-plan.ts';

/**
 * A change as steps, and what must be true of the disk when it is carried out (`seen`, `free`,
 * `kinds`, `nameCounts`): otherwise the change is planned again.
 */
export interface ChangePlan {
  readonly steps: readonly ChangeStep[];
  /** The new bytes of each write, by the token of its step. */
  readonly bytes: ReadonlyMap<string, Uint8Array>;
  /** The old and new contents that history keeps. */
  readonly contents: readonly ContentPut[];
  /** Files that the draft looked at, by path on disk: they must be unchanged. */
  readonly seen: ReadonlyMap<VaultPath, FoundFile>;
  /** Paths on disk where nothing may be. */
  readonly free: readonly VaultPath[];
  /** What must be at a path itself, symlinks not followed; undefined for nothing. */
  readonly kinds?: ReadonlyMap<VaultPath, EntryKind | undefined>;
  /** For folders that are removed with everything in them: how many names each must have. */
  readonly nameCounts?: ReadonlyMap<VaultPath, number>;
}

/** A folder that is to be removed if it is empty. */
export interface FolderDrop {
  readonly path: VaultPath;
  /** See `ChangeStep`. */
  readonly asked?: true;
}

/** What is needed of a draft to plan its change. */
interface DraftToPlan {
  readonly files: DraftFiles;
  /** Folders to be removed at the end if they are empty then. */
  readonly drops: readonly FolderDrop[];
  /** The change of a raw file tool; then the draft does nothing else. */
  readonly rawPlan: RawPlan | undefined;
  /** An undo that changes the end of a file in place; then the draft does nothing else. */
  readonly tailPlan: RawPlan | undefined;
  /** Reads a file's content, if that has not been done. */
  readonly load: (path: VaultPath) => Promise<unknown>;
}

/**
 * Makes the steps that turn the disk into what a draft says. Their order is chosen so that nothing
 * is in the way of a step, and so that recovery can tell from the disk which of them are done.
 */
export async function planChange(
  draft: DraftToPlan,
  ports: { readonly disk: WritableDisk; readonly random: Random },
): Promise<ChangePlan> {
  const { files, drops } = draft;
  const literal = draft.rawPlan ?? draft.tailPlan;
  const hasGate = ports.disk.gate !== undefined;
  if (literal !== undefined) {
    checkSize(literal.steps, literal.bytes);
    const steps = hasGate ? withTokens(literal.steps, ports.random) : literal.steps;
    return { ...literal, steps, seen: new Map([...seenFiles(files), ...literal.seen]), free: [] };
  }
  const places = placesOf(files);
  const plan = new PlanBuilder(ports.random);
  for (const { entangled, from, path } of places) if (entangled || from) await draft.load(path);
  for (const place of places) plan.add(place);
  const taken = new Set(places.map(({ at }) => at));
  for (const [path, { found }] of files.deleted) if (!taken.has(path)) plan.addDelete(path, found);
  const made = await missingFolders(ports.disk, [
    ...files.folders,
    ...plan.targets.map(folderOf),
    ...files.folderMoves.map(({ to }, index) => folderBefore(files, folderOf(to), index)),
  ]);
  checkNotMade(freeFolders(files), made);
  const steps: ChangeStep[] = [
    ...made.map(
      (path): ChangeStep => ({
        do: 'makeFolder',
        path,
        ...(files.folders.has(path) ? { asked: true } : {}),
      }),
    ),
    ...plan.steps(),
    ...files.folderMoves.map(({ from, to }): ChangeStep => ({ do: 'moveFolder', path: from, to })),
    ...drops.map((drop): ChangeStep => ({ do: 'dropFolder', ...drop })),
  ];
  checkSize(steps, plan.bytes);
  return {
    steps: hasGate ? withTokens(steps, ports.random) : steps,
    bytes: plan.bytes,
    contents: plan.contents,
    seen: seenFiles(files),
    free: [...plan.free(), ...freeFolders(files)],
  };
}

/** The steps as a disk with a gate carries them out; see `ChangeStep`. */
function withTokens(steps: readonly ChangeStep[], random: Random): readonly ChangeStep[] {
  return steps.map((step) =>
    step.do === 'delete' || step.do === 'move' || step.do === 'moveFolder'
      ? { ...step, token: random.token() }
      : step,
  );
}

/** A file that the draft makes, moves or changes, and how it meets other files on its way. */
interface Place {
  /** The path of the file after the change. */
  readonly path: VaultPath;
  /** The same path as it is on disk before folders move. */
  readonly at: VaultPath;
  readonly file: DraftFile;
  /** Where the file was, if it is written as new instead of moved; for history. */
  readonly from?: VaultPath;
  /** The file that is at `at` now, and is moved or deleted. */
  readonly occupant?: DraftFile;
  /** Set when that one is deleted; the brake counts it. */
  readonly whole?: true;
  /** Whether another file comes to where this one is now. */
  readonly succeeded: boolean;
  /**
   * Whether the file takes the place of another, or another takes its place. Such files are written
   * as new instead of moved: after a crash, recovery could not tell which of the two is at a path.
   */
  readonly entangled: boolean;
}

function placesOf(files: DraftFiles): Place[] {
  const touched = Array.from(files.touched(), ([path, file]) => {
    const at = files.onDisk(path);
    assert(at !== undefined, 'nothing is put into a folder that moved away');
    return { path, at, file };
  }).sort((a, b) => (a.path < b.path ? -1 : 1)); // Files are read in parallel, so in no fixed order.
  // Files that leave their path on disk, by that path.
  const leaving = new Map<VaultPath, DraftFile>(files.deleted);
  for (const { at, file } of touched) {
    if (file.origin !== undefined && file.origin !== at) leaving.set(file.origin, file);
  }
  const targets = new Set(touched.map(({ at }) => at));
  return touched.map(({ path, at, file }) => {
    const occupant = file.origin === at ? undefined : leaving.get(at);
    const succeeded = file.origin !== undefined && file.origin !== at && targets.has(file.origin);
    const entangled = occupant !== undefined || succeeded;
    const from = entangled && file.origin !== at ? file.origin : files.formerly.get(path);
    return {
      path,
      at,
      file,
      succeeded,
      entangled,
      ...(from === undefined ? {} : { from }),
      ...(occupant === undefined ? {} : { occupant }),
      ...(files.deleted.get(at) === occupant && occupant !== undefined ? { whole: true } : {}),
    };
  });
}

/** The path on disk of a folder at the time when the first `moves` folders have moved. */
function folderBefore(files: DraftFiles, folder: VaultFolder, moves: number): VaultFolder {
  return folder === '' ? '' : (files.onDisk(folder, moves) ?? folder);
}

/**
 * The targets of folder moves, which must be free. Not that of a folder that is only respelled:
 * many disks find the folder itself there.
 */
function freeFolders(files: DraftFiles): VaultPath[] {
  return files.folderMoves.flatMap(({ from, to }, index) =>
    pathKey(from) === pathKey(to) ? [] : [files.onDisk(to, index) ?? to],
  );
}

/**
 * Fails with `already_exists` when a folder that the change has to make is also the target of a
 * folder move: it would have to be gone by then, and a crash in between could not be taken back.
 */
function checkNotMade(targets: readonly VaultPath[], made: readonly VaultPath[]): void {
  const both = targets.find((path) => made.includes(path));
  if (both === undefined) return;
  throw new VaultError(
    'already_exists',
    `The change would have to make the folder "${both}" and then move another folder there; make two changes of it.`,
    { details: { path: both } },
  );
}

/** Every file that the draft looked at, by its path on disk. */
function seenFiles(files: DraftFiles): Map<VaultPath, FoundFile> {
  const seen = new Map<VaultPath, FoundFile>();
  const all: DraftFile[] = [...files.files.values(), ...files.deleted.values()];
  for (const { origin, found } of all) {
    if (origin !== undefined && found !== undefined) seen.set(origin, found);
  }
  return seen;
}

/** Where a file's symlink leads, as a field of a step. */
function linkOf(found: FoundFile | undefined): { readonly leadsTo?: VaultPath } {
  const leadsTo = found?.stat.leadsTo;
  return leadsTo === undefined ? {} : { leadsTo };
}

/** Collects the steps for single files; `add` takes a `Place`, `addDelete` a deleted file. */
class PlanBuilder {
  readonly bytes = new Map<string, Uint8Array>();
  readonly contents: ContentPut[] = [];
  /** Paths on disk that get a file and had none. */
  readonly targets: VaultPath[] = [];
  readonly #random: Random;
  readonly #writes: ChangeStep[] = [];
  readonly #deletes: ChangeStep[] = [];
  readonly #moves: (ChangeStep & { do: 'move' })[] = [];
  readonly #creates: ChangeStep[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  add({ at, file, from, occupant, whole, succeeded, entangled }: Place): void {
    const { origin, found, after } = file;
    const content = after ?? found;
    if (occupant !== undefined) {
      // Overwrites the file that leaves this path.
      const before = occupant.found;
      this.#write(this.#writes, at, content, { before, from, isAnother: true, whole });
    } else if (origin === undefined || entangled) {
      this.targets.push(at);
      this.#write(this.#creates, at, content, { from });
    } else {
      if (after !== undefined || from !== undefined) {
        this.#write(this.#writes, origin, content, { before: found, from, whole: file.whole });
      }
      if (at !== origin) this.#move(origin, at, file);
      return;
    }
    if (origin !== undefined && origin !== at && !succeeded) this.addDelete(origin, found);
  }

  addDelete(path: VaultPath, found: FoundFile | undefined): void {
    assert(found?.version !== undefined, 'a file is read before it is deleted');
    this.#keep(found);
    this.#deletes.push({ do: 'delete', path, before: found.version, ...linkOf(found) });
  }

  /**
   * First writes to existing files, then moves, new files and deletions: so nothing is in the way.
   */
  steps(): ChangeStep[] {
    return [...this.#writes, ...this.#moves, ...this.#creates, ...this.#deletes];
  }

  /**
   * Targets that must be free. Not that of a respelled file: many disks find the file itself there.
   */
  free(): VaultPath[] {
    const respelled = new Set(
      this.#moves.filter(({ path, to }) => pathKey(path) === pathKey(to)).map(({ to }) => to),
    );
    return this.targets.filter((path) => !respelled.has(path));
  }

  #move(from: VaultPath, to: VaultPath, { found, after }: DraftFile): void {
    this.targets.push(to);
    if (isInside(to, trashFolder)) this.#keep(found);
    const version = after?.version ?? found?.version;
    this.#moves.push({
      do: 'move',
      path: from,
      to,
      ...(version === undefined ? {} : { version }),
      ...linkOf(found),
    });
  }

  #write(
    steps: ChangeStep[],
    path: VaultPath,
    content: { readonly bytes?: Uint8Array; readonly version?: Version } | undefined,
    {
      before,
      from,
      isAnother = false,
      whole,
    }: {
      before?: FoundFile | undefined;
      from: VaultPath | undefined;
      isAnother?: boolean;
      whole?: true | undefined;
    },
  ): void {
    const { bytes, version: after } = content ?? {};
    assert(bytes !== undefined && after !== undefined, 'what is written has content');
    // With `isAnother` a different file takes this path; history records that even for equal bytes.
    if (after === before?.version && from === undefined && !isAnother) return;
    const token = this.#random.token();
    this.bytes.set(token, bytes);
    this.#keep(before);
    const base = before?.version;
    this.#put({ version: after, bytes, ...(base === undefined ? {} : { base }) });
    steps.push({
      do: 'write',
      path,
      ...(base === undefined ? {} : { before: base }),
      after,
      token,
      ...(whole === undefined || base === undefined ? {} : { whole }),
      ...(from === undefined ? {} : { from }),
      ...linkOf(before),
    });
  }

  /** Hands the content of a file, if it was read, to history. */
  #keep(found: FoundFile | undefined): void {
    if (found?.version === undefined || found.bytes === undefined) return;
    this.#put({ version: found.version, bytes: found.bytes });
  }

  /** Hands a content to history, unless it is too large for that. */
  #put(content: ContentPut): void {
    if (content.bytes.length <= limits.historyContentBytesMax) this.contents.push(content);
  }
}

/**
 * The folders that have to be made, outer ones first. Fails with `not_a_folder` where a file is.
 */
export async function missingFolders(
  disk: WritableDisk,
  folders: readonly VaultFolder[],
): Promise<VaultPath[]> {
  const missing = new Set<VaultPath>();
  for (const folder of new Set(folders)) {
    const above: VaultPath[] = [];
    for (let at = folder; at !== '' && !missing.has(at); at = folderOf(at)) {
      const kind = await disk.kind(at);
      if (kind === 'folder') break;
      if (kind === 'file') {
        throw new VaultError('not_a_folder', `"${at}" is a file, not a folder.`, {
          details: { path: at },
        });
      }
      above.push(at);
    }
    for (const path of above.toReversed()) missing.add(path);
  }
  return Array.from(missing);
}

function checkSize(steps: readonly ChangeStep[], bytes: ReadonlyMap<string, Uint8Array>): void {
  let total = 0;
  for (const content of bytes.values()) total += content.length;
  if (steps.length <= limits.changeFilesMax && total <= limits.changeBytesMax) return;
  throw new VaultError(
    'too_large',
    `The change would touch ${steps.length} files and ${total} bytes; one change may touch at most ${limits.changeFilesMax} files and ${limits.changeBytesMax} bytes. Make several smaller ones.`,
  );
}
