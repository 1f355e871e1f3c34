import type { Visitor } from '../base/visitor.ts';

/** What a request says before its body. */
export interface RequestHead {
  readonly method: string;
  /** The path of its address, without the query. */
  readonly path: string;
  readonly headers: Headers;
  /** The address of the peer, which may be a proxy. */
  readonly address: string;
}

/** Why a request is not served, for a door to put in its own words. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a listener needs of the doors behind it. */
export interface HttpHandler {
  /**
   * Before the body is read: a Response refuses (its answer then closes the connection), a Visitor
   * comes in.
   */
  readonly admit: (head: RequestHead) => Promise<Response | Visitor> | Response | Visitor;
  /** How much body this request may have. */
  readonly bodyBytesMax: (head: RequestHead) => number;
  /** The door. A throw is a 500 without details, told to the log. */
  readonly handle: (request: Request, visitor: Visitor) => Promise<Response>;
  /** An answer of the listener itself (413, 408, 431, 503 …) in the words of this door. */
  readonly refuse: (refusal: Refusal) => Response;
}
