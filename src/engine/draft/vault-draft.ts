import { assert } from '../../base/assert.ts';
import { inParallel } from '../../base/in-parallel.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import {
  fileNameOf,
  folderOf,
  foldName,
  isHidden,
  isInside,
  joinPath,
  pathKey,
  trashFolder,
  vaultPath,
} from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { TextEdit } from '../../markdown/text/text-edit.ts';
import { applyEdits } from '../../markdown/text/text-edit.ts';
import type { ByName } from '../links/resolve-link.ts';
import { isWritableDotFile } from '../notes/bookmarks-file.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { ChangeId } from '../ports/state-store.ts';
import type { BoundVault, NoteText } from '../vault/bound-vault.ts';
import type { Draft } from '../vault/draft.ts';
import { notFound, outOfSight } from '../vault/not-found.ts';
import type { NoteName } from '../vault/note-name.ts';
import { checkNoteSize, contentOf, textOf } from './draft-content.ts';
import type { DraftFile, FoundFile, NewContent } from './draft-files.ts';
import { DraftFiles } from './draft-files.ts';
import { DraftIndex } from './draft-index.ts';
import { findInDraft } from './find-in-draft.ts';
import type { FolderDrop } from './plan-change.ts';
import type { RawPlan } from './raw-plan.ts';
import { VaultRawDraft } from './vault-raw-draft.ts';

const readsAtOnce = 16;
const encoder = new TextEncoder();

/** The one kind of draft: over a vault as its caller may change it. */
export class VaultDraft implements Draft {
  readonly vault: BoundVault;
  readonly nowMs: number;
  readonly dryRun: boolean;
  readonly files = new DraftFiles();
  readonly index: DraftIndex;
  readonly warnings: string[] = [];
  readonly undone: ChangeId[] = [];
  readonly drops: FolderDrop[] = [];
  /** Files of moved folders, at both of their paths: what the index has to look at again. */
  readonly inMovedFolders: VaultPath[] = [];
  #raw: VaultRawDraft | undefined;
  readonly #endings: ((committed: boolean) => Promise<void>)[] = [];

  constructor(vault: BoundVault, options: { readonly dryRun: boolean }) {
    this.vault = vault;
    this.dryRun = options.dryRun;
    this.nowMs = vault.vault.parts.clock.nowMs();
    this.index = new DraftIndex(vault, this.files);
  }

  warn(message: string): void {
    if (!this.warnings.includes(message)) this.warnings.push(message);
  }

  undoes(ids: readonly ChangeId[]): void {
    this.undone.push(...ids);
  }

  onEnd(call: (committed: boolean) => Promise<void>): void {
    this.#endings.push(call);
  }

