import { allScopes } from '../../src/base/caller.ts';
import { BridgeHttp } from '../../src/doors/bridge/bridge-http.ts';
import { openStderrLogger } from '../../src/node/system/stderr-logger.ts';
import type { Service } from '../../src/tools/service/service.ts';
import { type ManualTimers, manualTimers } from './manual-timers.ts';

/** A request as a client of this test sends it. */
export interface BridgeAsk {
  readonly method?: string;
  /** The whole of it, from the first slash. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent as they are, all else as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Bridge v1 without a port: what would come over the network is handed to the door. */
export class BridgeDoor {
  readonly http: BridgeHttp;
  readonly timers: ManualTimers = manualTimers();
  /** What it logged, at the most talkative level. */
  log = '';

  constructor(service: Service, parts: Partial<ConstructorParameters<typeof BridgeHttp>[0]> = {}) {
    const write = (line: string): void => {
      this.log += line;
    };
    this.http = new BridgeHttp({
      service,
      logger: openStderrLogger({ stream: { write }, level: 'debug', nowMs: Date.now }),
      version: '1.2.3',
      scopes: allScopes,
      deadlineMs: () => 60_000,
      allowOrigins: [],
      timers: this.timers,
      nowMs: Date.now,
      ...parts,
    });
  }

  /** Sends a request as a listener would hand it over: its head first, then all of it. */
  async ask({ method = 'GET', path, headers = {}, body, signal }: BridgeAsk): Promise<Response> {
    const sent = typeof body === 'string' || body instanceof Uint8Array ? body : asJson(body);
    const length = Buffer.byteLength(sent ?? '');
    const all = new Headers({
      host: '127.0.0.1:3000',
      ...(length === 0 ? {} : { 'content-length': String(length) }),
      ...headers,
    });
    const url = new URL(`http://127.0.0.1:3000${path}`);
    const head = { method, path: url.pathname, headers: all, address: '127.0.0.1' };
    const admitted = await this.http.admit(head);
    if (admitted instanceof Response) return admitted;
    const request = new Request(url, {
      method,
      headers: all,
      ...(length === 0 ? {} : { body: Buffer.from(sent ?? '') }),
      ...(signal === undefined ? {} : { signal }),
    });
    // A browser's rules for requests would name a type where the client has not.
    if (!all.has('content-type')) request.headers.delete('content-type');
    return this.http.handle(request);
  }

  /** What it lists. */
  async tools(): Promise<{ readonly names: readonly string[]; readonly hash: string }> {
    const response = await this.ask({ path: '/bridge/v1/tools' });
    const { tools, hash } = (await response.json()) as {
      readonly tools: readonly { readonly name: string }[];
      readonly hash: string;
    };
    return { names: tools.map(({ name }) => name), hash };
  }

  /** Calls a tool, and gives the body of the answer. */
  async call(
    tool: string,
    args: object = {},
    ask: Omit<BridgeAsk, 'path' | 'body'> = {},
  ): Promise<unknown> {
    const path = `/bridge/v1/tools/${encodeURIComponent(tool)}/call`;
    const response = await this.ask({ method: 'POST', path, body: { arguments: args }, ...ask });
    return response.json();
  }
}

function asJson(body: unknown): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body);
}
