import { randomBytes } from 'node:crypto';
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { connectionFailure } from './connection-failure.ts';

export interface BridgeWireParts {
  /** Of `bridgeUrl`. */
  readonly url: string;
  /** Sent with every request; there is none without it. */
  readonly key?: string;
  readonly timers: { after(ms: number, call: () => void): () => void };
}

/** What is asked of the server. */
export interface BridgeRequest {
  /** After `/bridge/v1`, escaped. */
  readonly path: string;
  /** It is posted; without it, it is a GET. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Who asks, for the history of the server. */
  readonly client?: string | undefined;
  readonly signal?: AbortSignal;
  readonly deadlineMs: number;
}

export interface BridgeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * HTTP to one Bridge v1 server, and nowhere else: redirects are answers like any other. Fails with
 * nothing but a `VaultError`, whose message tells a person what to do. Nothing is sent twice.
 *
 * Not `fetch`, which gives up after five minutes whatever the deadline, and refuses some ports.
 */
export class BridgeWire {
  readonly url: string;
  readonly hasKey: boolean;
  readonly #parts: BridgeWireParts;
  readonly #agent: HttpAgent;
  readonly #request: typeof httpRequest;
  readonly #session = randomBytes(16).toString('base64url');
  readonly #open = new Set<AbortController>();
  #isClosed = false;

  constructor(parts: BridgeWireParts) {
    this.url = parts.url;
    this.hasKey = parts.key !== undefined;
    this.#parts = parts;
    const isSecure = parts.url.startsWith('https:');
    const options = {
      keepAlive: true,
      timeout: limits.bridgeIdleMs,
      maxSockets: limits.bridgeConnectionsMax,
    };
    this.#agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options);
    this.#request = isSecure ? httpsRequest : httpRequest;
  }

  /** Asks, and reads the whole answer. */
  request(asked: BridgeRequest): Promise<BridgeAnswer> {
    return this.#until(asked, async ({ signal }) => {
      const response = await this.#head(asked, signal);
      const { statusCode: status = 0, headers } = response;
      return { status, headers, text: await this.#body(response) };
    });
  }

  /**
   * Reads a stream of events until it ends or falls silent; `onEvent` is called for each. Answers
   * whether the server has one there.
   */
  follow(
    path: string,
    { onOpen, onEvent }: { readonly onOpen: () => void; readonly onEvent: () => void },
  ): Promise<'ended' | 'absent'> {
    const headers = { accept: 'text/event-stream' };
    const asked = { path, headers, deadlineMs: limits.bridgeListMs };
    return this.#until(asked, async ({ signal, allow }) => {
      const response = await this.#head(asked, signal);
      const type = response.headers['content-type'] ?? '';
      if (response.statusCode !== 200 || !type.startsWith('text/event-stream')) {
        response.destroy();
        return 'absent';
      }
      onOpen();
      allow(limits.bridgeQuietMs);
      let half = '';
      for await (const chunk of response.setEncoding('utf8')) {
        allow(limits.bridgeQuietMs);
        const lines = `${half}${chunk}`.split('\n');
        // Of a line that is not complete, no more is needed than tells what it is.
        half = lines.pop()?.slice(0, 'data:'.length) ?? '';
        if (lines.some((line) => line.startsWith('data:'))) onEvent();
      }
      return 'ended';
    });
  }

  /** Ends all that is under way, and refuses what comes. */
  close(): void {
    this.#isClosed = true;
    for (const ending of this.#open) ending.abort(this.#cancelled());
    this.#agent.destroy();
  }

  /** Runs with a signal that comes with the caller's, the deadline, or the end of everything. */
  async #until<T>(
    { signal, deadlineMs }: Pick<BridgeRequest, 'signal' | 'deadlineMs'>,
    run: (parts: { signal: AbortSignal; allow: (ms: number) => void }) => Promise<T>,
  ): Promise<T> {
    const ending = new AbortController();
    const cancel = (): void => ending.abort(this.#cancelled());
    let cancelTimer: () => void = () => undefined;
    const allow = (ms: number): void => {
      cancelTimer();
      const soon = Math.min(ms, limits.callDeadlineMaxMs);
      cancelTimer = this.#parts.timers.after(soon, () => ending.abort(this.#late(soon)));
    };
    if (this.#isClosed || signal?.aborted) throw this.#cancelled();
    this.#open.add(ending);
    signal?.addEventListener('abort', cancel, { once: true });
    allow(deadlineMs);
    try {
      return await run({ signal: ending.signal, allow });
    } catch (error) {
      if (ending.signal.aborted) throw ending.signal.reason;
      throw connectionFailure(error, this.url);
    } finally {
      cancelTimer();
      signal?.removeEventListener('abort', cancel);
      this.#open.delete(ending);
    }
  }

  #head(asked: BridgeRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const { path, body, headers, client } = asked;
    return new Promise((resolve, reject) => {
      const request = this.#request(`${this.url}/bridge/v1${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        agent: this.#agent,
        signal,
        headers: {
          accept: 'application/json',
          'user-agent': userAgent(client),
          'x-vaultdoor-session': this.#session,
          ...this.#keyHeaders(),
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      });
      request.on('error', reject);
      request.on('response', resolve);
      request.end(body);
    });
  }

  async #body(response: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      if (bytes > limits.bridgeAnswerBytesMax) {
        const most = limits.bridgeAnswerBytesMax / 2 ** 20;
        const message = `The server at ${this.url} answered with more than ${most} MiB; ask for less. What was asked has been done.`;
        throw new VaultError('too_large', message); // Leaving the loop ends the connection.
      }
      chunks.push(chunk as Buffer);
    }
    return new TextDecoder().decode(Buffer.concat(chunks)); // Without the mark that some begin with.
  }

  /** Both carriers: which one a server reads depends on its version. */
  #keyHeaders(): Record<string, string> {
    const { key } = this.#parts;
    if (key === undefined) return {};
    return { authorization: `Bearer ${key}`, 'x-obsiscripta-api-key': key };
  }

  #late(ms: number): VaultError {
    const message = `The server at ${this.url} did not answer within ${ms / 1_000} seconds. What was asked may still be done there: look before you ask again.`;
    return new VaultError('timeout', message);
  }

  #cancelled(): VaultError {
    return new VaultError(
      'cancelled',
      'The call was cancelled; the server may have done it already.',
    );
  }
}

/** What headers can carry of a client's name, and who carries it. */
function userAgent(client = ''): string {
  return `${client.replace(/[^\x20-\x7e]/g, '?')} vaultdoor-bridge`.trim();
}
