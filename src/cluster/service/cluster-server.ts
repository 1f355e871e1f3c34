import type { Caller, Scopes } from '../../base/caller.ts';
import { clusterLimits } from '../../base/door-limits.ts';
import type { Logger } from '../../base/logger.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import type { HttpHandler } from '../../net/http-handler.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';
import type { Outcome } from '../../tools/define/outcome.ts';
import type { CompletionRequest, Service } from '../../tools/service/service.ts';
import { ClusterNode } from '../owners/cluster-node.ts';
import {
  type ClusterVault,
  type ClusterVaultParts,
  isFenced,
  isMoved,
} from '../owners/cluster-vault.ts';
import { NodeVaults } from '../owners/node-vaults.ts';
import type { VaultFigures } from '../owners/vault-figures.ts';
import { callHandler } from '../wire/call-handler.ts';
import type { ForwardedCall } from '../wire/call-message.ts';
import { SignatureChecker } from '../wire/signature.ts';
import { CallRouter } from './call-router.ts';
import { CallsHere } from './calls-here.ts';
import { ClusterService, type ServiceKind } from './cluster-service.ts';
import { Metrics } from './metrics.ts';
import { TenantLimits } from './tenant-limits.ts';

/** What a node of a cluster is made of. */
interface ClusterServerParts
  extends Pick<
    ClusterVaultParts,
    'postgres' | 'clock' | 'logger' | 'folderOf' | 'gateFolder' | 'openVault' | 'settleMs'
  > {
  /** The folder of the vaults. */
  readonly root: string;
  /** The name of the node, and where the other nodes reach it. */
  readonly node: string;
  readonly address: string;
  readonly version: string;
  /** A connection for renewals alone, opened with `renewalLimits`. */
  readonly renewals: Postgres;
  readonly leaseMs: number;
  /** How long reading goes on while PostgreSQL is away. */
  readonly graceMs: number;
  /** Whether this node only reads. */
  readonly readOnly: boolean;
  readonly awakeMax: number;
  /** The first one signs, all are accepted. */
  readonly secrets: readonly [string, ...string[]];
  /** What callers may do at most. */
  readonly scopes: Scopes;
  /** What the owner may do in the console. */
  readonly consoleScopes: Scopes;
  readonly logger: Logger;
  /** Answers what the owner asks of a vault at this node: questions, proposals, and what the console shows. */
  readonly askDesk: (
    vault: VaultSource,
    args: readonly unknown[],
    owner: Caller,
  ) => Promise<unknown>;
  /** A service with these toolsets over vaults at this node. */
  readonly makeService: (
    toolsets: readonly string[],
    vaults: readonly VaultSource[],
  ) => Promise<Service>;
}

/** A running node of a cluster. */
export class ClusterServer {
  readonly metrics = new Metrics();
  readonly vaults: NodeVaults;
  readonly #parts: ClusterServerParts;
  readonly #router: CallRouter;
  readonly #callsHere: CallsHere;
  readonly #limits = new TenantLimits(() => performance.now());
  readonly #services = new Map<
    string,
    { readonly kind: ServiceKind; readonly service: Promise<ClusterService> }
  >();
  #node: ClusterNode | undefined;

  private constructor(parts: ClusterServerParts) {
    const { postgres, secrets, leaseMs } = parts;
    this.#parts = parts;
    const node = (): ClusterNode => this.node;
    this.vaults = new NodeVaults({
      ...parts,
      node,
      onChanged: () => void this.#vaultsChanged(),
      figures: vaultFigures(this.metrics),
    });
    const silentMs = Math.min(clusterLimits.forwardSilentMs, leaseMs * 0.7);
    const { metrics } = this;
    this.#router = new CallRouter({ postgres, node, secret: secrets[0], silentMs, metrics });
    this.#callsHere = new CallsHere(postgres, node);
    metrics.gauge('vaults_owned', 'How many vaults this node owns.', () => this.vaults.owned);
    metrics.gauge('vaults_awake', 'How many of them are open.', () => this.vaults.awake);
    metrics.gauge('lease_age_seconds', 'How long ago PostgreSQL has last answered.', () =>
      this.#node === undefined ? 0 : this.#node.leaseAgeMs / 1000,
    );
  }

