import { clusterLimits } from '../../base/door-limits.ts';
import type { Logger } from '../../base/logger.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';
import { joinNodes, type NodeLease, type NodeRun } from '../../postgres/nodes/node-lease.ts';

interface ClusterNodeParts {
  readonly postgres: Postgres;
  /** A connection for renewals alone, which gives up early: see `renewalLimits`. */
  readonly renewals: Postgres;
  readonly node: string;
  /** Where other nodes reach this one. */
  readonly address: string;
  readonly version: string;
  readonly logger: Logger;
  readonly leaseMs: number;
  /** How long reading goes on while PostgreSQL is away. */
  readonly graceMs: number;
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
 * How the connection for renewals is opened. It gives up after a part of the lease: where packets vanish
 * without an error, the node notices that before the others may take its vaults.
 */
export function renewalLimits(leaseMs: number) {
  const waitMs = leaseMs * clusterLimits.renewWaitPart;
  return { connectionsMax: 1, connectMs: waitMs, queryMs: waitMs };
}

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
    const join = () => joinNodes(leaseParts(parts));
    // The connection for renewals gives up early; the first answer on a busy machine may take longer.
    const node = new ClusterNode(parts, await join().catch(join).catch(join));
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
    return this.#isDown && this.leaseAgeMs > this.#parts.graceMs;
  }

  /**
   * Fails with `unavailable` unless changes may be begun now. It is not known then whether this node still
   * owns its vaults (`details.moved`): another node that has passed the call on asks for the owner.
   */
  checkHeld(): void {
    if (!this.#isDown && this.#lease.isHeld()) return;
    throw new VaultError(
      'unavailable',
      'The database of the cluster does not answer this machine, so nothing can be written; nothing was changed by this attempt. Try again.',
      { details: { moved: true, retryAfterMs: clusterLimits.retryAfterMs } },
    );
  }

  /**
   * Runs a question to PostgreSQL before a change is begun. If there is no answer, PostgreSQL counts as
   * away until the next renewal, and this fails as `checkHeld` does.
   */
  async beforeChange<T>(question: () => Promise<T>): Promise<T> {
    this.checkHeld();
    try {
      return await question();
    } catch (error) {
      if (toVaultError(error).code !== 'unavailable') throw error;
      this.#lostPostgres(error);
      this.checkHeld();
      throw error;
    }
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
    const { awake, onRenewed, postgres, logger } = this.#parts;
    try {
      const renew = () => this.#lease.renew({ awake: awake(), drains: this.#drains });
      // Twice: a process that was stopped meanwhile has waited too long although PostgreSQL has answered.
      const isOurs = await renew().catch(renew);
      this.#answeredMs = steady.nowMs();
      if (this.#isDown) logger.log('info', 'postgres answers again');
      this.#isDown = false;
      if (!isOurs) await this.#joinAgain();
    } catch (error) {
      this.#lostPostgres(error);
      // What is under way cannot be waited for: it may have been sent to a PostgreSQL that is silent.
      if (!this.#lease.isHeld()) postgres.drop();
      return;
    }
    await onRenewed().catch(() => undefined); // The next renewal does it again.
  }

  #lostPostgres(error: unknown): void {
    const { code } = toVaultError(error);
    if (!this.#isDown) this.#parts.logger.log('warn', 'postgres away', { code });
    this.#isDown = true;
  }

  async #joinAgain(): Promise<void> {
    const { logger, onReplaced } = this.#parts;
    logger.log('warn', 'another node has this name', { node: this.#lease.node });
    await onReplaced();
    this.#lease = await joinNodes(leaseParts(this.#parts));
  }
}

function leaseParts(parts: ClusterNodeParts): Parameters<typeof joinNodes>[0] {
  return { ...parts, postgres: parts.renewals, steady };
}
