import { assert } from '../../base/assert.ts';
import type { Caller, Progress } from '../../base/caller.ts';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { rethrowIfAway, VaultError } from '../../base/vault-error.ts';
import { stemOf, type VaultPath, vaultPath } from '../../base/vault-path.ts';
import { checkAllowed } from '../../engine/decide/decide.ts';
import { isOwner } from '../../engine/decide/owner-door.ts';
import { findNote } from '../../engine/notes/find-note.ts';
import type { Vault } from '../../engine/open/vault.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import { listFiles } from '../../engine/operations/list/list-files.ts';
import { readBlob } from '../../engine/operations/read/read-attachment.ts';
import { fileKind } from '../../engine/ports/file-kind.ts';
import { callerProgress } from '../../engine/ports/index-progress.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import type { FileEvent } from '../../engine/ports/raw-disk.ts';
import { ServedMemory } from '../../engine/shown/served-memory.ts';
import type { BoundVault, ToolCall } from '../../engine/vault/bound-vault.ts';
import { notFound } from '../../engine/vault/not-found.ts';
import type { NoteName } from '../../engine/vault/note-name.ts';
import { ProposedChange } from '../../engine/vault/proposed-change.ts';
import type { ServedNotes } from '../../engine/vault/served-notes.ts';
import type { AnyTool } from '../define/define-tool.ts';
import { frameContext } from '../define/frame-context.ts';
import { fsPath } from '../define/fs-path.ts';
import { type MediaContent, type Outcome, type TextContent, textsOf } from '../define/outcome.ts';
import type { Toolset } from '../define/toolset.ts';
import type { ListedNote, ReadFile } from './service.ts';
import { Subscriptions } from './subscriptions.ts';
import { ToldContexts } from './told-contexts.ts';
import { withDeadline } from './with-deadline.ts';
import { withReadLog } from './with-read-log.ts';

/** A tool and its toolset, which words the answers. */
export interface ServedTool {
  readonly tool: AnyTool;
  readonly toolset: Toolset;
}

/** The arguments of a call: as they were given, and as the tool's schema has transformed them. */
export interface CallInput {
  readonly given: Readonly<Record<string, unknown>>;
  readonly checked: Readonly<Record<string, unknown>>;
}

interface ServedVaultParts {
  readonly source: VaultSource;
  readonly timers: Timers;
  /** Whether the service has other vaults too. Answers then name their vault. */
  readonly isOneOfSeveral: boolean;
}

/**
 * One vault of a service. Binds the vault to the caller and to what the caller's connection was
 * shown, and ends every request at its deadline. Requests reject with any error; `VaultsService`
 * turns them into `VaultError`s.
 */
export class ServedVault {
  readonly name: string;
  /** Which connections have got the context (`ToolsetContext`) of this vault. */
  readonly contexts: ToldContexts;
  readonly #source: VaultSource;
  readonly #timers: Timers;
  readonly #isOneOfSeveral: boolean;
  /** What each connection was shown of notes. */
  readonly #served = new ServedMemory(limits);
  #subscriptions: Subscriptions | undefined;
  /** How many requests are running, including those that nobody waits for any more. */
  #working = 0;

  constructor({ source, timers, isOneOfSeveral }: ServedVaultParts) {
    this.name = source.name;
    this.contexts = new ToldContexts(source.clock, limits);
    this.#source = source;
    this.#timers = timers;
    this.#isOneOfSeveral = isOneOfSeveral;
  }

