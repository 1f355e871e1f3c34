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

/** A whole change as it will be carried out, and what must still hold when it is. */
export interface ChangePlan {
  readonly steps: readonly ChangeStep[];
  /** New bytes by the token of their step. */
  readonly bytes: ReadonlyMap<string, Uint8Array>;
  /** What history keeps of it. */
  readonly contents: readonly ContentPut[];
  /** Files that were looked at, by path on disk: the plan holds only while they are the same. */
  readonly seen: ReadonlyMap<VaultPath, FoundFile>;
  /** Paths on disk that must be free. */
  readonly free: readonly VaultPath[];
  /** What names must be themselves, symlinks not followed; undefined for nothing. */
  readonly names?: ReadonlyMap<VaultPath, EntryKind | undefined>;
  /** How many names there must be in folders that are removed with them. */
  readonly held?: ReadonlyMap<VaultPath, number>;
}

/** A folder that is to go if it is empty. */
export interface FolderDrop {
  readonly path: VaultPath;
  /** See `ChangeStep`. */
  readonly asked?: true;
}

/** A draft as it is planned. */
export interface DraftToPlan {
  readonly files: DraftFiles;
  /** Folders to be removed at the end if they are empty then. */
  readonly drops: readonly FolderDrop[];
  /** What the raw file tools want; then nothing else is wanted. */
  readonly rawPlan: RawPlan | undefined;
  /** Reads a file's content, if that has not been done. */
  readonly load: (path: VaultPath) => Promise<unknown>;
}

/** The steps that turn the disk into what a draft says, in the order in which they are safe. */
export async function planChange(
  draft: DraftToPlan,
  ports: { readonly disk: WritableDisk; readonly random: Random },
): Promise<ChangePlan> {
  const { files, drops } = draft;
  if (draft.rawPlan !== undefined) {
    checkSize(draft.rawPlan.steps, draft.rawPlan.bytes);
    return {
      ...draft.rawPlan,
      seen: new Map([...seenFiles(files), ...draft.rawPlan.seen]),
      free: [],
    };
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
    steps,
    bytes: plan.bytes,
    contents: plan.contents,
    seen: seenFiles(files),
    free: [...plan.free(), ...freeFolders(files)],
  };
}

/** A file that is touched, and where it lies before and after on disk. */
interface Place {
  readonly path: VaultPath;
  readonly at: VaultPath;
  readonly file: DraftFile;
  /** Where it was, if it is written anew instead of moved. */
  readonly from?: VaultPath;
  /** The file that lies at `at` now and goes elsewhere, or is deleted. */
  readonly occupant?: DraftFile;
  /** Whether another file comes to lie where this one is now. */
  readonly succeeded: boolean;
  /**
   * Whether it takes another's place, or leaves its own to another. Such files are written anew
   * instead of moved: after a crash, what lies at a path could not be told from what lay there.
   */
  readonly entangled: boolean;
}

function placesOf(files: DraftFiles): Place[] {
  const touched = Array.from(files.touched(), ([path, file]) => {
    const at = files.onDisk(path);
    assert(at !== undefined, 'nothing is put into a folder that moved away');
    return { path, at, file };
  }).sort((a, b) => (a.path < b.path ? -1 : 1)); // Files are read at once, and come in any order.
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
    };
  });
}

/** Where a folder is on disk that must be there when some folders have moved already. */
function folderBefore(files: DraftFiles, folder: VaultFolder, moves: number): VaultFolder {
  return folder === '' ? '' : (files.onDisk(folder, moves) ?? folder);
}

/** Where moved folders come to lie: free, unless the folder is only respelled. */
function freeFolders(files: DraftFiles): VaultPath[] {
  return files.folderMoves.flatMap(({ from, to }, index) =>
    pathKey(from) === pathKey(to) ? [] : [files.onDisk(to, index) ?? to],
  );
}

/**
 * A folder that the change needs on its way cannot be the place that another one moves to: it
 * would have to be gone by then, and a crash in between could not be taken back.
 */
function checkNotMade(targets: readonly VaultPath[], made: readonly VaultPath[]): void {
  const both = targets.find((path) => made.includes(path));
  if (both === undefined) return;
  throw new VaultError(
    'already_exists',
    `"${both}" would have to be made and be gone again in one change; do it in two.`,
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

class PlanBuilder {
  readonly bytes = new Map<string, Uint8Array>();
  readonly contents: ContentPut[] = [];
  /** Where files come to lie that did not lie there before. */
  readonly targets: VaultPath[] = [];
  readonly #random: Random;
  readonly #writes: ChangeStep[] = [];
  readonly #deletes: ChangeStep[] = [];
  readonly #moves: (ChangeStep & { do: 'move' })[] = [];
  readonly #creates: ChangeStep[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  add({ at, file, from, occupant, succeeded, entangled }: Place): void {
    const { origin, found, after } = file;
    const content = after ?? found;
    if (occupant !== undefined) {
      this.#write(this.#writes, at, content, { before: occupant.found, from, isAnother: true });
    } else if (origin === undefined || entangled) {
      this.targets.push(at);
      this.#write(this.#creates, at, content, { from });
    } else {
      if (after !== undefined || from !== undefined) {
        this.#write(this.#writes, origin, content, { before: found, from });
      }
      if (at !== origin) this.#move(origin, at, file);
      return;
    }
    if (origin !== undefined && origin !== at && !succeeded) this.addDelete(origin, found);
  }

  addDelete(path: VaultPath, found: FoundFile | undefined): void {
    assert(found?.version !== undefined, 'a file is read before it is deleted');
    this.#keep(found);
    this.#deletes.push({ do: 'delete', path, before: found.version });
  }

  /** Writes where files are, then moves, then what is new, then deletes: nothing is in the way. */
  steps(): ChangeStep[] {
    return [...this.#writes, ...this.#moves, ...this.#creates, ...this.#deletes];
  }

  /** Targets that must be free; a file that is only respelled may be found there as itself. */
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
    }: { before?: FoundFile | undefined; from: VaultPath | undefined; isAnother?: boolean },
  ): void {
    const { bytes, version: after } = content ?? {};
    assert(bytes !== undefined && after !== undefined, 'what is written has content');
    // Equal bytes are another file where it takes that one's place: history tells them apart.
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
      ...(from === undefined ? {} : { from }),
    });
  }

  #keep(found: FoundFile | undefined): void {
    if (found?.version === undefined || found.bytes === undefined) return;
    this.#put({ version: found.version, bytes: found.bytes });
  }

  #put(content: ContentPut): void {
    if (content.bytes.length <= limits.historyContentBytesMax) this.contents.push(content);
  }
}

/** The folders that have to be made, outer ones first; fails where a file is in their place. */
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
    `The change would touch ${steps.length} files and ${total} bytes; at most ${limits.changeFilesMax} files and ${limits.changeBytesMax} bytes are changed at once.`,
  );
}
