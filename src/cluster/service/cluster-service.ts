import { createHash, randomUUID } from 'node:crypto';
import type { Caller, Right } from '../../base/caller.ts';
import { clusterLimits } from '../../base/door-limits.ts';
import { isObject } from '../../base/json.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { foldName } from '../../base/vault-path.ts';
import type { Outcome } from '../../tools/define/outcome.ts';
import type {
  CompletionRequest,
  Completions,
  ListedNote,
  ListedPrompt,
  ListedTool,
  ReadFile,
  Service,
} from '../../tools/service/service.ts';
import { type ClusterVault, isFenced, isMoved } from '../owners/cluster-vault.ts';
import type { ForwardedCall, ForwardedMethod } from '../wire/call-message.ts';
import type { CallRouter } from './call-router.ts';
import type { CallsHere } from './calls-here.ts';
import type { Metrics } from './metrics.ts';
import type { TenantLimits } from './tenant-limits.ts';

/** What all services of a node share. */
interface ClusterServiceParts {
  /** The vaults of the cluster that this service is for. */
  readonly vaults: () => readonly ClusterVault[];
  readonly router: CallRouter;
  readonly callsHere: CallsHere;
  readonly limits: TenantLimits;
  readonly metrics: Metrics;
}

/** Which tools a service has, and for which vaults it is if it is not for all. */
export type ServiceKind = Pick<ForwardedCall, 'toolsets' | 'vaults'>;

const everyRight: readonly Right[] = ['read', 'write', 'destroy', 'propose'];

/**
 * The service of a node over all vaults of the cluster. What needs a vault is carried out by the node that
 * owns it. Where there are several vaults, a request has to name one: no request opens them all.
 */
export class ClusterService implements Service {
  readonly serverName?: string;
  readonly #parts: ClusterServiceParts;
  readonly #kind: ServiceKind;
  readonly #listeners = new Set<() => void>();
  /** The service over the vaults at this node, whose tools have the names of all vaults. */
  #local: Service;

  constructor(parts: ClusterServiceParts, kind: ServiceKind, local: Service) {
    this.#parts = parts;
    this.#kind = kind;
    this.#local = local;
    if (local.serverName !== undefined) this.serverName = local.serverName;
  }

  /** The service over the vaults at this node, for the calls that other nodes pass on. */
  get local(): Service {
    return this.#local;
  }

  /** Takes a service over other vaults, after the registry has changed. */
  replaceLocal(local: Service): void {
    this.#local = local;
    for (const listener of this.#listeners) listener();
  }

  get vaults(): readonly string[] {
    return this.#local.vaults;
  }

  instructions(effects: readonly Right[]): string {
    return this.#local.instructions(effects);
  }

  list(effects: readonly Right[]): readonly ListedTool[] {
    return this.#local.list(effects);
  }

  has(name: string): boolean | Promise<boolean> {
    return this.#local.has(name);
  }

  insteadOf(name: string, effects: readonly Right[]): string | undefined {
    return this.#local.insteadOf(name, effects);
  }

  onToolsChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  prompts(effects: readonly Right[]): readonly ListedPrompt[] {
    return this.#local.prompts(effects);
  }

  async ready(): Promise<void> {}

  disconnected(connection: string): void {
    this.#local.disconnected(connection);
  }

  async call(name: string, args: unknown, caller: Caller): Promise<Outcome> {
    const { router, metrics } = this.#parts;
    let outcome: Outcome;
    try {
      const given = isObject(args) ? args['vault'] : undefined;
      const named = typeof given === 'string' ? given : caller.vault;
      const vault = this.#vaultOf(named ?? caller.prefers, name);
      // The local service says what is wrong with the name.
      if (vault === undefined) return await this.#local.call(name, args, caller);
      const callKey = keyOf(caller, name, args);
      const of = { ...caller, vault: vault.name, callKey };
      outcome = await this.#counted({ vault, args, caller }, bytesIn, () =>
        router.run(
          {
            vault,
            forwarded: this.#forwarded('call', [name, args]),
            here: (asked) => this.callHere(vault, { name, args }, asked),
            isMoved: hasMoved,
          },
          of,
        ),
      );
    } catch (thrown) {
      const error = toVaultError(thrown);
      outcome = { ok: false, error, content: [{ type: 'text', text: error.message }] };
    }
    const ended = outcome.ok ? 'ok' : outcome.error.code;
    metrics.count('calls_total', 'Calls by tool and outcome.', { tool: name, outcome: ended });
    return outcome;
  }

