import { connect, type Socket } from 'node:net';
import { allScopes } from '../../src/base/caller.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { HttpHandler } from '../../src/net/http-handler.ts';
import { type HttpListener, listenHttp } from '../../src/net/http-listener.ts';

/** A listener on a free port, with a log that can be looked at. */
export interface TestListener extends HttpListener {
  readonly log: readonly string[];
}

/** Listens with a handler that lets everybody in and repeats what it was sent, unless told otherwise. */
export async function listenForTest(
  options: {
    readonly handler?: Partial<HttpHandler>;
    readonly limits?: NonNullable<Parameters<typeof listenHttp>[0]['limits']>;
    readonly host?: string;
  } = {},
): Promise<TestListener> {
  const log: string[] = [];
  const logger: Logger = { log: (level, event) => log.push(`${level} ${event}`) };
  const handler: HttpHandler = {
    admit: ({ address }) => ({ scopes: allScopes, address }),
    bodyBytesMax: () => 1_000,
    handle: async (request) =>
      new Response(`${request.method} ${request.url} ${await request.text()}`),
    refuse: ({ status, message, headers }) =>
      new Response(`refused: ${message}`, { status, headers: { ...headers } }),
    ...options.handler,
  };
  const listener = await listenHttp({
    host: options.host ?? '127.0.0.1',
    port: 0,
    handler,
    logger,
    ...(options.limits && { limits: options.limits }),
  });
  return Object.assign(listener, { log });
}

/** A client that sends bytes as they are and keeps what comes back. */
export class RawClient {
  readonly socket: Socket;
  received = '';
  /** How the connection ended: by a close, or by a reset. */
  readonly ended: Promise<'closed' | 'reset'>;

  /** `staysOpen`: it does not close its side when the server has closed the other. */
  constructor(
    { host, port }: { readonly host: string; readonly port: number },
    options: { readonly staysOpen?: boolean } = {},
  ) {
    this.socket = connect({ host, port, allowHalfOpen: options.staysOpen ?? false });
    this.socket.setEncoding('latin1');
    this.socket.on('data', (text: string) => {
      this.received += text;
    });
    this.ended = new Promise((resolve) => {
      this.socket.once('error', () => resolve('reset'));
      this.socket.once('close', () => resolve('closed'));
    });
  }

  send(text: string): this {
    this.socket.write(text, 'latin1');
    return this;
  }

  /** Waits until something that was received matches. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.received)) {
      if (this.socket.destroyed) throw new Error(`closed after ${JSON.stringify(this.received)}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return this.received;
  }

  /** All that is received until the server closes the connection. */
  async all(): Promise<string> {
    await this.ended;
    return this.received;
  }

  leave(): void {
    this.socket.destroy();
  }
}
