import { setTimeout as pause } from 'node:timers/promises';
import { clusterLimits } from '../../base/door-limits.ts';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import type { Vault } from '../../engine/open/vault.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import type { Clock } from '../../engine/ports/ports.ts';
import type { CommitLock } from '../../engine/ports/state-store.ts';
import { checkGatePlace } from '../../node/gate/check-gate.ts';
import { type Gate, GateTaken, openGate } from '../../node/gate/gate.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';
import { claimVault, releaseVault } from '../../postgres/nodes/claim-vault.ts';
import type { NodeRun } from '../../postgres/nodes/node-lease.ts';
import { type RegisteredVault, raiseEpoch, vaultKey } from '../../postgres/nodes/vault-registry.ts';
import type { ClusterNode } from './cluster-node.ts';
import { areFilesSettled } from './settled-files.ts';
import type { VaultFigures } from './vault-figures.ts';

/** A vault that this node owns. */
interface OwnedClaim {
  readonly epoch: number;
  /** Absent where nothing is written. */
  readonly gate?: Gate;
  readonly lock: CommitLock;
  /** Closes the vault here, because a write has shown that another node owns it. */
  readonly onFenced: () => void;
  /**
   * To be called when the answer to a write was lost, and when a write was refused because of that: before
   * its next change the vault is claimed again.
   */
  readonly onDoubt: () => void;
}

/** What a node does with all its vaults. */
export interface ClusterVaultParts {
  readonly postgres: Postgres;
  readonly node: () => ClusterNode;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where the vault is at this node. */
  readonly folderOf: (vault: RegisteredVault) => string;
  /** Fails with `unavailable` where the folder of a vault cannot be served. */
  readonly checkPlace: (vault: RegisteredVault) => Promise<void>;
  /** The folder for the gates of a vault; undefined where nothing is written. */
  readonly gateFolder: (vault: RegisteredVault) => string | undefined;
  readonly openVault: (vault: RegisteredVault, claim: OwnedClaim, figures: VaultFigures) => Vault;
  /** How long to wait before the first look at a vault that another node may have changed. */
  readonly settleMs: number;
  /** Makes room for one more open vault, or fails with `busy`. */
  readonly makeRoom: (vault: number) => Promise<void>;
  readonly figures: VaultFigures;
}

/** How long requests that still run may go on with a vault that another node owns. */
const loseWaitMs = 5_000;
const lookMs = 10;

/** That another node owns the vault, or this one may not take it. */
function notOwner(): VaultError {
  return new VaultError('unavailable', 'Another machine serves this vault now. Try again.', {
    details: { moved: true, retryAfterMs: clusterLimits.ownerPauseMs },
  });
}

/** Whether a write was refused because the vault has another owner. */
export function isFenced(error: VaultError): boolean {
  return error.details['fenced'] === true;
}

/** Whether a failure says that the vault has another owner. */
export function isMoved(error: VaultError): boolean {
  return error.details['moved'] === true || isFenced(error);
}

/**
 * A vault of the cluster at this node. It is claimed and opened when it is first asked for; asleep it is
 * closed, but stays owned. When another node has taken it over, it is closed at once.
 */
export class ClusterVault implements VaultSource {
  readonly name: string;
  readonly id: number;
  /** See `vaultKey`. */
  readonly key: string;
  readonly clock: Clock;
  readonly #registered: RegisteredVault;
  readonly #parts: ClusterVaultParts;
  #claim: OwnedClaim | undefined;
  #vault: Vault | undefined;
  #opening: Promise<Vault> | undefined;
  #closing: Promise<void> = Promise.resolve();
  #users = 0;
  #idleSinceMs: number;
  #isRecovering = false;
  /** Whether the vault is being given up: calls that have begun are finished, new ones are refused. */
  #isLeaving = false;

  constructor(registered: RegisteredVault, parts: ClusterVaultParts) {
    this.name = registered.name;
    this.id = registered.id;
    this.key = vaultKey(registered);
    this.clock = parts.clock;
    this.#registered = registered;
    this.#parts = parts;
    this.#idleSinceMs = parts.clock.nowMs();
  }

  /** The fence number with which this node serves the vault; undefined when it does not. */
  get epoch(): number | undefined {
    return this.#isLeaving ? undefined : this.#claim?.epoch;
  }

  /** Where the vault is at this node. */
  get folder(): string {
    return this.#parts.folderOf(this.#registered);
  }

  /** Whether it is open here, or being opened. */
  get isAwake(): boolean {
    return this.#vault !== undefined || this.#opening !== undefined;
  }

  get isRecovering(): boolean {
    return this.#isRecovering;
  }

  /** When the last call ended; undefined while a call runs, or while the vault is not open. */
  get idleSinceMs(): number | undefined {
    return this.#users === 0 && this.#vault !== undefined ? this.#idleSinceMs : undefined;
  }

  /** To be called when a request begins; what it returns, when the request has ended. */
  use(): () => void {
    this.#users += 1;
    return () => {
      this.#users -= 1;
      this.#idleSinceMs = this.clock.nowMs();
    };
  }

  /** See `VaultSource`. Fails with `unavailable` and `details.moved` when another node owns the vault. */
  open(): Promise<Vault> {
    return this.take();
  }

