import { clusterLimits } from '../../base/door-limits.ts';
import type { Logger } from '../../base/logger.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';
import { joinNodes, type NodeLease, type NodeRun } from '../../postgres/nodes/node-lease.ts';

interface ClusterNodeParts {
  readonly postgres: Postgres;
  readonly node: string;
  /** Where other nodes reach this one. */
  readonly address: string;
  readonly version: string;
  readonly logger: Logger;
  readonly leaseMs: number;
  /** Whether this node only reads. */
  readonly readOnly: boolean;
  /** How many vaults are open here. */
  readonly awake: () => number;
  /** Called after each renewal. */
  readonly onRenewed: () => Promise<void>;
  /** Called when this run of the node owns nothing any more, before it joins again. */
  readonly onReplaced: () => Promise<void>;
}

/** Time that never jumps. */
const steady = { nowMs: () => performance.now() };

/**
 * This node in the cluster: says again and again that it is alive, and knows whether it may begin
 * changes. When another process has joined under its name, it gives up its vaults and joins anew.
 */
export class ClusterNode {
  readonly #parts: ClusterNodeParts;
  #lease: NodeLease;
  #drains = false;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  /** When PostgreSQL has last answered a renewal. */
  #answeredMs = steady.nowMs();
  #isDown = false;
  #hasLeft = false;

  private constructor(parts: ClusterNodeParts, lease: NodeLease) {
    this.#parts = parts;
    this.#lease = lease;
  }

  /** Joins the cluster and goes on renewing until `leave`. */
  static async join(parts: ClusterNodeParts): Promise<ClusterNode> {
    const node = new ClusterNode(parts, await joinNodes({ ...parts, steady }));
    node.#renewLater();
    return node;
  }

  /** The name and the number of this run. */
  get run(): NodeRun {
    const { node, incarnation } = this.#lease;
    return { node, incarnation };
  }

  get isDraining(): boolean {
    return this.#drains || this.#lease.drains();
  }

  /** Whether PostgreSQL has answered the last renewal. */
  get hasPostgres(): boolean {
    return !this.#isDown;
  }

  /** How long ago PostgreSQL has last answered a renewal. */
  get leaseAgeMs(): number {
    return steady.nowMs() - this.#answeredMs;
  }

  /** Whether PostgreSQL has been away for so long that nothing is served any more. */
  get isOutOfGrace(): boolean {
    return this.#isDown && this.leaseAgeMs > clusterLimits.graceMs;
  }

  /** Fails with `unavailable` unless changes may be begun now. */
  checkHeld(): void {
    if (!this.#isDown && this.#lease.isHeld()) return;
    throw new VaultError(
      'unavailable',
      'The database of the cluster does not answer this machine, so nothing can be written; nothing was changed. Try again.',
      {
        details: {
          retryAfterMs: clusterLimits.retryAfterMs,
          // After a pause of this machine: the next renewal shows whether it still owns the vault.
          ...(this.#isDown ? {} : { moved: true }),
        },
      },
    );
  }

  /** Tells the others that this node is about to end. */
  async drain(): Promise<void> {
    this.#drains = true;
    await this.#renew().catch(() => undefined);
  }

  /** Ends the lease and gives up what is still owned. */
  async leave(): Promise<void> {
    this.#hasLeft = true;
    clearTimeout(this.#timer);
    await this.#renewing?.catch(() => undefined);
    await this.#lease.leave();
  }

  #renewLater(): void {
    if (this.#hasLeft) return;
    const everyMs = Math.min(clusterLimits.renewMs, this.#parts.leaseMs / 5);
    this.#timer = setTimeout(() => {
      this.#renewing = this.#renew().finally(() => this.#renewLater());
      this.#renewing.catch(() => undefined);
    }, everyMs);
  }

  async #renew(): Promise<void> {
    const { awake, onRenewed, leaseMs, logger } = this.#parts;
    const renewal = this.#lease.renew({ awake: awake(), drains: this.#drains });
    renewal.catch(() => undefined);
    try {
      const isOurs = await inTime(renewal, leaseMs);
      this.#answeredMs = steady.nowMs();
      if (this.#isDown) logger.log('info', 'postgres answers again');
      this.#isDown = false;
      if (!isOurs) await this.#joinAgain();
    } catch (error) {
      if (!this.#isDown) logger.log('warn', 'postgres away', { code: toVaultError(error).code });
      this.#isDown = true;
      return;
    }
    await onRenewed().catch(() => undefined); // The next renewal does it again.
  }

  async #joinAgain(): Promise<void> {
    const { logger, onReplaced } = this.#parts;
    logger.log('warn', 'another node has this name', { node: this.#lease.node });
    await onReplaced();
    this.#lease = await joinNodes({ ...this.#parts, steady });
  }
}

/** Fails when the work takes longer. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new VaultError('unavailable', 'PostgreSQL is too slow.')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
