import { PassThrough, type Readable, type Writable } from 'node:stream';
import { allScopes } from '../../src/base/caller.ts';
import { serveMcpStdio } from '../../src/doors/mcp/stdio/serve-mcp-stdio.ts';
import { openStderrLogger } from '../../src/node/system/stderr-logger.ts';
import type { Service } from '../../src/tools/service/service.ts';
import { legacyHello, modernMeta, type WireMessage } from './stdio-process.ts';

/** The MCP door over streams in memory, spoken to in lines. */
export class McpWire {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly leaving = new AbortController();
  /** Resolves when the door has let go. */
  readonly served: Promise<void>;
  readonly messages: WireMessage[] = [];
  /** What it logged, at the most talkative level. */
  log = '';
  readonly #waiting = new Set<() => void>();
  #requests = 0;

  constructor(
    service: Service,
    parts: Partial<Parameters<typeof serveMcpStdio>[0]> & {
      readonly input?: Readable;
      readonly output?: Writable;
    } = {},
  ) {
    let half = '';
    this.output.setEncoding('utf8').on('data', (text: string) => {
      const lines = (half + text).split('\n');
      half = lines.pop() ?? '';
      for (const line of lines) this.messages.push(JSON.parse(line) as WireMessage);
      for (const look of [...this.#waiting]) look();
    });
    const write = (line: string): void => {
      this.log += line;
    };
    this.served = serveMcpStdio({
      service,
      input: this.input,
      output: this.output,
      logger: openStderrLogger({ stream: { write }, level: 'debug', nowMs: Date.now }),
      signal: this.leaving.signal,
      version: '1.2.3',
      scopes: allScopes,
      deadlineMs: () => 60_000,
      ...parts,
    });
  }

  send(...messages: readonly unknown[]): void {
    this.input.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  /** The first message, come or to come, that this holds for. */
  find(wanted: (message: WireMessage) => boolean): Promise<WireMessage> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.messages.find(wanted);
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Sends a request of the 2025 era and waits for its answer. */
  request(method: string, params: object = {}): Promise<WireMessage> {
    const id = `r${++this.#requests}`;
    this.send({ jsonrpc: '2.0', id, method, params });
    return this.find((message) => message.id === id && message.method === undefined);
  }

  /** The same of the 2026 era. */
  modern(method: string, params: object = {}, meta: object = {}): Promise<WireMessage> {
    return this.request(method, { ...params, _meta: { ...modernMeta, ...meta } });
  }

  call(name: string, args: object = {}): Promise<WireMessage> {
    return this.request('tools/call', { name, arguments: args });
  }

  /** The handshake of the 2025 era. */
  async initialize(capabilities: object = {}): Promise<WireMessage> {
    const answer = await this.request('initialize', { ...legacyHello, capabilities });
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  /** Ends the input and waits until the door has let go. */
  async end(): Promise<readonly WireMessage[]> {
    this.input.end();
    await this.served;
    return this.messages;
  }
}
