import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../base/caller.ts';
import { clusterLimits } from '../../base/door-limits.ts';
import { abortReason, toVaultError, VaultError } from '../../base/vault-error.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';
import type { NodeRun } from '../../postgres/nodes/node-lease.ts';
import {
  type LivingNode,
  placeOfVault,
  type VaultPlace,
} from '../../postgres/nodes/vault-registry.ts';
import type { ClusterNode } from '../owners/cluster-node.ts';
import { type ClusterVault, isMoved } from '../owners/cluster-vault.ts';
import type { ForwardedCall } from '../wire/call-message.ts';
import { ForwardFailed, forwardCall } from '../wire/forward-call.ts';
import type { Metrics } from './metrics.ts';

/** What the router needs of its node. */
interface CallRouterParts {
  readonly postgres: Postgres;
  readonly node: () => ClusterNode;
  /** The secret that signs calls to other nodes. */
  readonly secret: string;
  /** After how long without a sign another node counts as lost. */
  readonly silentMs: number;
  readonly metrics: Metrics;
}

/** A request for one vault, and how it is carried out if this node owns the vault. */
interface RoutedCall<T> {
  readonly vault: ClusterVault;
  readonly forwarded: Pick<ForwardedCall, 'toolsets' | 'vaults' | 'method' | 'args'>;
  readonly here: (caller: Caller) => Promise<T>;
  /** Whether an answer says that the vault has another owner by now. */
  readonly isMoved: (answer: T) => boolean;
  readonly onChanged?: (hasChanged: boolean) => void;
}

/** How long a sign of another node is waited for when a call is passed on again; it gives one at once. */
const againPart = 0.4;
const forwardHelp = 'Calls that were passed on to another node, by what became of them.';

/**
 * Brings each request to the node that owns its vault: carries it out here, or passes it on. While a vault
 * has no owner the request waits, and is repeated at the next owner; by its key a change that was made
 * already is known again there.
 */
export class CallRouter {
  readonly #parts: CallRouterParts;
  /** Who owns the vaults of others, as PostgreSQL has last said. A wrong one answers so, and is then forgotten. */
  readonly #owners = new Map<number, { readonly node: LivingNode; readonly saidMs: number }>();

  constructor(parts: CallRouterParts) {
    this.#parts = parts;
  }

  /** Whether another living node owns a vault. */
  async isElsewhere(vault: ClusterVault): Promise<boolean> {
    if (vault.epoch !== undefined || vault.isAwake) return false;
    const { owner } = await this.#place(vault.id);
    return owner !== undefined && !this.#isSelf(owner);
  }

