import type { OrderedCall } from './call-order.ts';
import { type Params, touchedPaths } from './call-params.ts';
import type { RemoteRequest } from './read-request.ts';

const touchesNothing: ReadonlySet<string> = new Set(['fs.watch', 'fs.unwatch']);

/** A call that runs or waits until it may run. */
export class RemoteCall implements OrderedCall {
  readonly id: string | undefined;
  readonly method: string;
  readonly params: Params;
  readonly kind: OrderedCall['kind'];
  readonly cid: string | undefined;
  /** The length of the message, which is held in memory until the call has ended. */
  readonly bytes: number;
  #paths: readonly string[] | undefined;

  constructor(
    { id, method, cid }: RemoteRequest,
    parts: { readonly params: Params; readonly kind: OrderedCall['kind']; readonly bytes: number },
  ) {
    this.id = id;
    this.method = method;
    this.cid = cid;
    this.params = parts.params;
    this.kind = parts.kind;
    this.bytes = parts.bytes;
  }

  /** Computed only when needed: most reads never wait for another call. */
  get paths(): readonly string[] {
    this.#paths ??= touchesNothing.has(this.method) ? [] : touchedPaths(this.params);
    return this.#paths;
  }
}