  /** Runs a tool in a vault that this node owns. The vault is closed when a write shows that it does not. */
  async callHere(
    vault: ClusterVault,
    { name, args }: { readonly name: string; readonly args: unknown },
    caller: Caller,
  ): Promise<Outcome> {
    const tool = this.#local.list(everyRight).find((each) => each.name === name);
    const kind = {
      writes: tool?.effect !== 'read',
      isStructured: tool?.outputSchema !== undefined,
    };
    const call = { service: this.#local, vault: vault.id, name, args, ...kind };
    const outcome = await this.#parts.callsHere.run(call, { ...caller, vault: vault.name });
    if (!outcome.ok && isFenced(outcome.error)) void vault.lose();
    return outcome;
  }

  async resources(caller: Caller): Promise<readonly ListedNote[]> {
    const vault = this.#vaultOf(caller.vault);
    if (vault === undefined) return [];
    return this.#ask(vault, 'resources', [], caller, (asked) => this.#local.resources(asked));
  }

  async readResource(path: string, caller: Caller): Promise<ReadFile> {
    const vault = this.#named(caller.vault);
    const read = (asked: Caller) => this.#local.readResource(path, asked);
    return this.#ask(vault, 'readResource', [path], caller, read);
  }

  async prompt(
    name: string,
    args: Readonly<Record<string, string>>,
    caller: Caller,
  ): Promise<string> {
    const vault = this.#named(args['vault'] ?? caller.vault ?? caller.prefers);
    const prompt = (asked: Caller) => this.#local.prompt(name, args, asked);
    return this.#ask(vault, 'prompt', [name, args], caller, prompt);
  }

  async complete(request: CompletionRequest, caller: Caller): Promise<Completions> {
    const given = request.of === 'prompt' ? request.given['vault'] : undefined;
    const isVault = request.of === 'prompt' && request.argument === 'vault';
    if (isVault || request.of === 'vault') return this.#local.complete(request, caller);
    const vault = this.#vaultOf(given ?? caller.vault);
    if (vault === undefined) return { values: [], total: 0 };
    const complete = (asked: Caller) => this.#local.complete(request, asked);
    return this.#ask(vault, 'complete', [request], caller, complete);
  }

  /** See `Service`. When the vault gets another owner, it reports a change: one may have been missed. */
  async subscribe(path: string, caller: Caller, onChange: () => void): Promise<() => void> {
    const vault = this.#named(caller.vault);
    const stop = new AbortController();
    const follow = (): Promise<{ readonly ended: Promise<unknown> }> =>
      new Promise((resolve, reject) => {
        let hasBegun = false;
        const onChanged = (hasChanged: boolean): void => {
          // Begun again at another owner: a change may have been missed.
          if ((hasChanged || hasBegun) && !stop.signal.aborted) onChange();
          if (!hasChanged) resolve({ ended });
          hasBegun = true;
        };
        const of = { ...caller, vault: vault.name, signal: stop.signal, deadlineMs: foreverMs };
        const forwarded = this.#forwarded('subscribe', [path]);
        const here = (asked: Caller) => this.subscribeHere({ vault, path }, asked, onChanged);
        const ended = this.#parts.router.run(
          { vault, forwarded, here, isMoved: () => false, onChanged },
          of,
        );
        ended.catch(reject);
      });
    let following = await follow();
    const goOn = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        await following.ended.catch(() => undefined);
        if (stop.signal.aborted) return;
        await new Promise((resolve) => setTimeout(resolve, clusterLimits.retryAfterMs).unref());
        following = await follow().catch(() => ({ ended: Promise.resolve() }));
        onChange();
      }
    };
    void goOn();
    return () => stop.abort();
  }

  /** Follows a file of a vault at this node until the caller leaves or the vault has another owner. */
  async subscribeHere(
    { vault, path }: { readonly vault: ClusterVault; readonly path: string },
    caller: Caller,
    onChanged: (hasChanged: boolean) => void,
  ): Promise<undefined> {
    const { epoch } = vault;
    const asked = { ...caller, deadlineMs: clusterLimits.forwardSilentMs };
    const stop = await this.#local.subscribe(path, asked, () => onChanged(true));
    onChanged(false);
    await new Promise<void>((resolve) => {
      const look = setInterval(() => {
        if (caller.signal.aborted || vault.epoch !== epoch) {
          clearInterval(look);
          resolve();
        }
      }, clusterLimits.ownerPauseMs);
    });
    stop();
    return undefined;
  }

  #ask<T>(
    vault: ClusterVault,
    method: ForwardedMethod,
    args: readonly unknown[],
    caller: Caller,
    here: (caller: Caller) => Promise<T>,
  ): Promise<T> {
    const forwarded = this.#forwarded(method, args);
    const of = { ...caller, vault: vault.name };
    const bytesOf = (answer: T): number => JSON.stringify(answer).length;
    return this.#counted({ vault, args, caller }, bytesOf, () =>
      this.#parts.router.run({ vault, forwarded, here, isMoved: () => false }, of),
    ).catch((error: unknown) => {
      throw toVaultError(error);
    });
  }

  /** Carries a request out, unless its token or its vault has too much already. */
  async #counted<T>(
    { vault, args = null, caller }: { vault: ClusterVault; args: unknown; caller: Caller },
    bytesOf: (answer: T) => number,
    run: () => Promise<T>,
  ): Promise<T> {
    const token = caller.token ?? caller.connection ?? '';
    const end = this.#parts.limits.begin({ token, vault: vault.id });
    let bytes = JSON.stringify(args).length;
    try {
      const answer = await run();
      bytes += bytesOf(answer);
      return answer;
    } finally {
      end(bytes);
    }
  }

  #forwarded(method: ForwardedMethod, args: readonly unknown[]) {
    return { ...this.#kind, method, args };
  }

  /**
   * The vault of this name, or the only one; undefined when there is no such vault. A tool that is not
   * about a vault is answered by any of them. Fails with `invalid_input` when several could be meant.
   */
  #vaultOf(name: string | undefined, tool?: string): ClusterVault | undefined {
    const all = this.#parts.vaults();
    if (name !== undefined) return all.find((vault) => foldName(vault.name) === foldName(name));
    if (all.length === 1 || tool === undefined) return all.length === 1 ? all[0] : undefined;
    const listed = this.#local.list(everyRight).find((each) => each.name === tool);
    if (listed === undefined) return undefined;
    const { properties } = listed.inputSchema;
    if (isObject(properties) && !('vault' in properties)) return all[0];
    throw severalVaults();
  }

  #named(name: string | undefined): ClusterVault {
    const vault = this.#vaultOf(name);
    if (vault !== undefined) return vault;
    if (name === undefined) throw severalVaults();
    throw new VaultError('vault_not_found', 'There is no vault of this name here.');
  }
}

const foreverMs = 2 ** 31 - 1;

/** How many bytes an answer has, with its pictures. */
function bytesIn({ content }: Outcome): number {
  const sizes = content.map((piece) => {
    const bytes = piece.type === 'text' ? piece.text : 'data' in piece && piece.data;
    return typeof bytes === 'string' ? bytes.length : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

function hasMoved(outcome: Outcome): boolean {
  return !outcome.ok && isMoved(outcome.error);
}

/**
 * By this a repeated call is known again: the same request of the same connection. A call without a
 * connection gets a new one, with which only this node repeats it.
 */
function keyOf({ connection, request, callKey }: Caller, name: string, args: unknown): string {
  if (callKey !== undefined) return callKey;
  if (connection === undefined || request === undefined) return randomUUID();
  const text = JSON.stringify([connection, request, name, args]);
  return createHash('sha256').update(text).digest('hex');
}

function severalVaults(): VaultError {
  return new VaultError('invalid_input', 'There are several vaults; name one with "vault".');
}
