import { randomBytes } from 'node:crypto';
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { limits } from '../../base/limits.ts';
import { jsonExcess } from '../../base/read-json.ts';
import { VaultError } from '../../base/vault-error.ts';

interface BridgeWireParts {
  /** The server's address, made by `bridgeUrl`. */
  readonly url: string;
  /** Sent with every request. */
  readonly key?: string;
  readonly timers: { after(ms: number, call: () => void): () => void };
}

/** A request to the server. */
interface BridgeRequest {
  /** The part after `/bridge/v1`, percent-encoded. */
  readonly path: string;
  /** The body of a POST; without it, the request is a GET. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name of our client, for the server's history. */
  readonly client?: string | undefined;
  readonly signal?: AbortSignal;
  readonly deadlineMs: number;
}

/** The server's answer, whatever its status. */
export interface BridgeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Sends HTTP requests to one Bridge v1 server. Redirects are not followed, and no request is sent
 * twice. Fails only with a `VaultError`, whose message tells the user what to do.
 *
 * `fetch` is not used, because it gives up after five minutes whatever the deadline, and refuses
 * some ports.
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

  /** Sends a request and reads the whole answer. */
  request(asked: BridgeRequest): Promise<BridgeAnswer> {
    return this.#withSignal(asked, async ({ signal }) => {
      const response = await this.#head(asked, signal);
      const { statusCode: status = 0, headers } = response;
      return { status, headers, text: await this.#body(response) };
    });
  }

  /**
   * Reads an event stream until it ends or is silent for too long. Calls `onOpen` when it begins
   * and `onEvent` when events come. Answers `absent` when the server has no event stream at this
   * path.
   */
  follow(
    path: string,
    { onOpen, onEvent }: { readonly onOpen: () => void; readonly onEvent: () => void },
  ): Promise<'ended' | 'absent'> {
    const headers = { accept: 'text/event-stream' };
    const asked = { path, headers, deadlineMs: limits.bridgeListMs };
    return this.#withSignal(asked, async ({ signal, allow }) => {
      const response = await this.#head(asked, signal);
      const type = response.headers['content-type'] ?? '';
      if (response.statusCode !== 200 || !type.startsWith('text/event-stream')) {
        response.destroy();
        return 'absent';
      }
      onOpen();
      allow(limits.bridgeQuietMs);
      let incomplete = '';
      for await (const chunk of response.setEncoding('utf8')) {
        allow(limits.bridgeQuietMs);
        const lines = `${incomplete}${chunk}`.split('\n');
        // Of an incomplete line, only its beginning is kept: enough to see what kind of line it is.
        incomplete = lines.pop()?.slice(0, 'data:'.length) ?? '';
        if (lines.some((line) => line.startsWith('data:'))) onEvent();
      }
      return 'ended';
    });
  }

  /** Cancels all requests, and refuses new ones. */
  close(): void {
    this.#isClosed = true;
    for (const ending of this.#open) ending.abort(this.#cancelled());
    this.#agent.destroy();
  }

  /**
   * Runs a request with a signal that is aborted when the caller cancels, the deadline has passed,
   * or this is closed. `allow` sets a new deadline.
   */
  async #withSignal<T>(
    { signal, deadlineMs }: Pick<BridgeRequest, 'signal' | 'deadlineMs'>,
    run: (parts: { signal: AbortSignal; allow: (ms: number) => void }) => Promise<T>,
  ): Promise<T> {
    const ending = new AbortController();
    const cancel = (): void => ending.abort(this.#cancelled());
    let cancelTimer: () => void = () => undefined;
    const allow = (ms: number): void => {
      cancelTimer();
      const waitMs = Math.min(ms, limits.callDeadlineMaxMs);
      cancelTimer = this.#parts.timers.after(waitMs, () => ending.abort(this.#timedOut(waitMs)));
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

  /** Sends a request; resolves when the head of the answer has come. */
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
        const message = `The server at ${this.url} answered with more than ${most} MiB; ask for less. The call was carried out.`;
        throw new VaultError('too_large', message); // Leaving the loop closes the connection.
      }
      chunks.push(chunk as Buffer);
    }
    const body = Buffer.concat(chunks);
    if (jsonExcess(body, { valuesMax: Number.POSITIVE_INFINITY }) !== undefined) {
      const message = `The server at ${this.url} answered with something that nests deeper than any result of a tool. The call may have been carried out: check before you repeat it.`;
      throw new VaultError('unavailable', message);
    }
    return new TextDecoder().decode(body); // Without a byte order mark.
  }

  /** The key in two headers: which one a server reads depends on its version. */
  #keyHeaders(): Record<string, string> {
    const { key } = this.#parts;
    if (key === undefined) return {};
    return { authorization: `Bearer ${key}`, 'x-obsiscripta-api-key': key };
  }

  #timedOut(ms: number): VaultError {
    const message = `The server at ${this.url} did not answer within ${ms / 1_000} seconds. It may still carry out the call: check before you repeat it.`;
    return new VaultError('timeout', message);
  }

  #cancelled(): VaultError {
    return new VaultError(
      'cancelled',
      'The call was cancelled; the server may have carried it out already.',
    );
  }
}

/** The User-Agent header: the client's name, as far as a header can hold it, and ours. */
function userAgent(client = ''): string {
  return `${client.replace(/[^\x20-\x7e]/g, '?')} vaultdoor-bridge`.trim();
}

/** Node's codes for a connection that ended before the answer was complete. */
const broken: ReadonlySet<string> = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE']);
const unknownHost: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN']);

/**
 * The failure of a request that got no answer, with what the user can do. A `VaultError` is passed on.
 */
function connectionFailure(error: unknown, url: string): VaultError {
  if (error instanceof VaultError) return error;
  const code = codeOf(error);
  return new VaultError('unavailable', sentence(code, url), { cause: error, details: { code } });
}

function sentence(code: string, url: string): string {
  if (code === 'ECONNREFUSED') {
    return `Nothing listens at ${url}. Start Obsidian with the plugin, or "vaultdoor serve --bridge --vault <folder>".`;
  }
  if (unknownHost.has(code)) {
    return `The host of ${url} is not known (${code}). Check the address and the network.`;
  }
  if (broken.has(code)) {
    return `The connection to ${url} broke before the answer was complete (${code}). The call may have been carried out: check before you repeat it.`;
  }
  if (code.startsWith('HPE_') || code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    const spoken = url.startsWith('https:') ? 'HTTPS' : 'HTTP';
    return `What listens at ${url} does not speak ${spoken} (${code}). Check the address: https or http, and the port.`;
  }
  return `The server at ${url} cannot be reached (${code}). Check the address and the network.`;
}

/** The error's code, if it is a plain word: it is shown to the user. */
function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : 'unknown';
}
