import type { OrderedCall } from './call-order.ts';
import type { Params } from './call-params.ts';
import type { RemoteRequest } from './read-request.ts';
import { touchedPaths } from './touched-paths.ts';

const touchesNothing: ReadonlySet<string> = new Set(['fs.watch', 'fs.unwatch']);

/** A request that has its turn to wait for. */
export class RemoteCall implements OrderedCall {
  readonly id: string | undefined;
  readonly method: string;
  readonly params: Params;
  readonly kind: OrderedCall['kind'];
  readonly cid: string | undefined;
  /** What is held of the message as long as the call is not over. */
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

  /** Made when it is asked for: most reads never wait. */
  get paths(): readonly string[] {
    this.#paths ??= touchesNothing.has(this.method) ? [] : touchedPaths(this.params);
    return this.#paths;
  }
}
