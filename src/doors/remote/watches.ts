import { randomBytes } from 'node:crypto';
import type { Caller } from '../../base/caller.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Service } from '../../tools/service/service.ts';
import type { Params } from './call-params.ts';
import type { Correlations } from './correlations.ts';
import type { Outbox } from './outbox.ts';

type Watch = NonNullable<Service['watch']>;
type FileEvents = Parameters<Parameters<Watch>[2]>[0];

interface Subscription {
  readonly end: () => void;
  /** The events that came before the client knew the id; undefined once it knows. */
  held: FileEvents[number][] | undefined;
}

/** The watches (`fs.watch`) of one connection. Their events are sent as `fs.changed`. */
export class Watches {
  readonly #service: Service;
  readonly #caller: Caller;
  readonly #outbox: Outbox;
  readonly #correlations: Correlations;
  readonly #max: number;
  readonly #subscriptions = new Map<string, Subscription>();
  #isEnded = false;

  constructor(parts: {
    readonly service: Service;
    readonly caller: Caller;
    readonly outbox: Outbox;
    readonly correlations: Correlations;
    readonly max: number;
  }) {
    this.#service = parts.service;
    this.#caller = parts.caller;
    this.#outbox = parts.outbox;
    this.#correlations = parts.correlations;
    this.#max = parts.max;
  }

  /** Begins a watch and answers its id. Its events are held back until `tell` is called. */
  async open(params: Params): Promise<string> {
    const { path = '', recursive = false } = params;
    if (typeof path !== 'string') throw wrong('path', 'text');
    if (typeof recursive !== 'boolean') throw wrong('recursive', 'true or false');
    if (this.#subscriptions.size >= this.#max) {
      throw new VaultError(
        'too_large',
        `A connection may have at most ${this.#max} watches; end some with fs.unwatch.`,
      );
    }
    const id = randomBytes(12).toString('hex');
    const held: FileEvents[number][] = [];
    const end = await this.#watch({ path, recursive }, (events) => {
      const subscription = this.#subscriptions.get(id);
      if (subscription !== undefined && subscription.held === undefined) this.#send(id, events);
      else for (const event of events) held.push(event); // Not `push(...events)`: they may be too many.
    });
    if (this.#isEnded) end();
    else this.#subscriptions.set(id, { end, held });
    return id;
  }

  /** Sends the events that were held back, and all later ones: the client knows the id now. */
  tell(id: string): void {
    const subscription = this.#subscriptions.get(id);
    if (subscription?.held === undefined) return;
    this.#send(id, subscription.held);
    subscription.held = undefined;
  }

  /** Ends a watch; has no effect when this connection has no watch with that id. */
  end(params: Params): void {
    const { subscriptionId: id = '' } = params;
    if (typeof id !== 'string') throw wrong('subscriptionId', 'text');
    this.#subscriptions.get(id)?.end();
    this.#subscriptions.delete(id);
  }

  /** Ends all watches, and those that are just being opened. */
  endAll(): void {
    this.#isEnded = true;
    for (const { end } of this.#subscriptions.values()) end();
    this.#subscriptions.clear();
  }

  #watch(...[watched, onEvents]: [Parameters<Watch>[0], Parameters<Watch>[2]]) {
    if (this.#service.watch === undefined) {
      throw new VaultError('unavailable', 'The vault cannot be watched through this server.');
    }
    return this.#service.watch(watched, this.#caller, onEvents);
  }

  #send(subscriptionId: string, events: FileEvents): void {
    this.#outbox.notify(
      events.map((each) => {
        const { event, path } = each;
        const cid = this.#correlations.take(path, subscriptionId);
        const mtime = each.event === 'deleted' ? {} : { mtime: each.mtimeMs };
        return {
          jsonrpc: '2.0',
          method: 'fs.changed',
          params: { subscriptionId, path, event, ...mtime },
          ...(cid === undefined ? {} : { meta: { cid } }),
        };
      }),
    );
  }
}

function wrong(field: string, kind: string): VaultError {
  return new VaultError('invalid_input', `"${field}" must be ${kind}.`, {
    details: { fields: [field] },
  });
}