  /** Tells those who asked how it ended. Their failures change nothing any more. */
  async end(committed: boolean): Promise<void> {
    for (const call of this.#endings.splice(0)) await call(committed).catch(() => undefined);
  }

  find(name: NoteName): Promise<VaultPath> {
    return findInDraft(this, name);
  }

  async kind(path: VaultPath): Promise<'file' | 'folder' | undefined> {
    if (this.vault.sees(path) || isWritableDotFile(path) || path === trashFolder)
      return this.#kind(path);
    return this.vault.seesFolder(path) && (await this.#kind(path)) === 'folder'
      ? 'folder'
      : undefined;
  }

  async read(path: VaultPath): Promise<NoteText> {
    const file = await this.#load(path, limits.noteBytesMax);
    const { bytes, version } = contentOf(file);
    file.text ??= textOf(path, bytes);
    // A new file has no stat yet; nobody asks for it.
    const stat = file.found?.stat ?? noStat;
    return { path, text: file.text, version, stat };
  }

  readAll(paths: readonly VaultPath[]): Promise<readonly NoteText[]> {
    return inParallel(paths, readsAtOnce, (path) => this.read(path));
  }

  async readBytes(path: VaultPath, bytesMax: number) {
    return contentOf(await this.#load(path, bytesMax));
  }

  async expect(path: VaultPath, version: Version | undefined): Promise<void> {
    if (version === undefined) return;
    const file = await this.#load(path, limits.historyContentBytesMax);
    if (file.found?.version === version || file.after?.version === version) return;
    throw new VaultError(
      'conflict',
      `"${path}" has changed since it was read; read it again and repeat the change.`,
      { details: { path, version: contentOf(file).version } },
    );
  }

  async write(path: VaultPath, text: string): Promise<void> {
    this.#checkMayWrite(path);
    if ((await this.read(path)).text === text) return;
    const file = await this.#load(path, limits.noteBytesMax);
    this.#setContent(file, path, encoder.encode(text));
    file.text = text;
  }

  async edit(path: VaultPath, edits: readonly TextEdit[]): Promise<void> {
    if (edits.length === 0) return;
    await this.write(path, applyEdits((await this.read(path)).text, edits));
  }

  async create(
    path: VaultPath,
    content: string | Uint8Array,
    options: { hidden?: boolean } = {},
  ): Promise<void> {
    this.#checkMayWrite(path, options);
    await this.#checkFree(path);
    const bytes = typeof content === 'string' ? encoder.encode(content) : content;
    checkNoteSize(path, bytes);
    this.files.added(path, this.#content(bytes));
  }

  async put(path: VaultPath, bytes: Uint8Array, options: { hidden?: boolean } = {}): Promise<void> {
    if ((await this.#kind(path)) === undefined) return this.create(path, bytes, options);
    this.#checkMayWrite(path, options);
    const file = await this.#load(path, limits.historyContentBytesMax);
    delete file.text;
    this.#setContent(file, path, bytes);
  }

  async move(from: VaultPath, to: VaultPath, options: { hidden?: boolean } = {}): Promise<void> {
    this.#checkMayWrite(from, { hidden: true });
    this.#checkMayWrite(to, options);
    await this.#look(from);
    if (to === from) return;
    await this.#checkFree(to, from);
    // A note in the trash may be thrown out there: history keeps its content as well.
    if (isInside(to, trashFolder) && fileKind(from) !== 'attachment') {
      await this.#load(from, limits.historyContentBytesMax);
    }
    this.files.moved(from, to);
  }

  async moveFolder(from: VaultPath, to: VaultPath): Promise<void> {
    if ((await this.kind(from)) !== 'folder') throw notFound(from);
    if (isInside(to, from)) {
      throw new VaultError('invalid_input', `"${from}" cannot be moved into itself.`, {
        details: { path: from },
      });
    }
    if (to === from) return;
    this.#checkMayWrite(from);
    this.#checkMayWrite(to);
    await this.#checkFree(to, from);
    if (this.#notVacated(to) === undefined) throw placeOfAnother(to, 'a file');
    for (const path of await this.filesIn(from)) {
      this.#checkMayWrite(path);
      this.inMovedFolders.push(path, vaultPath(to + path.slice(from.length)));
    }
    this.files.folderMoved(from, to);
  }

  async delete(path: VaultPath, options: { hidden?: boolean } = {}): Promise<void> {
    this.#checkMayWrite(path, options);
    await this.#load(path, limits.historyContentBytesMax);
    this.files.removed(path);
  }

  get raw(): VaultRawDraft {
    assert(this.vault.raw, 'only raw tools change files by their names alone');
    this.#raw ??= new VaultRawDraft(this);
    return this.#raw;
  }

  get rawPlan(): RawPlan | undefined {
    return this.#raw?.plan;
  }

  async makeFolder(path: VaultPath): Promise<void> {
    this.#checkMayWrite(path);
    if ((await this.#kind(path)) === 'folder') return;
    await this.#checkFree(path);
    const onDisk = this.#notVacated(path);
    if (onDisk === undefined) throw placeOfAnother(path, 'a file');
    this.files.folders.add(onDisk);
  }

  succeeds(path: VaultPath, from: VaultPath): void {
    this.files.formerly.set(path, from);
  }

  dropFolder(path: VaultPath, as: { readonly asked?: true } = {}): void {
    this.drops.push({ path, ...as });
  }

  async spell(path: VaultPath): Promise<VaultPath> {
    let folder: VaultFolder = '';
    for (const name of path.split('/').slice(0, -1)) {
      const exact = joinPath(folder, name);
      folder =
        (await this.#kind(exact)) === 'folder'
          ? exact
          : ((await this.#folderLike(folder, name)) ?? exact);
    }
    return joinPath(folder, fileNameOf(path));
  }

  twin(path: VaultPath, except?: VaultPath): Promise<VaultPath | undefined> {
    return this.index.twin(path, except);
  }

  byName(names: Iterable<string>): Promise<ByName> {
    return this.index.byName(names);
  }

  sourcesNaming(segments: Iterable<string>): Promise<readonly VaultPath[]> {
    return this.index.sourcesNaming(segments);
  }

  filesWithTag(tag: string): Promise<readonly VaultPath[]> {
    return this.index.filesWithTag(tag);
  }

  filesIn(folder: VaultPath): Promise<readonly VaultPath[]> {
    return this.index.filesIn(folder);
  }

  unreadable() {
    return this.index.unreadable();
  }

  async #kind(path: VaultPath): Promise<'file' | 'folder' | undefined> {
    if (this.files.files.has(path)) return 'file';
    const onDisk = this.#notVacated(path);
    const kind = onDisk && (await this.vault.vault.parts.disk.kind(onDisk));
    if (kind !== undefined) return kind;
    return this.files.makesFolder(path) ? 'folder' : undefined;
  }

  /** A folder in `folder` that has this name but for case and Unicode form. */
  async #folderLike(folder: VaultFolder, name: string): Promise<VaultPath | undefined> {
    const onDisk = folder === '' ? '' : this.files.onDisk(folder);
    if (onDisk === undefined) return undefined;
    const wanted = foldName(name);
    const entries = (await this.vault.vault.parts.disk.list(onDisk)) ?? [];
    const like = entries.find(
      (entry) => entry.kind === 'folder' && foldName(entry.name) === wanted,
    );
    return like === undefined ? undefined : joinPath(folder, like.name);
  }

  /** The file at a path, with its stat at least. */
  async #look(path: VaultPath): Promise<DraftFile> {
    const known = this.files.files.get(path);
    if (known !== undefined) return known;
    const origin = this.#diskPath(path);
    const { disk, clock } = this.vault.vault.parts;
    const atMs = clock.nowMs();
    const stat = await disk.stat(origin);
    if (stat === undefined) throw await this.#missing(path);
    return this.#remember(path, { origin, found: { stat, atMs } });
  }

  /** Reads a file's content, if that has not been done. */
  load(path: VaultPath): Promise<unknown> {
    return this.#load(path, limits.historyContentBytesMax);
  }

  /** The file at a path, with its content. */
  async #load(path: VaultPath, bytesMax: number): Promise<DraftFile> {
    const known = this.files.files.get(path);
    if (known?.after !== undefined || known?.found?.bytes !== undefined) return known;
    const origin = known?.origin ?? this.#diskPath(path);
    const { disk, clock } = this.vault.vault.parts;
    const atMs = clock.nowMs();
    const found: FoundFile = { ...(await disk.read(origin, { bytesMax })), atMs };
    if (known === undefined) return this.#remember(path, { origin, found });
    known.found = found;
    return known;
  }

  /** Another read of the same file may have come first: then that one counts. */
  #remember(path: VaultPath, file: DraftFile): DraftFile {
    const known = this.files.files.get(path);
    if (known !== undefined) return known;
    this.files.files.set(path, file);
    return file;
  }

  #diskPath(path: VaultPath): VaultPath {
    if (isHidden(path) && !this.vault.raw && !isWritableDotFile(path)) throw notFound(path);
    const onDisk = this.#notVacated(path);
    if (onDisk === undefined) throw notFound(path);
    return onDisk;
  }

  async #missing(path: VaultPath): Promise<VaultError> {
    if ((await this.#kind(path)) !== 'folder') return notFound(path);
    return new VaultError('is_a_folder', `"${path}" is a folder.`, { details: { path } });
  }

  /** Fails unless a file may come to lie at a path; `from` is what is to move there. */
  async #checkFree(path: VaultPath, from?: VaultPath): Promise<void> {
    if (this.files.onDisk(path) === undefined) throw placeOfAnother(path, 'a folder');
    const kind = isRespelled(path, from) ? await this.#listed(path) : await this.#kind(path);
    if (kind === undefined) return this.#checkFolder(folderOf(path));
    throw new VaultError('already_exists', `There is already a ${kind} "${path}".`, {
      details: { path },
    });
  }

  /** What is at a path in exactly this spelling, where the disk may not tell spellings apart. */
  async #listed(path: VaultPath): Promise<'file' | 'folder' | undefined> {
    if (this.files.files.has(path)) return 'file';
    const onDisk = this.#notVacated(path);
    if (onDisk === undefined) return undefined;
    const entries = (await this.vault.vault.parts.disk.list(folderOf(onDisk))) ?? [];
    return entries.find(({ name }) => name === fileNameOf(onDisk))?.kind;
  }

  /** Fails when a file is where a folder would have to be. */
  async #checkFolder(folder: VaultFolder): Promise<void> {
    for (let at = folder; at !== ''; at = folderOf(at)) {
      const kind = await this.#kind(at);
      if (kind === 'folder') return;
      if (kind === undefined) continue;
      throw new VaultError('not_a_folder', `"${at}" is a file, not a folder.`, {
        details: { path: at },
      });
    }
  }

  /** The path on disk that answers for a path; undefined when nothing is there any more. */
  #notVacated(path: VaultPath): VaultPath | undefined {
    const onDisk = this.files.onDisk(path);
    return onDisk === undefined || this.files.isVacated(onDisk) ? undefined : onDisk;
  }

  /** What a caller may not see it may not change; a rename may have to change more than it names. */
  #checkMayWrite(path: VaultPath, options: { hidden?: boolean } = {}): void {
    if (isHidden(path) && !this.vault.raw) {
      if (options.hidden === true && isWritableDotFile(path)) return;
      throw new VaultError(
        'forbidden',
        `"${path}" has a name that begins with a dot: such files are not changed.`,
      );
    }
    if (this.vault.sees(path)) return;
    throw outOfSight();
  }

  #setContent(file: DraftFile, path: VaultPath, bytes: Uint8Array): void {
    checkNoteSize(path, bytes);
    const after = this.#content(bytes);
    if (file.found?.version === after.version && file.origin !== undefined) delete file.after;
    else file.after = after;
  }

  #content(bytes: Uint8Array): NewContent {
    return { bytes, version: this.vault.vault.parts.hash.version(bytes) };
  }
}

/** What would lie where something was that the change takes away can only come after it. */
function placeOfAnother(path: VaultPath, what: 'a file' | 'a folder'): VaultError {
  return new VaultError(
    'invalid_input',
    `"${path}" is in the place of ${what} that the same change takes away; make it a change of its own.`,
    { details: { path } },
  );
}

/** Whether two paths are spellings of one name in one folder. */
function isRespelled(path: VaultPath, from: VaultPath | undefined): boolean {
  return from !== undefined && folderOf(path) === folderOf(from) && pathKey(path) === pathKey(from);
}

const noStat = { size: 0, mtimeMs: 0, birthMs: 0, stamp: '', present: true };
