import { assert } from '../../base/assert.ts';
import { inParallel } from '../../base/in-parallel.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { isHidden, isInside, trashFolder, vaultPath } from '../../base/vault-path.ts';
import type { VersionStart } from '../../base/version.ts';
import { isAtVersion, isWholeVersion, shortVersion } from '../../base/version.ts';
import type { TextEdit } from '../../markdown/text/text-edit.ts';
import { applyEdits } from '../../markdown/text/text-edit.ts';
import type { ByName } from '../links/resolve-link.ts';
import { isWritableDotFile } from '../notes/bookmarks-file.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { ChangeId, TailStep } from '../ports/state-store.ts';
import { decodeText } from '../text/scan-file.ts';
import type { BoundVault, NoteText } from '../vault/bound-vault.ts';
import { checkFolderSeen, checkSeen } from '../vault/check-seen.ts';
import type { Draft } from '../vault/draft.ts';
import { notFound } from '../vault/not-found.ts';
import type { NoteName } from '../vault/note-name.ts';
import { checkNoteSize, contentOf, textOf } from './draft-content.ts';
import { DraftDisk } from './draft-disk.ts';
import type { DraftFile, NewContent } from './draft-files.ts';
import { DraftFiles } from './draft-files.ts';
import { DraftIndex } from './draft-index.ts';
import { findInDraft } from './find-in-draft.ts';
import type { FolderDrop } from './plan-change.ts';
import type { RawPlan } from './raw-plan.ts';
import { TailDraft } from './tail-draft.ts';
import { VaultRawDraft } from './vault-raw-draft.ts';

const readsAtOnce = 16;
const encoder = new TextEncoder();

/**
 * The draft of a change. Holds in memory what operations have done so far; `planChange` turns it
 * into steps. Checks that the caller may see every path that is changed. Methods without a comment
 * are those of `Draft`.
 */
export class VaultDraft implements Draft {
  readonly vault: BoundVault;
  readonly nowMs: number;
  readonly dryRun: boolean;
  readonly files = new DraftFiles();
  readonly index: DraftIndex;
  readonly #disk: DraftDisk;
  readonly warnings: string[] = [];
  /** The changes that this one takes back, if it is an undo. */
  readonly undone: ChangeId[] = [];
  readonly partlyUndone: ChangeId[] = [];
  /** Folders to be removed at the end if they are empty then. */
  readonly drops: FolderDrop[] = [];
  /** Files of moved folders, at their old and new paths: the index has to look at both. */
  readonly inMovedFolders: VaultPath[] = [];
  #raw: VaultRawDraft | undefined;
  #tail: TailDraft | undefined;
  #plannedAfter: ChangeId | undefined;
  readonly #endings: ((committed: boolean) => Promise<void>)[] = [];

  constructor(vault: BoundVault, options: { readonly dryRun: boolean }) {
    this.vault = vault;
    this.dryRun = options.dryRun;
    this.nowMs = vault.call.accepts?.plannedMs ?? vault.vault.parts.clock.nowMs();
    this.index = new DraftIndex(vault, this.files);
    this.#disk = new DraftDisk(vault, this.files);
  }

  warn(message: string): void {
    if (!this.warnings.includes(message)) this.warnings.push(message);
  }

  undoes(ids: readonly ChangeId[], partly: readonly ChangeId[] = []): void {
    this.undone.push(...ids);
    const known = new Set(ids);
    this.partlyUndone.push(...partly.filter((id) => known.has(id)));
  }

  /**
   * The newest change that this plan knows of: any later one makes it stale. Undefined when the plan
   * depends only on the files that were read.
   */
  get plannedAfter(): ChangeId | undefined {
    return this.#plannedAfter ?? this.index.latest;
  }

  async replanAfterOthers(): Promise<void> {
    this.#plannedAfter ??= this.index.latest ?? (await this.vault.vault.parts.state.latest());
  }

  onEnd(call: (committed: boolean) => Promise<void>): void {
    this.#endings.push(call);
  }