  /** Answers a request; fails with `unavailable` when the vault has no owner until the deadline. */
  async run<T>(call: RoutedCall<T>, caller: Caller): Promise<T> {
    const endMs = performance.now() + caller.deadlineMs;
    const moving = new MovingNotice(caller);
    let dead: NodeRun | undefined;
    let wasLost = false;
    for (let tries = 0; ; tries++) {
      const leftMs = endMs - performance.now();
      if (caller.signal.aborted) throw abortReason(caller.signal);
      if (leftMs <= 0) throw stillMoving();
      const asked = { ...caller, deadlineMs: Math.max(1, Math.floor(leftMs)) };
      const answer = await this.#attempt(call, asked, { dead, isAgain: tries > 0 }).catch(
        (error: unknown) => {
          // Such a failure says that nothing was changed, but an earlier attempt may have done so.
          if (wasLost && toVaultError(error).code === 'unavailable') throw stillMoving();
          throw error;
        },
      );
      if (!(answer instanceof NotHere)) {
        if (wasLost && call.isMoved(answer.value)) throw stillMoving();
        return answer.value;
      }
      wasLost ||= answer.isLost;
      if (answer.dead !== undefined) dead = answer.dead;
      this.#owners.delete(call.vault.id);
      moving.tell();
      if (tries > 0 || dead === undefined) await pause(clusterLimits.ownerPauseMs);
    }
  }

  async #attempt<T>(
    call: RoutedCall<T>,
    caller: Caller,
    { dead, isAgain }: { readonly dead: NodeRun | undefined; readonly isAgain: boolean },
  ): Promise<Answered<T> | NotHere> {
    const target = await this.#target(call.vault, dead);
    if (target === 'here') return this.#here(call, caller, dead);
    return this.#there(call, caller, { ...target, isAgain });
  }

  async #target(vault: ClusterVault, dead: NodeRun | undefined): Promise<LivingNode | 'here'> {
    if (vault.epoch !== undefined) return 'here';
    const found = this.#owners.get(vault.id);
    const known = found !== undefined && !isSameRun(found.node, dead) ? found : undefined;
    const isNew = performance.now() - (known?.saidMs ?? 0) < clusterLimits.ownerKnownMs;
    // Without PostgreSQL the last owner is asked on: it still reads.
    if (known !== undefined && (isNew || this.#isAway)) return known.node;
    if (this.#isAway) this.#parts.node().checkHeld();
    const place = await this.#placeOr(vault.id, known !== undefined);
    if (place === undefined) return known?.node ?? 'here';
    const { owner, next } = place;
    const living = owner !== undefined && !isSameRun(owner, dead) ? owner : undefined;
    const target = living ?? next;
    if (target === undefined) throw nobodyHasIt();
    // A node that refuses connections takes no vaults either.
    if (this.#isSelf(target) || isSameRun(target, dead)) return 'here';
    if (living === undefined) this.#owners.delete(vault.id);
    else this.#owners.set(vault.id, { node: living, saidMs: performance.now() });
    return target;
  }

  /** Asks where a vault is. If something is known already, it does not wait long and does not fail. */
  async #placeOr(vault: number, isKnown: boolean): Promise<VaultPlace | undefined> {
    const asked = this.#place(vault);
    if (!isKnown) return asked;
    const late = pause(clusterLimits.bookWaitMs, undefined);
    return Promise.race([asked.catch(() => undefined), late]);
  }

  async #here<T>(
    { vault, here, isMoved: hasMoved }: RoutedCall<T>,
    caller: Caller,
    dead: NodeRun | undefined,
  ): Promise<Answered<T> | NotHere> {
    const end = vault.use();
    try {
      await vault.take(dead);
      const value = await here(caller);
      if (!hasMoved(value) || this.#isAway) return { value };
    } catch (error) {
      if (!isMoved(toVaultError(error)) || this.#isAway) throw error;
    } finally {
      end();
    }
    return new NotHere();
  }

  async #there<T>(
    { vault, forwarded, onChanged }: RoutedCall<T>,
    caller: Caller,
    target: LivingNode & { readonly isAgain: boolean },
  ): Promise<Answered<T> | NotHere> {
    const { secret, metrics } = this.#parts;
    // A node that has fallen silent is asked again until its lease is over, each time for a short while.
    const silentMs = this.#parts.silentMs * (target.isAgain ? againPart : 1);
    const startMs = performance.now();
    const count = (outcome: string): void => {
      const seconds = (performance.now() - startMs) / 1000;
      metrics.count('forwarded_calls_total', forwardHelp, { outcome });
      metrics.count('forward_seconds_total', 'How long these calls took together.', {}, seconds);
    };
    try {
      const call = { ...forwarded, vault: vault.id };
      const { address } = target;
      const value = await forwardCall({ address, secret, silentMs }, call, caller, onChanged);
      count('answered');
      return { value: value as T }; // The other node answers what this one would.
    } catch (error) {
      if (!(error instanceof ForwardFailed)) throw error;
      count(error.why);
      if (error.why === 'refused') return new NotHere({ dead: target });
      return new NotHere({ isLost: error.why === 'lost' });
    }
  }

  /** Whether this node cannot find out who owns a vault. */
  get #isAway(): boolean {
    return !this.#parts.node().hasPostgres;
  }

  #place(vault: number): Promise<VaultPlace> {
    const { postgres, node } = this.#parts;
    return placeOfVault(postgres, { vault, self: node().run.node });
  }

  #isSelf(run: NodeRun): boolean {
    return isSameRun(run, this.#parts.node().run);
  }
}

interface Answered<T> {
  readonly value: T;
}

/**
 * That a node could not answer; `dead` when nothing listens there, `isLost` when it may have carried the
 * call out.
 */
class NotHere {
  readonly dead: NodeRun | undefined;
  readonly isLost: boolean;

  constructor({ dead, isLost = false }: { dead?: NodeRun; isLost?: boolean } = {}) {
    this.dead = dead;
    this.isLost = isLost;
  }
}

/** Tells a caller from time to time why its call takes longer. */
class MovingNotice {
  readonly #caller: Caller;
  #toldMs = performance.now();
  #times = 0;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  tell(): void {
    if (performance.now() - this.#toldMs < clusterLimits.movingNoticeMs) return;
    this.#toldMs = performance.now();
    this.#times += 1;
    this.#caller.progress?.({
      done: this.#times,
      message: 'The vault is moving to another machine.',
    });
  }
}

function isSameRun(run: NodeRun, other: NodeRun | undefined): boolean {
  return run.node === other?.node && run.incarnation === other.incarnation;
}

function stillMoving(): VaultError {
  return new VaultError(
    'unavailable',
    'The vault is moving to another machine, and that took longer than the call may take. It is not known whether anything was changed: look before you repeat it.',
    { details: { retryAfterMs: clusterLimits.retryAfterMs } },
  );
}

function nobodyHasIt(): VaultError {
  return new VaultError(
    'unavailable',
    'No machine can serve this vault now: the one that has its folder does not run, or all are being stopped. Nothing was changed.',
    { details: { retryAfterMs: clusterLimits.retryAfterMs } },
  );
}
