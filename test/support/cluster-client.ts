/** How a call ended that was repeated until it was answered. */
export interface Answered {
  /** `unknown`: it failed, and an earlier attempt may have changed something. */
  readonly end: 'done' | 'refused' | 'unknown';
  readonly text: string;
}

/**
 * A small MCP client behind a load balancer: each request goes to the next node that is there, always in
 * the same session. When a connection breaks, it sends the same request to another node.
 */
export class ClusterClient {
  readonly #urls: () => readonly string[];
  #session = '';
  #next = 0;
  #id = 0;

  /** `urls` are the addresses of the nodes that the balancer knows now. */
  constructor(urls: () => readonly string[], first: number) {
    this.#urls = urls;
    this.#next = first;
  }

  /** Begins the session. */
  async begin(): Promise<void> {
    const client = { name: 'chaos', version: '1' };
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client };
    const { response } = await this.#send({ id: 'hello', method: 'initialize', params: hello });
    this.#session = response.headers.get('mcp-session-id') ?? '';
    await response.text();
  }

  /** Calls a tool, and repeats the request until it is answered or the time is over. */
  async call(name: string, args: object, endMs: number): Promise<Answered> {
    const message = { id: ++this.#id, method: 'tools/call', params: { name, arguments: args } };
    let wasLost = false;
    for (let last = ''; ; ) {
      if (performance.now() > endMs) return { end: 'unknown', text: last };
      try {
        const { response } = await this.#send(message);
        const body = await response.text();
        last = body;
        if (response.status !== 200) throw new Error(`${response.status}`);
        const result = resultIn(body);
        if (result === undefined) throw new Error('no answer');
        const text = result.content.map((piece) => piece.text ?? '').join('\n');
        if (result.isError !== true) return { end: 'done', text };
        const isRefused = /nothing (was|has been) changed|too much at once/i.test(text);
        return { end: isRefused && !wasLost ? 'refused' : 'unknown', text };
      } catch {
        wasLost = true;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  async #send(message: object): Promise<{ readonly response: Response }> {
    const urls = this.#urls();
    const url = urls[this.#next++ % Math.max(1, urls.length)];
    if (url === undefined) throw new Error('no node is there');
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(this.#session === '' ? {} : { 'mcp-session-id': this.#session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      signal: AbortSignal.timeout(40_000),
    });
    return { response };
  }
}

interface ToolResult {
  readonly content: readonly { readonly text?: string }[];
  readonly isError?: boolean;
}

/** The result of a call, in JSON or in a stream of events; undefined when there is none. */
function resultIn(body: string): ToolResult | undefined {
  const texts = body.startsWith('{')
    ? [body]
    : body.split('\n').flatMap((line) => (line.startsWith('data: {') ? [line.slice(6)] : []));
  return texts
    .map((text) => JSON.parse(text) as { readonly result?: ToolResult })
    .find(({ result }) => result !== undefined)?.result;
}
