import type { Caller } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { abortReason, VaultError } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { isHidden } from '../../base/vault-path.ts';
import { doNoteWork } from '../heavy/note-work.ts';
import type { IndexPart, IndexProgress } from '../ports/index-progress.ts';
import { callerProgress, progressMessage } from '../ports/index-progress.ts';
import { type IndexStore, isIndexDamage } from '../ports/index-store.ts';
import type { NoteWork } from '../ports/note-work.ts';
import type { FileContent } from '../ports/ports.ts';
import type { FileStat } from '../ports/records.ts';
import type { View } from '../ports/view.ts';
import { makeSees, makeSeesFolder } from '../ports/view.ts';
import { decodeText } from '../text/scan-file.ts';
import type { BoundVault, NoteText, ToolCall } from '../vault/bound-vault.ts';
import type { ChangeReport, Draft, Operation } from '../vault/draft.ts';
import { notFound } from '../vault/not-found.ts';
import type { ServedNotes } from '../vault/served-notes.ts';
import type { CallReads } from './call-reads.ts';
import type { Vault } from './vault.ts';

/** A vault bound to one caller; see `BoundVault`. */
export class CallerVault implements BoundVault {
  readonly vault: Vault;
  readonly caller: Caller;
  readonly call: ToolCall;
  readonly served: ServedNotes | undefined;
  readonly raw: boolean;
  readonly #sees: (path: string) => boolean;
  #seesFolder: ((folder: VaultFolder) => boolean) | undefined;
  readonly #reads: CallReads | undefined;
  /** When the call first had to wait for the index; all its waits together are one wait. */
  #waitingSinceMs: number | undefined;

  constructor(
    vault: Vault,
    caller: Caller,
    call: ToolCall,
    served?: ServedNotes,
    reads?: CallReads,
  ) {
    this.vault = vault;
    this.caller = caller;
    this.call = call;
    this.served = served;
    this.#reads = reads;
    this.raw = call.raw === true;
    this.#sees = makeSees(this.view());
  }

  view(): View {
    const { folders, hide } = this.caller.scopes;
    return { folders, hide, exclude: [] };
  }

  async listedView(): Promise<View> {
    const { exclude } = await this.vault.settings();
    return { ...this.view(), exclude };
  }

  sees(path: string): boolean {
    return (this.raw || !isHidden(path)) && this.#sees(path);
  }

  seesFile(path: string, { leadsTo }: { readonly leadsTo?: VaultPath }): boolean {
    return this.sees(path) && (leadsTo === undefined || this.sees(leadsTo));
  }

  seesFolder(folder: VaultPath): boolean {
    this.#seesFolder ??= makeSeesFolder(this.view());
    return (this.raw || !isHidden(folder)) && this.#seesFolder(folder);
  }

  async read(path: VaultPath, options: { readonly bytesMax: number }): Promise<FileContent> {
    const content = await this.#read(path, options);
    this.hasRead(path, content.bytes);
    return content;
  }

  async readText(path: VaultPath, { shown } = { shown: true }): Promise<NoteText> {
    const { bytes, version, stat } = await this.#read(path, { bytesMax: limits.noteBytesMax });
    if (shown) this.hasRead(path, bytes);
    return { path, text: decodeText(bytes), version, stat };
  }

  hasRead(path: string, ...contents: readonly (string | Uint8Array | undefined)[]): void {
    this.#reads?.add(path, contents);
  }

  change<Request extends object, Result extends object>(
    operation: Operation<Request, Result>,
    request: Request & { readonly dryRun?: boolean | undefined },
  ): Promise<Result & ChangeReport> {
    const { writer } = this.vault;
    const plan = (draft: Draft): Promise<Result> => operation(draft, request);
    return request.dryRun === true ? writer.preview(this, plan) : writer.change(this, plan);
  }

  async stat(path: VaultPath): Promise<FileStat | undefined> {
    const stat = this.sees(path) ? await this.vault.parts.disk.stat(path) : undefined;
    return stat !== undefined && this.seesFile(path, stat) ? stat : undefined;
  }

  async ask<T>(part: IndexPart, question: (store: IndexStore) => Promise<T>): Promise<T> {
    if (!(await this.waitForIndex(part))) throw notIndexed(this.vault.parts.keeper.progress);
    return this.askNow(question);
  }

  waitForIndex(part: IndexPart, options: { readonly waitMs?: number } = {}): Promise<boolean> {
    const { signal, progress } = this.caller;
    const { keeper, clock } = this.vault.parts;
    const waitMs = options.waitMs ?? this.caller.indexWaitMs ?? limits.indexWaitMs;
    const nowMs = clock.nowMs();
    if (!keeper.isReady(part)) this.#waitingSinceMs ??= nowMs;
    return keeper.wait(part, {
      waitMs: waitMs - (nowMs - (this.#waitingSinceMs ?? nowMs)),
      signal,
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
    if (!this.sees(path)) throw notFound(path);
    const content = await this.vault.parts.disk.read(path, options);
    if (!this.seesFile(path, content.stat)) throw notFound(path);
    return content;
  }

  async askNow<T>(question: (store: IndexStore) => Promise<T>): Promise<T> {
    const { keeper } = this.vault.parts;
    try {
      return await question(await keeper.store());
    } catch (error) {
      if (!isIndexDamage(error)) throw error;
      keeper.rebuild();
      // All parts but the full text, whatever the question needs: a rebuild starts from nothing.
      if (!(await this.waitForIndex('facts'))) throw notIndexed(keeper.progress);
      return question(await keeper.store());
    }
  }
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