  /** Calls those who asked with `onEnd`, each once. Their failures are ignored. */
  async end(committed: boolean): Promise<void> {
    for (const call of this.#endings.splice(0)) await call(committed).catch(() => undefined);
  }

  async find(name: NoteName, options = { read: false }): Promise<VaultPath> {
    const { vault, files } = this;
    const loadNote = (path: VaultPath) => this.#disk.load(path, limits.noteBytesMax);
    const draft = { vault, files, loadNote, kind: (path: VaultPath) => this.kind(path) };
    const path = await findInDraft(draft, name, options);
    // The index, which may have named the file, need not know its newest content.
    const isMarked = vault.view().marks !== undefined && (await this.#disk.isOutOfSight(path));
    if (isMarked) throw notFound(typeof name === 'string' ? name : name.path);
    return path;
  }

  async kind(path: VaultPath): Promise<'file' | 'folder' | undefined> {
    if (isWritableDotFile(path) || path === trashFolder) return this.#disk.kind(path);
    const isSeen = { file: this.vault.sees(path), folder: this.vault.seesFolder(path) };
    if (!isSeen.file && !isSeen.folder) return undefined;
    const kind = await this.#disk.kind(path);
    if (kind === undefined || !isSeen[kind]) return undefined;
    return kind === 'file' && (await this.#disk.isOutOfSight(path)) ? undefined : kind;
  }

  async read(path: VaultPath): Promise<NoteText> {
    const file = await this.#disk.load(path, limits.noteBytesMax);
    const { bytes, version } = contentOf(file);
    file.text ??= textOf(path, bytes);
    // A file that the draft makes has no stat yet, and no operation uses it.
    const stat = file.found?.stat ?? noStat;
    return { path, text: file.text, version, stat };
  }

  async textBefore(path: VaultPath): Promise<string | undefined> {
    const { found } = await this.#disk.load(path, limits.noteBytesMax);
    return found?.bytes && decodeText(found.bytes);
  }

  readAll(paths: readonly VaultPath[]): Promise<readonly NoteText[]> {
    return inParallel(paths, readsAtOnce, (path) => this.read(path));
  }

  async readBytes(path: VaultPath, bytesMax: number) {
    return contentOf(await this.#disk.load(path, bytesMax));
  }

  async expect(path: VaultPath, given: VersionStart | undefined): Promise<void> {
    if (given === undefined) return;
    const file = await this.#disk.load(path, limits.historyContentBytesMax);
    const { version } = contentOf(file);
    // Either counts: an earlier operation of the same change may have written the file.
    const now = [file.found?.version, file.after?.version].find((each) => isAtVersion(each, given));
    if (now === undefined) {
      throw new VaultError(
        'conflict',
        `"${path}" has changed since it was read; read it again and repeat the change.`,
        { details: { path, version: shortVersion(version) } },
      );
    }
    if (isWholeVersion(given)) return;
    const kept = await this.vault.vault.parts.state.versionsFrom(given, 2);
    if (kept.every((each) => each === now)) return;
    throw new VaultError(
      'conflict',
      `History keeps two contents whose versions begin with ${given}, so these digits do not say which of them "${path}" must be at; its whole version is ${version}.`,
      { details: { path, version } },
    );
  }

  async write(path: VaultPath, text: string): Promise<void> {
    this.#checkMayWrite(path);
    if ((await this.read(path)).text === text) return;
    const file = await this.#disk.load(path, limits.noteBytesMax);
    this.#setContent(file, path, encoder.encode(text));
    file.text = text;
  }

  overwrites(path: VaultPath): void {
    const file = this.files.files.get(path);
    assert(file !== undefined, 'a file is read or written before it counts as overwritten');
    file.whole = true;
  }

  async edit(path: VaultPath, edits: readonly TextEdit[]): Promise<void> {
    if (edits.length === 0) return;
    await this.write(path, applyEdits((await this.read(path)).text, edits));
  }

  async create(
    path: VaultPath,
    content: string | Uint8Array,
    options: { dotNames?: boolean } = {},
  ): Promise<void> {
    this.#checkMayWrite(path, options);
    await this.#disk.checkFree(path);
    const bytes = typeof content === 'string' ? encoder.encode(content) : content;
    checkNoteSize(path, bytes);
    this.files.added(path, this.#content(bytes));
  }

  async put(
    path: VaultPath,
    bytes: Uint8Array,
    options: { dotNames?: boolean } = {},
  ): Promise<void> {
    if ((await this.#disk.kind(path)) === undefined) return this.create(path, bytes, options);
    this.#checkMayWrite(path, options);
    const file = await this.#disk.load(path, limits.historyContentBytesMax);
    delete file.text;
    this.#setContent(file, path, bytes);
  }

  async takeBackTail(
    path: VaultPath,
    { step, end, overwrites }: { step: TailStep; end: Uint8Array; overwrites: boolean },
  ): Promise<boolean> {
    this.#checkMayWrite(path, { dotNames: isHidden(path) });
    this.#tail ??= new TailDraft(this.vault.vault.parts);
    if (overwrites) this.#tail.overwrites();
    return this.#tail.takeBack(path, step, end);
  }

  async move(from: VaultPath, to: VaultPath, options: { dotNames?: boolean } = {}): Promise<void> {
    this.#checkMayWrite(from, { dotNames: true }); // Undo moves files out of the trash.
    this.#checkMayWrite(to, options);
    await this.#disk.look(from);
    if (to === from) return;
    await this.#disk.checkFree(to, from);
    // The trash may be emptied, so history keeps the content of a note that goes there.
    if (isInside(to, trashFolder) && fileKind(from) !== 'attachment') {
      await this.#disk.load(from, limits.historyContentBytesMax);
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
    await this.#disk.checkFree(to, from);
    this.#disk.folderTarget(to);
    for (const path of await this.filesIn(from)) {
      this.#checkMayWrite(path);
      this.inMovedFolders.push(path, vaultPath(to + path.slice(from.length)));
    }
    this.files.folderMoved(from, to);
  }

  async delete(path: VaultPath, options: { dotNames?: boolean } = {}): Promise<void> {
    this.#checkMayWrite(path, options);
    await this.#disk.load(path, limits.historyContentBytesMax);
    this.files.removed(path);
  }

  get raw(): VaultRawDraft {
    assert(this.vault.raw, 'only raw file tools use the raw draft');
    this.#raw ??= new VaultRawDraft(this);
    return this.#raw;
  }

  /** The plan of a raw file tool; undefined when none has changed anything. */
  get rawPlan(): RawPlan | undefined {
    return this.#raw?.plan;
  }

  /** The plan of an undo that changes the end of a file in place; undefined for any other change. */
  get tailPlan(): RawPlan | undefined {
    return this.#tail?.plan();
  }

  async makeFolder(path: VaultPath): Promise<void> {
    this.#checkMayWrite(path);
    checkFolderSeen(this.vault, path);
    if ((await this.#disk.kind(path)) === 'folder') return;
    await this.#disk.checkFree(path);
    this.files.folders.add(this.#disk.folderTarget(path));
  }

  movedFrom(path: VaultPath, from: VaultPath): void {
    this.files.formerly.set(path, from);
  }

  dropFolder(path: VaultPath, as: { readonly asked?: true } = {}): void {
    this.drops.push({ path, ...as });
  }

  spell(path: VaultPath): Promise<VaultPath> {
    return this.#disk.spell(path);
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

  filesWithProperty(key: string): Promise<readonly VaultPath[]> {
    return this.index.filesWithProperty(key);
  }

  basesNaming(names: readonly string[]): Promise<readonly VaultPath[]> {
    return this.index.basesNaming(names);
  }

  filesIn(folder: VaultPath): Promise<readonly VaultPath[]> {
    return this.index.filesIn(folder);
  }

  unreadable() {
    return this.index.unreadable();
  }

  /** Reads the content of a file, unless the draft has it. For `planChange`. */
  load(path: VaultPath): Promise<unknown> {
    return this.#disk.load(path, limits.historyContentBytesMax);
  }

  /**
   * Fails with `forbidden` for a path that the caller may not see, or with a dot name that may not
   * be written. Checked for every file, because a rename changes more files than the caller named.
   */
  #checkMayWrite(path: VaultPath, options: { dotNames?: boolean } = {}): void {
    if (isHidden(path) && !this.vault.raw) {
      if (options.dotNames === true && isWritableDotFile(path)) return;
      throw new VaultError(
        'forbidden',
        `"${path}" has a name that begins with a dot: such files are not changed.`,
      );
    }
    checkSeen(this.vault, path);
  }

  #setContent(file: DraftFile, path: VaultPath, bytes: Uint8Array): void {
    checkNoteSize(path, bytes);
    const after = this.#content(bytes);
    // A file that gets back the content that it has on disk is not changed.
    if (file.found?.version === after.version && file.origin !== undefined) delete file.after;
    else file.after = after;
  }

  #content(bytes: Uint8Array): NewContent {
    return { bytes, version: this.vault.vault.parts.hash.version(bytes) };
  }
}

const noStat = { size: 0, mtimeMs: 0, birthMs: 0, stamp: '', present: true };
