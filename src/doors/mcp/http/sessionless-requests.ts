import { createMcpHandler } from '@modelcontextprotocol/server';
import { limits } from '../../../base/limits.ts';
import { Semaphore } from '../../../base/semaphore.ts';
import { createMcpServer } from '../server/create-mcp-server.ts';
import type { McpConnection } from '../server/mcp-connection.ts';
import type { AnswerForm } from './answer-form.ts';
import {
  type HttpParts,
  logProtocolFault,
  requestConnection,
  type ServedVisitor,
} from './http-parts.ts';
import { HttpTransport, type Posted } from './http-transport.ts';
import { isEventStream, watchBody } from './watch-body.ts';

/**
 * Serves requests that belong to no session: all of 2026-07-28, and those of 2025 without a session
 * id.
 */
export class SessionlessRequests {
  readonly #parts: HttpParts;
  readonly #bigAnswers = new Semaphore(limits.resourceReadsMax);
  /** One for each request that runs; it aborts the request. */
  readonly #running = new Set<AbortController>();
  /** What `drained` resolves. */
  #waiting: (() => void)[] = [];

  constructor(parts: HttpParts) {
    this.#parts = parts;
  }

  /** Serves a request of 2026-07-28. It is cancelled when its client leaves. */
  serveModern(
    request: Request,
    visitor: ServedVisitor,
    asked: { readonly message: unknown; readonly form: AnswerForm },
  ): Promise<Response> {
    return this.#serve(request, visitor, async (connection) => {
      const handler = createMcpHandler(() => createMcpServer(connection), {
        legacy: 'reject',
        responseMode: asked.form === 'stream' ? 'sse' : 'auto',
        keepAliveMs: limits.httpKeepAliveMs,
        onerror: logProtocolFault(this.#parts),
      });
      const response = await handler.fetch(request, { parsedBody: asked.message });
      return { response, close: () => handler.close() };
    });
  }

  /**
   * Serves a request of the 2025 protocol. A client that leaves cannot come back for its answer.
   */
  serveLegacy(request: Request, visitor: ServedVisitor, posted: Posted): Promise<Response> {
    return this.#serve(request, visitor, async (connection) => {
      const server = createMcpServer(connection);
      const transport = new HttpTransport({ keepAliveMs: limits.httpKeepAliveMs });
      transport.onerror = logProtocolFault(this.#parts);
      await server.connect(transport);
      const response = await transport.post(request, posted);
      return { response, close: () => server.close() };
    });
  }

  /** Resolves when no request runs. */
  drained(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Aborts the requests that run; they are still answered. */
  abort(): void {
    for (const ending of this.#running) ending.abort();
  }

  async #serve(
    request: Request,
    visitor: ServedVisitor,
    serve: (
      connection: McpConnection,
    ) => Promise<{ readonly response: Response; readonly close: () => Promise<void> }>,
  ): Promise<Response> {
    const ending = new AbortController();
    this.#running.add(ending);
    try {
      const connection = requestConnection(this.#parts, visitor, {
        signal: ending.signal,
        bigAnswer: (work) => this.#bigAnswers.run(work),
      });
      const { response, close } = await serve(connection);
      const onEnd = (): void => {
        this.#ended(ending);
        close().catch(logProtocolFault(this.#parts));
      };
      if (isEventStream(response)) return watchBody(response, { signal: request.signal, onEnd });
      onEnd();
      return response;
    } catch (error) {
      this.#ended(ending);
      throw error;
    }
  }

  #ended(ending: AbortController): void {
    this.#running.delete(ending);
    if (this.#running.size > 0) return;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
