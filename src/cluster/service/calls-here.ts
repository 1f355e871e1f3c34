import type { Caller } from '../../base/caller.ts';
import { clusterLimits } from '../../base/door-limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';
import { keepAnswer, type MadeCall, madeCall } from '../../postgres/state/made-calls.ts';
import type { Outcome } from '../../tools/define/outcome.ts';
import type { Service } from '../../tools/service/service.ts';
import type { ClusterNode } from '../owners/cluster-node.ts';
import { outcomeOf, wireOutcome } from '../wire/call-message.ts';

/** A call of a tool in one vault. */
interface CallHere {
  /** The service of this node alone. */
  readonly service: Service;
  readonly vault: number;
  readonly name: string;
  readonly args: unknown;
  /** Whether the tool may change something. */
  readonly writes: boolean;
  /** Whether clients expect an answer of a certain form. */
  readonly isStructured: boolean;
}

/**
 * Carries out calls at the owner of the vault. A call that comes again under the same key, because a
 * connection broke or another node repeats it, is answered with what the first one did.
 */
export class CallsHere {
  readonly #postgres: Postgres;
  readonly #node: () => ClusterNode;
  readonly #running = new Map<string, Promise<Outcome>>();

  constructor(postgres: Postgres, node: () => ClusterNode) {
    this.#postgres = postgres;
    this.#node = node;
  }

  /** Runs a call, unless it was made already. */
  async run(call: CallHere, caller: Caller): Promise<Outcome> {
    const { service, vault, name, args, writes } = call;
    const { callKey } = caller;
    if (!writes || callKey === undefined) return service.call(name, args, caller);
    const key = `${vault} ${callKey}`;
    for (;;) {
      const running = this.#running.get(key);
      if (running === undefined) break;
      const outcome = await running;
      // Whoever sent the call first has left and cancelled it; this one still waits for it.
      const isCancelled = !outcome.ok && outcome.error.code === 'cancelled';
      if (!isCancelled || caller.signal.aborted) return outcome;
    }
    const making = this.#make(call, caller, callKey).finally(() => this.#running.delete(key));
    this.#running.set(key, making);
    return making;
  }

  async #make(
    { service, vault, name, args, isStructured }: CallHere,
    caller: Caller,
    call: string,
  ): Promise<Outcome> {
    const made = await this.#node().beforeChange(() => madeCall(this.#postgres, { vault, call }));
    if (made !== undefined) return madeOutcome(made, isStructured);
    let isCommitted = false;
    const outcome = await service.call(name, args, {
      ...caller,
      onCommit: (change) => {
        isCommitted = true;
        caller.onCommit?.(change);
      },
    });
    const answer = isCommitted && outcome.ok ? JSON.stringify(wireOutcome(outcome)) : '';
    if (answer !== '' && answer.length <= clusterLimits.callAnswerBytesMax) {
      // Without it a repeated call is answered in fewer words.
      void keepAnswer(this.#postgres, { vault, call, answer }).catch(() => undefined);
    }
    return outcome;
  }
}

/** What a repeated call is answered. */
function madeOutcome({ change, isOpen, answer }: MadeCall, isStructured: boolean): Outcome {
  if (answer !== undefined) {
    return outcomeOf(JSON.parse(answer) as Parameters<typeof outcomeOf>[0]);
  }
  if (isOpen) {
    const says = `This call was interrupted. It is not known yet whether its change was made; history will show change ${change} if it was. Look before you repeat it.`;
    const error = new VaultError('unavailable', says, { details: { outcome: 'unknown' } });
    return { ok: false, error, content: [{ type: 'text', text: says }] };
  }
  const text = `This call was carried out already, as change ${change}; its answer was lost when the machine that made it stopped. Nothing was changed again.`;
  const content = [{ type: 'text', text }] as const;
  // Clients accept another form only from a call that has failed.
  if (isStructured) return { ok: false, error: new VaultError('conflict', text), content };
  return { ok: true, value: { message: text }, content };
}
