import { randomUUID } from 'node:crypto';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Visitor } from '../../../base/caller.ts';
import { limits } from '../../../base/limits.ts';
import { toVaultError } from '../../../base/vault-error.ts';
import { createMcpServer } from '../server/create-mcp-server.ts';
import { ResourceSubscriptions } from '../server/resource-subscriptions.ts';
import { type HttpParts, passingConnection, protocolFault } from './http-parts.ts';
import { refuseForNow } from './http-refusal.ts';
import type { Guest, TokenWatch } from './token-watch.ts';
import { isEventStream, watchBody } from './watch-body.ts';

type Json = Readonly<Record<string, unknown>>;

/** The streams of `subscriptions/listen`, in which clients of 2026-07-28 hear of changes. */
export class HttpListening {
  readonly #parts: HttpParts;
  readonly #watch: TokenWatch;
  readonly #open = new Set<Guest>();

  constructor(parts: HttpParts, watch: TokenWatch) {
    this.#parts = parts;
    this.#watch = watch;
  }

  /**
   * Opens a stream, which lasts until its client or its token goes. What the visitor may not see is
   * left out of the request: the SDK then acknowledges the rest.
   */
  async serve(request: Request, visitor: Visitor, message: Json): Promise<Response> {
    const parts = this.#parts;
    if (this.#open.size >= parts.limits.sessionsMax) {
      return refuseForNow('Too many clients listen; try again later.');
    }
    const listener = randomUUID();
    const leaving = new AbortController();
    const connection = passingConnection(parts, visitor, {
      signal: leaving.signal,
      bigAnswer: (work) => work(),
    });
    // One for each stream: what one hears, no other does.
    const handler = createMcpHandler(() => createMcpServer(connection), {
      legacy: 'reject',
      keepAliveMs: limits.httpKeepAliveMs,
      onerror: protocolFault(parts),
    });
    const subscriptions = new ResourceSubscriptions({
      service: parts.service,
      caller: {
        door: 'mcp-http',
        connection: listener,
        scopes: visitor.scopes,
        signal: leaving.signal,
        deadlineMs: parts.deadlineMs(),
      },
      notify: (uri) => handler.notify.resourceUpdated(uri),
    });
    let isEnded = false;
    const guest: Guest = {
      token: visitor.token,
      end: () => {
        isEnded = true;
        handler.close().catch(protocolFault(parts));
      },
    };
    this.#open.add(guest);
    this.#watch.add(guest);
    const left = (): void => {
      this.#open.delete(guest);
      this.#watch.remove(guest);
      leaving.abort();
      subscriptions.close();
      parts.service.disconnected(listener);
    };
    try {
      const heard = await this.#heard(message, (uri) => subscriptions.add(listener, uri));
      const response = isEnded
        ? refuseForNow('The server is stopping, or the token is no longer valid.')
        : await handler.fetch(request, { parsedBody: heard });
      if (!isEventStream(response)) {
        left();
        return response;
      }
      return watchBody(response, { signal: request.signal, onEnd: left });
    } catch (error) {
      left();
      throw error;
    }
  }

  /** Ends all streams; their clients are told so. */
  close(): void {
    for (const guest of this.#open) guest.end();
  }

  /** The request with those resources that there is something to hear of. */
  async #heard(message: Json, subscribe: (uri: string) => Promise<void>): Promise<Json> {
    const params = message['params'] as Json | undefined;
    const filter = params?.['notifications'] as Json | null | undefined;
    const uris = filter?.['resourceSubscriptions'];
    // What is malformed, the SDK refuses.
    if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) return message;
    const wanted = [...new Set<string>(uris)].slice(0, limits.subscriptionsMax);
    const heard = await Promise.all(
      wanted.map((uri) =>
        subscribe(uri).then(
          () => [uri],
          (error: unknown) => {
            this.#parts.logger.log('debug', 'not listening', { code: toVaultError(error).code });
            return [];
          },
        ),
      ),
    );
    const notifications = { ...filter, resourceSubscriptions: heard.flat() };
    return { ...message, params: { ...params, notifications } };
  }
}
