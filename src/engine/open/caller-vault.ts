import type { Caller } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { abortReason, isThreadDeath, rethrowIfAway, VaultError } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { isHidden } from '../../base/vault-path.ts';
import { isOwner } from '../decide/owner-door.ts';
import { doNoteWork } from '../heavy/note-work.ts';
import type { IndexWait } from '../index/index-readiness.ts';
import { lackingAbout, lackingWords, wordsAhead } from '../index/wanted-facts.ts';
import { linkSegments } from '../links/resolve-link.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { IndexPart, IndexProgress } from '../ports/index-progress.ts';
import { callerProgress, progressMessage } from '../ports/index-progress.ts';
import { type IndexStore, isIndexDamage, isIndexUnusable } from '../ports/index-store.ts';
import type { NoteWork } from '../ports/note-work.ts';
import type { FileContent } from '../ports/ports.ts';
import type { FileStat } from '../ports/records.ts';
import type { StateStore } from '../ports/state-store.ts';
import type { Marks, View } from '../ports/view.ts';
import { hiddenPath, makeSees, makeSeesFolder } from '../ports/view.ts';
import { isIgnoreFile } from '../settings/ignore-file.ts';
import { marksOf } from '../text/marks.ts';
import { decodeText } from '../text/scan-file.ts';
import type { BoundVault, LinksAsked, NoteText, ToolCall } from '../vault/bound-vault.ts';
import type { ChangeReport, Draft, Operation } from '../vault/draft.ts';
import { notFound } from '../vault/not-found.ts';
import type { ServedNotes } from '../vault/served-notes.ts';
import type { CallReads } from './call-reads.ts';
import { MarkedHistory } from './marked-history.ts';
import type { Vault } from './vault.ts';

/** A vault bound to one caller; see `BoundVault`. */
export class CallerVault implements BoundVault {
  readonly vault: Vault;
  readonly caller: Caller;
  readonly call: ToolCall;
  readonly served: ServedNotes | undefined;
  readonly raw: boolean;
  readonly #marks: Marks | undefined;
  /** Whether the folders and globs of the caller admit a path. */
  readonly #admits: (path: string) => boolean;
  /** The notes that marks hide; undefined as long as that is not known. */
  #marked: ReadonlySet<string> | undefined;
  #history: Pick<StateStore, 'changes'> | undefined;
  #seesFolder: ((folder: VaultFolder) => boolean) | undefined;
  readonly #reads: CallReads | undefined;
  /** When the call first had to wait for the index; all its waits together are one wait. */
  #waitingSinceMs: number | undefined;

  constructor(
    vault: Vault,
    caller: Caller,
    call: ToolCall = { tool: '', args: {} },
    served?: ServedNotes,
    reads?: CallReads,
  ) {
    this.vault = vault;
    this.caller = caller;
    this.call = call;
    this.served = served;
    this.#reads = reads;
    this.raw = call.raw === true;
    this.#marks = marksOf(caller.scopes);
    this.#admits = makeSees(this.view());
  }

  view(): View {
    const { folders, hide } = this.caller.scopes;
    const marks = this.#marks;
    return { folders, hide, exclude: [], ...(marks === undefined ? {} : { marks }) };
  }

  async listedView(): Promise<View> {
    const { exclude } = await this.vault.settings();
    return { ...this.view(), exclude };
  }