  /** Joins the cluster. Fails with `not_found` when it has no vaults yet. */
  static async open(parts: ClusterServerParts): Promise<ClusterServer> {
    const server = new ClusterServer(parts);
    await server.vaults.refresh();
    if (server.vaults.all.length === 0) {
      throw new VaultError(
        'not_found',
        'The cluster has no vaults yet; add one with "vaultdoor cluster add <name> <path>".',
      );
    }
    server.#node = await ClusterNode.join({
      ...parts,
      awake: () => server.vaults.awake,
      onRenewed: () => server.vaults.tidy(),
      onReplaced: () => server.vaults.loseAll(),
    });
    return server;
  }

  get node(): ClusterNode {
    if (this.#node === undefined) throw new Error('The node has not joined yet.');
    return this.#node;
  }

  /** The service with these toolsets over all vaults of the cluster, or over those with these keys (`vaultKey`). */
  service(toolsets: readonly string[], vaults?: readonly string[]): Promise<ClusterService> {
    const kind = { toolsets, ...(vaults === undefined ? {} : { vaults }) };
    const key = JSON.stringify([toolsets, vaults?.toSorted()]);
    const found = this.#services.get(key);
    if (found !== undefined) return found.service;
    const service = this.#makeService(kind);
    this.#services.set(key, { kind, service });
    service.catch(() => this.#services.delete(key));
    return service;
  }

  /** Asks what only the owner may ask of a vault, at the node that has it; see `askDesk`. */
  async ask(vault: ClusterVault, args: readonly unknown[], owner: Caller): Promise<unknown> {
    const forwarded = { toolsets: [], method: 'desk' as const, args };
    const here = (asked: Caller) => this.#parts.askDesk(vault, args, asked);
    const of = { ...owner, vault: vault.name };
    try {
      return await this.#router.run({ vault, forwarded, here, isMoved: () => false }, of);
    } catch (error) {
      throw toVaultError(error);
    }
  }

  /** Handles the requests of the cluster port. */
  get handler(): HttpHandler {
    const { secrets, scopes, consoleScopes, logger, leaseMs } = this.#parts;
    return callHandler({
      signatures: new SignatureChecker(secrets, Date.now),
      logger,
      scopes,
      consoleScopes,
      aliveMs: Math.min(clusterLimits.forwardAliveMs, leaseMs / 5),
      isElsewhere: async (id) => {
        const vault = this.vaults.byId(id);
        if (vault === undefined) return true;
        return this.#router.isElsewhere(vault).catch(() => false);
      },
      serve: (call, caller, onChanged) => this.#serve(call, caller, onChanged),
      metrics: () => this.metrics.text(),
    });
  }

  /** Gives all vaults to the other nodes, after their running calls. */
  async drain(): Promise<void> {
    await this.node.drain();
    await this.vaults.releaseAll();
  }

  /** Leaves the cluster. */
  async close(): Promise<void> {
    this.metrics.close();
    await this.vaults.releaseAll();
    await this.#node?.leave();
  }

  async #makeService(kind: ServiceKind): Promise<ClusterService> {
    const { metrics } = this;
    const vaults = (): readonly ClusterVault[] => this.#vaultsOf(kind);
    const local = await this.#local(kind);
    const shared = { router: this.#router, callsHere: this.#callsHere, limits: this.#limits };
    return new ClusterService({ vaults, metrics, ...shared }, kind, local);
  }

  /** The service over the vaults at this node. */
  #local(kind: ServiceKind): Promise<Service> {
    const vaults = this.#vaultsOf(kind);
    if (vaults.length > 0) return this.#parts.makeService(kind.toolsets, vaults);
    throw new VaultError('vault_not_found', 'The vaults of this token are not in the cluster.');
  }

  #vaultsOf({ vaults: keys }: ServiceKind): readonly ClusterVault[] {
    const { all } = this.vaults;
    return keys === undefined ? all : all.filter(({ key }) => keys.includes(key));
  }

  async #vaultsChanged(): Promise<void> {
    for (const { kind, service } of this.#services.values()) {
      if (this.#vaultsOf(kind).length === 0) continue; // A service has at least one vault.
      (await service).replaceLocal(await this.#local(kind));
    }
  }

  /** Carries out what another node has passed on; undefined when this node cannot own the vault. */
  async #serve(
    call: Pick<ForwardedCall, 'vault' | 'toolsets' | 'vaults' | 'method' | 'args'>,
    caller: Caller,
    onChanged: (hasChanged: boolean) => void,
  ): Promise<{ readonly outcome: Outcome } | { readonly answer: unknown } | undefined> {
    const vault = this.vaults.byId(call.vault);
    if (vault === undefined || call.vaults?.includes(vault.key) === false) return undefined;
    const end = vault.use();
    try {
      if (call.method === 'desk') {
        await vault.take();
        return { answer: await this.#parts.askDesk(vault, call.args, caller) };
      }
      const service = await this.service(call.toolsets, call.vaults);
      await vault.take();
      if (call.method === 'subscribe') {
        const [path] = call.args as [string];
        await service.subscribeHere({ vault, path }, caller, onChanged);
        return { answer: null };
      }
      if (call.method !== 'call') return { answer: await answerOf(service.local, call, caller) };
      const [name, args] = call.args as [string, unknown];
      const outcome = await service.callHere(vault, { name, args }, caller);
      return !outcome.ok && isMoved(outcome.error) ? undefined : { outcome };
    } catch (error) {
      const failure = toVaultError(error);
      if (isFenced(failure)) void vault.lose();
      if (isMoved(failure)) return undefined;
      throw failure;
    } finally {
      end();
    }
  }
}

/** What is counted of the vaults of this node. */
function vaultFigures(metrics: Metrics): VaultFigures {
  return {
    claimed: (reason) =>
      metrics.count('claims_total', 'Vaults that this node has claimed, by reason.', { reason }),
    gatesClosed: (count) =>
      metrics.count('gates_closed_total', 'Gates of earlier owners that were closed.', {}, count),
    recovered: (outcome) =>
      metrics.count('recovered_changes_total', 'Changes of earlier owners, by outcome.', {
        outcome,
      }),
    onWritten: (seconds) => {
      metrics.count('journal_writes_total', 'Writes of the journal to PostgreSQL.');
      metrics.count('journal_seconds_total', 'How long these writes took together.', {}, seconds);
    },
    onWalk: (seconds) => {
      metrics.count('walks_total', 'Walks through vaults.');
      metrics.count('walk_seconds_total', 'How long these walks took together.', {}, seconds);
    },
    happened: (event) => metrics.count('vault_events_total', eventHelp, { event }),
  };
}

const eventHelp = 'What happened to vaults at this node.';

function answerOf(
  service: Service,
  { method, args }: Pick<ForwardedCall, 'method' | 'args'>,
  caller: Caller,
): Promise<unknown> {
  switch (method) {
    case 'resources':
      return service.resources(caller);
    case 'readResource':
      return service.readResource(args[0] as string, caller);
    case 'prompt':
      return service.prompt(args[0] as string, args[1] as Record<string, string>, caller);
    case 'complete':
      return service.complete(args[0] as CompletionRequest, caller);
    default:
      throw new VaultError('invalid_input', 'The other node asks for something unknown.');
  }
}
