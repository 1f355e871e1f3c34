import type { Visitor } from '../base/caller.ts';

/** What is known of a request before its body is read. */
export interface RequestHead {
  readonly method: string;
  /** The path of the request's URL, without the query. */
  readonly path: string;
  readonly headers: Headers;
  /** The IP address at the other end of the connection, which may be a proxy. */
  readonly address: string;
}

/** Why a request is not served. Each door puts it into the format of its protocol. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a door must provide so that `listenHttp` can serve it. */
export interface HttpHandler {
  /**
   * Decides about a request before its body is read. A Visitor lets the request in. A Response
   * refuses it: the response is sent, and the connection is closed.
   */
  readonly admit: (head: RequestHead) => Promise<Response | Visitor> | Response | Visitor;
  /** The largest body that this request may have; 0 for none. */
  readonly bodyBytesMax: (head: RequestHead) => number | Promise<number>;
  /**
   * Serves a request. If it throws, the client gets a 500 without details, and the log gets them.
   */
  readonly handle: (request: Request, visitor: Visitor) => Promise<Response>;
  /**
   * Puts a refusal by the listener itself (413, 408, 431, 503 …) into the format of this door. `path`
   * is that of the request; absent when the request has not come so far.
   */
  readonly refuse: (refusal: Refusal, path?: string) => Response;
}