  sees(path: string): boolean {
    return this.reaches(path) && (this.#marks === undefined || this.#isUnmarked(path));
  }

  reaches(path: string): boolean {
    return this.#mayName(path) && this.#admits(path);
  }

  seesFile(path: string, { leadsTo }: { readonly leadsTo?: VaultPath }): boolean {
    return this.sees(path) && (leadsTo === undefined || this.sees(leadsTo));
  }

  seesFolder(folder: VaultPath): boolean {
    this.#seesFolder ??= makeSeesFolder(this.view());
    // The path may be that of a file: not every caller of this knows.
    const isHere = this.#marks === undefined || this.#isUnmarked(folder);
    return this.#mayName(folder) && isHere && this.#seesFolder(folder);
  }

  async read(path: VaultPath, options: { readonly bytesMax: number }): Promise<FileContent> {
    const content = await this.#read(path, options);
    this.hasRead(path, content.bytes);
    return content;
  }

  async isMarked(path: VaultPath, bytes?: Uint8Array): Promise<boolean> {
    const marks = this.#marks;
    if (marks === undefined || fileKind(path) !== 'note') return false;
    const content = bytes ?? (await this.#contentOf(path));
    if (content === undefined) return false;
    // A note that is too large for the index is not searched for marks.
    if (content === 'unknown' || content.length > limits.noteBytesMax) return true;
    return (await this.work('marks', decodeText(content), 'note', marks)).length > 0;
  }

  async readText(path: VaultPath, { shown } = { shown: true }): Promise<NoteText> {
    const { bytes, version, stat } = await this.#read(path, { bytesMax: limits.noteBytesMax });
    if (shown) this.hasRead(path, bytes);
    return { path, text: decodeText(bytes), version, stat };
  }

  hasRead(path: string, ...contents: readonly (string | Uint8Array | undefined)[]): void {
    this.#reads?.add(path, contents);
  }

  async change<Request extends object, Result extends object>(
    operation: Operation<Request, Result>,
    request: Request & { readonly dryRun?: boolean | undefined },
  ): Promise<Result & ChangeReport> {
    if (this.#marks !== undefined) await this.ask('facts', async () => undefined);
    const { writer } = this.vault;
    const plan = (draft: Draft): Promise<Result> => operation(draft, request);
    return request.dryRun === true ? writer.preview(this, plan) : writer.change(this, plan);
  }

  async stat(path: VaultPath): Promise<FileStat | undefined> {
    const stat = this.reaches(path) ? await this.vault.parts.disk.stat(path) : undefined;
    if (stat === undefined || (stat.leadsTo !== undefined && !this.reaches(stat.leadsTo))) {
      return undefined;
    }
    return (await this.isMarked(noteOf(path, stat.leadsTo))) ? undefined : stat;
  }

  /** Finds out which notes marks hide from the caller, if the index knows it. */
  async learnMarked(wake?: () => Promise<void>): Promise<void> {
    if (this.#marks === undefined) return;
    await wake?.(); // While the vault sleeps, the index knows nothing, and all would be hidden.
    this.#marked = await this.vault.marked.paths(this.#marks);
  }

  async ask<T>(part: IndexPart, question: (store: IndexStore) => Promise<T>): Promise<T> {
    if (!(await this.waitForIndex(part))) throw notIndexed(this.vault.parts.keeper.progress);
    return this.askNow(question);
  }

  async askLinks<T>(
    { to = [], segments = [], from = [] }: LinksAsked,
    question: (store: IndexStore) => Promise<T>,
  ): Promise<T> {
    // Which notes have a mark is known only when all are parsed.
    if (this.#marks !== undefined) return this.ask('facts', question);
    const { keeper } = this.vault.parts;
    const names = [...to.flatMap(linkSegments), ...segments];
    const about = { segments: names, paths: [...to, ...from] };
    const isKnown = await this.#waiting('facts', (wait) =>
      keeper.waitForSome('facts', lackingAbout(about), wait),
    );
    if (!isKnown) throw notIndexed(keeper.progress);
    return this.askNow(question);
  }

  async waitForWords(beginnings: readonly string[]): Promise<boolean> {
    if (this.#marks !== undefined) return this.waitForIndex('text');
    const { keeper } = this.vault.parts;
    const find = lackingWords(beginnings);
    const ahead = wordsAhead(beginnings);
    return this.#waiting('text', (wait) => keeper.waitForSome('text', find, { ...wait, ahead }));
  }

  async waitForIndex(
    asked: IndexPart,
    options: { readonly waitMs?: number; readonly filesMax?: number } = {},
  ): Promise<boolean> {
    // Names alone do not tell which notes have a mark.
    const part = this.#marks !== undefined && asked === 'names' ? 'facts' : asked;
    const { keeper } = this.vault.parts;
    const isReady = await this.#waiting(part, (wait) => keeper.wait(part, wait), options);
    if (isReady && this.#marked === undefined) await this.learnMarked();
    return isReady;
  }

  /** Waits for the index with what is left of the time that this call may wait. */
  #waiting(
    part: IndexPart,
    wait: (options: IndexWait) => Promise<boolean>,
    options: { readonly waitMs?: number; readonly filesMax?: number } = {},
  ): Promise<boolean> {
    const { signal, progress } = this.caller;
    const { keeper, clock } = this.vault.parts;
    const callMs = this.caller.indexWaitMs ?? limits.indexWaitMs;
    const waitMs = Math.min(options.waitMs ?? callMs, callMs);
    const nowMs = clock.nowMs();
    if (!keeper.isReady(part)) this.#waitingSinceMs ??= nowMs;
    return wait({
      waitMs: waitMs - (nowMs - (this.#waitingSinceMs ?? nowMs)),
      signal,
      filesMax: options.filesMax,
      onProgress: (state) => progress?.(callerProgress(state)),
    });
  }

  async work<Task extends keyof NoteWork>(
    task: Task,
    ...args: Parameters<NoteWork[Task]>
  ): Promise<ReturnType<NoteWork[Task]>> {
    const { signal } = this.caller;
    if (signal.aborted) throw abortReason(signal);
    const { worker } = this.vault.parts;
    if (worker !== undefined && charsIn(args) > limits.heavyTextChars) {
      return worker.run(task, args, signal);
    }
    return doNoteWork(task, args);
  }

  async #read(path: VaultPath, options: { readonly bytesMax: number }): Promise<FileContent> {
    if (!this.reaches(path)) throw notFound(path);
    const content = await this.vault.parts.disk.read(path, options);
    const { leadsTo } = content.stat;
    if (leadsTo !== undefined && !this.reaches(leadsTo)) throw notFound(path);
    // The content decides about marks: the index may not have looked at it yet.
    if (await this.isMarked(noteOf(path, leadsTo), content.bytes)) throw notFound(path);
    return content;
  }

  async askNow<T>(question: (store: IndexStore) => Promise<T>): Promise<T> {
    const { keeper } = this.vault.parts;
    try {
      return await keeper.ask(question);
    } catch (error) {
      if (isIndexDamage(error)) keeper.rebuild();
      else if (isIndexUnusable(error)) keeper.rebuild({ inMemory: true });
      else if (!isThreadDeath(error)) throw error; // The keeper opens it again by itself.
      // All parts but the full text, whatever the question needs: a rebuild starts from nothing.
      if (!(await this.waitForIndex('facts'))) throw notIndexed(keeper.progress);
      return question(await keeper.store());
    }
  }

  get history(): Pick<StateStore, 'changes'> {
    if (this.#marks === undefined) return this.vault.parts.state;
    this.#history ??= new MarkedHistory(this, this.vault.marked.versions(this.#marks));
    return this.#history;
  }

  /** Whether the caller may reach a path with such a name at all. */
  #mayName(path: string): boolean {
    if (!this.raw) return !isHidden(path);
    return isOwner(this.caller) || !isIgnoreFile(path);
  }

  /** Whether the index knows that no mark hides what is at a path. */
  #isUnmarked(path: string): boolean {
    if (path === hiddenPath) return false;
    return fileKind(path) !== 'note' || this.#marked?.has(path) === false;
  }

  /** What is in a file; undefined where there is none, `unknown` where it cannot be read. */
  async #contentOf(path: VaultPath): Promise<Uint8Array | 'unknown' | undefined> {
    try {
      return (await this.vault.parts.disk.read(path, { bytesMax: limits.noteBytesMax })).bytes;
    } catch (error) {
      rethrowIfAway(error);
      if (!(error instanceof VaultError)) throw error;
      return ['not_found', 'is_a_folder'].includes(error.code) ? undefined : 'unknown';
    }
  }
}

/** A caller from whom these globs hide files as well. */
export function withoutFiles(caller: Caller, globs: readonly string[]): Caller {
  if (globs.length === 0) return caller;
  const { scopes } = caller;
  return { ...caller, scopes: { ...scopes, hide: [...scopes.hide, ...globs] } };
}

/** The path by which a file is judged that a symlink leads to: whichever of both is a note. */
function noteOf(path: VaultPath, leadsTo: VaultPath | undefined): VaultPath {
  return leadsTo !== undefined && fileKind(path) !== 'note' ? leadsTo : path;
}

function notIndexed(progress: IndexProgress): VaultError {
  return new VaultError(
    'timeout',
    `The vault is still being indexed (${progressMessage(progress)}); try again in a moment.`,
    { details: { stage: progress.stage, done: progress.done, total: progress.total } },
  );
}

/** The characters or bytes of the texts among the arguments of a task, and in their fields. */
function charsIn(args: readonly unknown[]): number {
  let chars = 0;
  for (const arg of args) {
    const texts = typeof arg === 'object' && arg !== null ? Object.values(arg) : [arg];
    for (const text of texts) {
      if (typeof text === 'string' || text instanceof Uint8Array) chars += text.length;
    }
  }
  return chars;
}