  /** Runs a tool. `VaultsService` has checked the arguments, and whether the caller may. */
  async call(served: ServedTool, input: CallInput, caller: Caller): Promise<Outcome> {
    const { tool, toolset } = served;
    const options = { writes: tool.effect !== 'read', call: callOf(served, input) };
    let outcome: Answer;
    try {
      const answer = await this.#work(caller, options, (vault) => tool.run(vault, input.checked));
      outcome = answerOf(served, this.#withName(tool, answer));
    } catch (error) {
      if (!(error instanceof ProposedChange)) throw error;
      outcome = proposedAnswer(toolset, this.#withName(tool, proposedValue(error, toolset)));
    }
    return { ...outcome, content: await this.#withContext(outcome.content, toolset, caller) };
  }

  /**
   * Runs a request that is not a tool call and changes nothing. `asked` is what it is called in the
   * log of what was read.
   */
  async ask<T>(caller: Caller, run: (vault: BoundVault) => Promise<T>, asked = ''): Promise<T> {
    checkAllowed(caller, { effect: 'read' });
    return this.#work(caller, { writes: false, asked }, run);
  }

  /** The file that a name means in this vault; see `findNote`. */
  find(name: NoteName, caller: Caller): Promise<VaultPath> {
    return this.ask(caller, (vault) => findNote(vault, name));
  }

  // These methods do for this vault what the methods of `Service` with their names promise.

  resources(caller: Caller): Promise<readonly ListedNote[]> {
    return this.ask(caller, async (vault) => {
      const { items } = await listFiles(vault, {
        folder: '',
        kinds: ['note'],
        sort: 'modified',
        limit: limits.resourcesMax,
        offset: 0,
      });
      return items.map(({ path, size, mtimeMs }) => ({
        ...(this.#isOneOfSeveral ? { vault: this.name } : {}),
        path,
        title: stemOf(path),
        bytes: size,
        modifiedMs: mtimeMs,
      }));
    });
  }

  readResource(path: string, caller: Caller): Promise<ReadFile> {
    const read = async (vault: BoundVault): Promise<ReadFile> => {
      const exact = vaultPath(path);
      if ((await vault.stat(exact)) === undefined) throw notFound(exact);
      if (fileKind(exact) === 'attachment') {
        const { bytes, mimeType } = await readBlob(vault, exact);
        return { path: exact, blob: vault.vault.parts.base64.encode(bytes), mimeType };
      }
      const note = await vault.readText(exact);
      vault.served?.shown(note);
      return { path: note.path, text: note.text };
    };
    return this.ask(caller, read, 'resource');
  }

  subscribe(path: string, caller: Caller, onChange: () => void): Promise<() => void> {
    return this.ask(caller, async (vault) => {
      const exact = vaultPath(path);
      // A note with a mark is followed as a path is where nothing is: both are answered the same.
      if (!vault.reaches(exact)) throw notFound(exact);
      const wasSeen = (await vault.stat(exact).catch(rethrowIfAway)) !== undefined;
      this.#subscriptions ??= new Subscriptions(vault.vault.parts, limits);
      const tell = this.#whileSeen({ path: exact, caller, wasSeen }, onChange);
      return this.#subscriptions.add(caller.connection ?? '', exact, tell);
    });
  }

  /**
   * Calls back for changes of a file that the caller may see, and when it no longer sees the file:
   * that looks like a deletion.
   */
  #whileSeen(
    at: { readonly path: VaultPath; readonly caller: Caller; readonly wasSeen: boolean },
    onChange: () => void,
  ): () => void {
    let { wasSeen } = at;
    let before = Promise.resolve();
    const tell = async (): Promise<void> => {
      const vault = await this.#admitLater(at.caller);
      const isSeen = (await vault.stat(at.path)) !== undefined;
      if (isSeen || wasSeen) onChange();
      wasSeen = isSeen;
    };
    return () => {
      before = before.then(tell).catch(() => undefined);
    };
  }

  /** The vault as a caller may see it now, after the call in which it asked to be told of changes. */
  async #admitLater(caller: Caller, call?: ToolCall): Promise<BoundVault> {
    const { signal } = new AbortController();
    return (await this.#source.open()).admit({ ...caller, signal }, call);
  }

  /**
   * See `Service.watch`. The caller must end the watch with the returned function; nothing else
   * does.
   */
  watch(
    { path, recursive }: { readonly path: string; readonly recursive: boolean },
    caller: Caller,
    onEvents: (events: readonly FileEvent[]) => void,
  ): Promise<() => void> {
    checkAllowed(caller, { effect: 'read' });
    const call = { tool: 'fs.watch', args: {}, raw: true };
    return this.#work(caller, { writes: false, call }, async (vault) => {
      const at = fsPath(path);
      const seesIn = (seen: BoundVault, path: VaultPath): boolean =>
        seen.sees(path) || seen.seesFolder(path);
      if (at !== '' && !seesIn(vault, at)) throw notFound(at);
      const { tree } = vault.vault;
      if (tree === undefined) throw notWatched();
      let isOver = false;
      let before = Promise.resolve();
      const tell = async (events: readonly FileEvent[]): Promise<void> => {
        const now = await this.#admitLater(caller, call);
        const told = events.filter(({ path }) => seesIn(now, path));
        if (told.length > 0 && !isOver) onEvents(told);
      };
      const stop = await tree.watch({ path: at, recursive }, (events) => {
        before = before.then(() => tell(events)).catch(() => undefined);
      });
      const end = (): void => {
        isOver = true;
        stop();
      };
      // Nobody waits any more for a call that was given up, so nobody would end this watch.
      if (vault.caller.signal.aborted) end();
      return end;
    });
  }

  async ready(onProgress?: (progress: Progress) => void): Promise<void> {
    const { keeper } = (await this.#source.open()).parts;
    await keeper.wait('facts', {
      waitMs: Number.POSITIVE_INFINITY,
      onProgress: (progress) => onProgress?.(callerProgress(progress)),
    });
  }

  disconnected(connection: string): void {
    this.#served.forget(connection);
    this.contexts.forget(connection);
    this.#subscriptions?.endAll(connection);
  }

  /**
   * Runs a request until its deadline, with the vault bound to the caller. Work that goes on after
   * the deadline counts as running until it ends.
   */
  #work<T>(
    caller: Caller,
    {
      writes,
      call,
      asked = call?.tool ?? '',
    }: { readonly writes: boolean; readonly call?: ToolCall; readonly asked?: string },
    run: (vault: BoundVault) => Promise<T>,
  ): Promise<T> {
    let opened: Vault | undefined;
    const isNew = (): boolean => opened?.parts.keeper.isNew ?? false;
    const options = { timers: this.#timers, writes, isNew };
    return withDeadline(caller, options, async (bound) => {
      if (this.#working >= limits.callsAtOnceMax) throw tooMuch();
      this.#working += 1;
      let end: (() => void) | undefined;
      try {
        const vault = await this.#source.open();
        opened = vault;
        const isRaw = call?.raw === true;
        end = vault.use();
        // A vault whose drive is away must fail here: index and history could still answer for it.
        // Raw tools read the files, which fails by itself.
        if (!isRaw) await vault.check();
        await vault.wake();
        const served = isRaw ? undefined : this.#servedTo(bound);
        return await withReadLog(vault, bound, asked, async (reads) =>
          run(await vault.admit(bound, call, served, reads)),
        );
      } finally {
        end?.();
        this.#working -= 1;
      }
    });
  }

  /** What a connection was shown. Undefined for the owner, who writes no notes from what was shown. */
  #servedTo(caller: Caller): ServedNotes | undefined {
    const { connection, signal } = caller;
    if (connection === undefined || isOwner(caller)) return undefined;
    const served = this.#served.forConnection(connection);
    return {
      ...served,
      shown: (note, range) => {
        // When the call is over already, the caller does not get to see what was read.
        if (!signal.aborted) served.shown(note, range);
      },
    };
  }

  /** Adds the vault's name to an answer, if there are several vaults. */
  #withName(tool: AnyTool, answer: unknown): unknown {
    if (!this.#isOneOfSeveral || tool.anyVault || !isObject(answer)) return answer;
    return { vault: this.name, ...answer };
  }

  /**
   * Adds the context of the toolset to a result, if the connection has yet to get it. Only the
   * first attempt may wait for the index.
   */
  async #withContext(
    content: Answer['content'],
    toolset: Toolset,
    caller: Caller,
  ): Promise<Answer['content']> {
    const { context } = toolset;
    if (context === undefined || caller.connection === undefined) return content;
    const beside = textsOf(content);
    const collect = async (vault: BoundVault): Promise<string | undefined> => {
      const text = await context.text(vault);
      if (text === undefined) return undefined;
      return frameContext(this.#contextOf(text), { random: vault.vault.parts.random, beside });
    };
    const soon = { ...caller, deadlineMs: limits.contextWaitMs };
    const collecting = { writes: false, asked: 'context' };
    const framed = await this.contexts.collectOnce(caller.connection, toolset, ({ isFirst }) =>
      this.#work(isFirst ? soon : { ...soon, indexWaitMs: 0 }, collecting, collect),
    );
    if (framed === undefined) return content;
    if (context.asItem) return [...content, { type: 'text', text: framed }];
    // Pictures and sounds come after the last text.
    const at = content.findLastIndex(({ type }) => type === 'text');
    const last = content[at] ?? { type: 'text', text: '' };
    assert(last.type === 'text', 'the place was that of a text');
    const glued = { ...last, text: `${last.text}\n\n---\n${framed}\n---` };
    return at === -1 ? [glued] : content.map((piece, index) => (index === at ? glued : piece));
  }

  /** The context, with the vault's name if there are several vaults. */
  #contextOf(text: string): string {
    if (!this.#isOneOfSeveral) return text;
    return `This is about the vault ${JSON.stringify(this.name)}.\n\n${text}`;
  }
}

/** The answer to a call, in the words of the tool's toolset. */
export function answerOf({ tool, toolset }: ServedTool, value: unknown): Answer {
  const content = toolset.voice.result(tool, value);
  if (toolset.structured === undefined) return { ok: true, value, content };
  assert(isObject(value), 'a structured result is an object');
  return { ok: true, value, content, structured: value };
}

type Answer = Omit<Extract<Outcome, { readonly ok: true }>, 'content'> & {
  readonly content: readonly (TextContent | MediaContent)[];
};

function tooMuch(): VaultError {
  return new VaultError(
    'busy',
    `${limits.callsAtOnceMax} calls are running in this vault, counting those that were cancelled and have not ended yet; try again in a moment.`,
    { details: { retryAfterMs: limits.busyRetryMs } },
  );
}

function notWatched(): VaultError {
  return new VaultError(
    'unavailable',
    'This vault is not watched for changes; read its files again from time to time.',
  );
}

/** What the engine needs to know of a call: to record it, to ask the owner, to make it again. */
export function callOf({ tool, toolset }: ServedTool, { given, checked }: CallInput): ToolCall {
  const kept = Object.entries(checked).filter(([name]) => tool.record.includes(name));
  const { name, settings = {} } = toolset;
  return {
    tool: tool.name,
    args: { ...Object.fromEntries(kept), ...tool.recordAlso?.(checked) },
    raw: tool.raw === true,
    effect: tool.effect,
    given: { toolset: name, settings, input: given },
  };
}

/** What a call answers whose change was kept as a proposal. */
function proposedValue({ proposal }: ProposedChange, { forProposers = [] }: Toolset): object {
  const [list] = forProposers;
  const later = list === undefined ? '' : ` ${list.name} says later what became of it.`;
  const message = `Proposed ${proposal}; the owner decides. Nothing has changed yet; do not repeat the call.${later}`;
  return { proposed: proposal, message };
}

/** The same in the words of a toolset: as JSON where its answers are structured. */
function proposedAnswer({ structured }: Toolset, value: unknown): Answer {
  assert(isObject(value), 'the answer about a proposal is an object');
  const text = structured ? JSON.stringify(value) : String(value['message']);
  return {
    ok: true,
    value,
    content: [{ type: 'text', text }],
    ...(structured && { structured: value }),
  };
}
