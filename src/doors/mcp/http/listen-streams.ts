import { randomUUID } from 'node:crypto';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { limits } from '../../../base/limits.ts';
import { toVaultError } from '../../../base/vault-error.ts';
import { createMcpServer } from '../server/create-mcp-server.ts';
import { ResourceSubscriptions } from '../server/resource-subscriptions.ts';
import {
  type HttpParts,
  logProtocolFault,
  type Owner,
  ownerOf,
  requestConnection,
  type ServedVisitor,
} from './http-parts.ts';
import { refuseForNow } from './http-refusal.ts';
import type { Guest, TokenWatch } from './token-watch.ts';
import { isEventStream, watchBody } from './watch-body.ts';

type Json = Readonly<Record<string, unknown>>;

/** One open stream. */
interface ListenStream extends Guest {
  readonly owner: Owner;
  readonly handler: McpHttpHandler;
  /** Subscribes to a resource; fails with a `VaultError` if the visitor may not see it. */
  readonly subscribe: (uri: string) => Promise<void>;
  /** Whether `end` was called: the server is stopping, or the token is not valid any more. */
  readonly isEnded: () => boolean;
  /** Frees what the stream holds, when its client has left or the stream has ended. */
  readonly left: () => void;
}

/** The streams of `subscriptions/listen`, on which clients of 2026-07-28 are told of changes. */
export class ListenStreams {
  readonly #parts: HttpParts;
  readonly #watch: TokenWatch;
  /** The oldest first. */
  readonly #open = new Set<ListenStream>();

  constructor(parts: HttpParts, watch: TokenWatch) {
    this.#parts = parts;
    this.#watch = watch;
  }

  /**
   * Answers with a stream that lasts until its client leaves or its token is not valid any more.
   * Resources that the visitor may not see are left out of the request before the SDK gets it, so
   * that the SDK acknowledges only the others.
   */
  async serve(request: Request, visitor: ServedVisitor, message: Json): Promise<Response> {
    const owner = ownerOf(visitor, this.#parts.limits);
    this.#makeRoom(owner);
    if (this.#open.size >= this.#parts.limits.sessionsMax) {
      return refuseForNow('Too many clients listen; try again later.');
    }
    const stream = this.#begin(visitor, owner);
    try {
      const allowed = await this.#subscribeTo(message, stream);
      const response = stream.isEnded()
        ? refuseForNow('The server is stopping, or the token is no longer valid.')
        : await stream.handler.fetch(request, { parsedBody: allowed });
      if (isEventStream(response)) {
        return watchBody(response, { signal: request.signal, onEnd: stream.left });
      }
      stream.left();
      return response;
    } catch (error) {
      stream.left();
      throw error;
    }
  }

  /** Ends all streams, and tells their clients. */
  close(): void {
    for (const guest of this.#open) guest.end();
  }

  /** Ends the oldest stream of an owner who has too many. */
  #makeRoom({ id, sessionsMax }: Owner): void {
    const own = [...this.#open].filter(({ owner }) => owner.id === id);
    const [oldest] = own;
    if (oldest === undefined || own.length < sessionsMax) return;
    this.#open.delete(oldest); // Now: the stream ends only when its client reads on.
    oldest.end();
  }

  #begin(visitor: ServedVisitor, owner: Owner): ListenStream {
    const parts = this.#parts;
    const { token, scopes, service } = visitor;
    const listener = randomUUID();
    const leaving = new AbortController();
    const { signal } = leaving;
    const connection = requestConnection(parts, visitor, { signal, bigAnswer: (work) => work() });
    // Each stream has a handler of its own, because a handler notifies all of its streams.
    const handler = createMcpHandler(() => createMcpServer(connection), {
      legacy: 'reject',
      keepAliveMs: limits.httpKeepAliveMs,
      onerror: logProtocolFault(parts),
    });
    const deadlineMs = parts.deadlineMs();
    const subscriptions = new ResourceSubscriptions({
      service,
      caller: { door: 'mcp-http', connection: listener, scopes, signal, deadlineMs },
      notify: (uri) => handler.notify.resourceUpdated(uri),
    });
    let isEnded = false;
    const stream: ListenStream = {
      token,
      folders: scopes.folders,
      owner,
      handler,
      subscribe: (uri) => subscriptions.add(listener, uri),
      isEnded: () => isEnded,
      end: () => {
        isEnded = true;
        handler.close().catch(logProtocolFault(parts));
      },
      left: () => {
        this.#open.delete(stream);
        this.#watch.remove(stream);
        leaving.abort();
        subscriptions.close();
        service.disconnected(listener);
      },
    };
    this.#open.add(stream);
    this.#watch.add(stream);
    return stream;
  }

  /**
   * Subscribes to the resources in a request, and answers the request without those that failed.
   */
  async #subscribeTo(message: Json, { subscribe }: ListenStream): Promise<Json> {
    const params = message['params'] as Json | undefined;
    const filter = params?.['notifications'] as Json | null | undefined;
    const uris = filter?.['resourceSubscriptions'];
    // The SDK refuses a malformed request.
    if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) return message;
    const wanted = [...new Set<string>(uris)].slice(0, limits.subscriptionsMax);
    const subscribed = await Promise.all(
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
    const notifications = { ...filter, resourceSubscriptions: subscribed.flat() };
    return { ...message, params: { ...params, notifications } };
  }
}