  /** Opens the vault, and claims it if need be; `dead` is an owner that refuses connections. */
  take(dead?: NodeRun): Promise<Vault> {
    const isLost = this.#vault !== undefined && this.#claim === undefined;
    if (this.#isLeaving || isLost) return Promise.reject(notOwner());
    if (this.#vault !== undefined) return Promise.resolve(this.#vault);
    this.#opening ??= this.#open(dead).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Closes the vault. This node stays its owner, so opening it again needs no claim. */
  async sleep(): Promise<void> {
    if (this.#users > 0) return;
    await this.#close();
  }

  /**
   * Closes the vault because another node owns it, or because this one has to claim it again after an
   * answer of PostgreSQL was lost.
   */
  async lose(why: 'lost' | 'in doubt' = 'lost'): Promise<void> {
    if (this.#claim === undefined) return;
    this.#parts.figures.happened(why);
    this.#claim = undefined;
    await this.#unused(loseWaitMs);
    if (this.#claim === undefined) await this.#close();
  }

  /** Closes the vault and gives it up, so that the next node can have it at once. */
  async release(): Promise<void> {
    this.#isLeaving = true;
    try {
      await this.#opening?.catch(() => undefined);
      await this.#unused(limits.shutdownMs);
      await this.#close();
      const epoch = this.#claim?.epoch;
      this.#claim = undefined;
      if (epoch === undefined) return;
      await releaseVault(this.#parts.postgres, { vault: this.id, epoch });
    } finally {
      this.#isLeaving = false;
    }
  }

  /** Resolves when no request uses the vault, or after this time. */
  async #unused(waitMs: number): Promise<void> {
    const endMs = performance.now() + waitMs;
    while (this.#users > 0 && performance.now() < endMs) await pause(lookMs);
  }

  async #open(dead: NodeRun | undefined): Promise<Vault> {
    await this.#closing;
    await this.#parts.makeRoom(this.id);
    const isNew = this.#claim === undefined;
    const claim = this.#claim ?? (await this.#take(dead));
    this.#claim = claim;
    const vault = this.#parts.openVault(this.#registered, claim, this.#parts.figures);
    try {
      if (isNew) await this.#recover(vault);
      if (this.#claim !== claim) throw notOwner();
    } catch (error) {
      await vault.close().catch(() => undefined);
      if (isMoved(toVaultError(error))) this.#claim = undefined;
      throw error;
    }
    this.#vault = vault;
    this.#idleSinceMs = this.clock.nowMs();
    return vault;
  }

  /** Claims the vault, shuts out every owner before, and waits until their files are seen here. */
  async #take(dead: NodeRun | undefined): Promise<OwnedClaim> {
    const { postgres, node, checkPlace, gateFolder, folderOf, settleMs, figures, logger } =
      this.#parts;
    const { id: vault, name } = this;
    if (node().isDraining) throw notOwner();
    node().checkHeld();
    await checkPlace(this.#registered);
    const claimed = await claimVault(postgres, {
      vault,
      ...node().run,
      ...(dead === undefined ? {} : { dead }),
    });
    if (claimed !== undefined) figures.claimed(claimed.why);
    let epoch = claimed?.epoch;
    const folder = gateFolder(this.#registered);
    for (;;) {
      if (epoch === undefined) throw notOwner();
      try {
        const gate = folder === undefined ? undefined : await openGate({ folder, epoch });
        if (gate !== undefined) figures.gatesClosed((await gate.closeOlder()).closed);
        if (gate !== undefined) await checkGatePlace(gate, folderOf(this.#registered));
        logger.log('info', 'vault claimed', { vault: name, epoch });
        await pause(settleMs);
        return this.#claimOf(epoch, gate);
      } catch (error) {
        if (!(error instanceof GateTaken)) throw error;
        // PostgreSQL was restored from a backup, or has lost its newest transactions.
        logger.log('warn', 'fence number raised', { vault: name, above: error.highest });
        epoch = await raiseEpoch(postgres, { vault, epoch, above: error.highest });
      }
    }
  }

  /** Settles what an earlier owner left open, and waits for its files if they are not seen yet. */
  async #recover(vault: Vault): Promise<void> {
    if (this.#parts.gateFolder(this.#registered) === undefined) return;
    this.#isRecovering = true;
    try {
      const recovered = await vault.writer.recover(new AbortController().signal);
      for (const { outcome } of recovered) this.#parts.figures.recovered(outcome);
      for (let waits = 0; waits < clusterLimits.settlesMax; waits++) {
        if (await areFilesSettled(vault.parts)) return;
        this.#parts.figures.happened('settle wait');
        await pause(this.#parts.settleMs);
      }
    } finally {
      this.#isRecovering = false;
    }
  }

  /** What this node has with a fence number. */
  #claimOf(epoch: number, gate: Gate | undefined): OwnedClaim {
    let isInDoubt = false;
    // A late call may still have an earlier claim: that says nothing about the one of now.
    const lose = (why?: 'in doubt'): void => {
      if (this.#claim?.epoch === epoch) void this.lose(why);
    };
    return {
      epoch,
      ...(gate === undefined ? {} : { gate }),
      // The commit lock: this node owns the vault and is within its lease. The gate shuts others out.
      lock: {
        tryTake: async () => {
          if (gate === undefined) throw readOnly();
          this.#parts.node().checkHeld();
          if (!isInDoubt) return true;
          lose('in doubt');
          throw notOwner();
        },
        release: async () => undefined,
        close: async () => undefined,
      },
      onFenced: () => {
        this.#parts.figures.happened('fenced write');
        lose();
      },
      // Reading goes on meanwhile, also while PostgreSQL is away.
      onDoubt: () => {
        if (isInDoubt && this.#parts.node().hasPostgres) lose('in doubt');
        isInDoubt = true;
      },
    };
  }

  #close(): Promise<void> {
    const vault = this.#vault;
    this.#vault = undefined;
    if (vault !== undefined) {
      this.#closing = vault.close().catch((error: unknown) => {
        const { code } = toVaultError(error);
        this.#parts.logger.log('warn', 'vault not closed well', { vault: this.name, code });
      });
    }
    return this.#closing;
  }
}

function readOnly(): VaultError {
  return new VaultError('forbidden', 'This cluster only reads (--cluster-read-only).');
}
