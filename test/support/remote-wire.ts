import { connect, type Socket } from 'node:net';

/** A message of the remote protocol as it came, parsed. */
export interface RemoteFrame {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly params?: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A message with its head, as clients write it. */
export function frame(message: unknown): Buffer {
  const body = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

/** A request as the public client writes it. */
export function request(id: unknown, method: string, params?: unknown): Buffer {
  return frame({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
}

/**
 * A client that knows nothing but bytes and frames, so that it can say what no real one would. It
 * shares no code with the door: a mistake in ours would be made on both sides.
 */
export class RemoteWire {
  readonly socket: Socket;
  /** Everything that came and was not yet taken, in order. */
  readonly frames: RemoteFrame[] = [];
  /** The text of each small message as it came, for what JSON does not tell. */
  readonly bodies = new WeakMap<RemoteFrame, string>();
  /** Resolves when the server has closed its side. */
  readonly closed: Promise<void>;
  /** Why what came is no frame. */
  fault: Error | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #bodyBytes: number | undefined;
  #isClosed = false;
  #nextId = 1_000;
  readonly #waiting = new Set<() => void>();

  constructor(socket: Socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => {
      const close = (): void => {
        this.#isClosed = true;
        this.#wake();
        resolve();
      };
      socket.once('end', close).once('close', close);
    });
    socket.on('error', () => undefined); // 'close' follows.
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  static connect(path: string): Promise<RemoteWire> {
    return new Promise((resolve, reject) => {
      const socket = connect({ path, allowHalfOpen: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new RemoteWire(socket.off('error', reject))));
    });
  }

  /** Whether the server has closed its side. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  send(...bytes: readonly (Buffer | string)[]): void {
    this.socket.write(Buffer.concat(bytes.map((each) => Buffer.from(each as string))));
  }

  /** Sends a request and answers its reply; other messages stay where they are. */
  call(method: string, params?: unknown): Promise<RemoteFrame> {
    const id = ++this.#nextId;
    this.send(request(id, method, params));
    return this.reply(id);
  }

  /** The result of a call that must succeed. */
  async result<T = Record<string, unknown>>(method: string, params?: unknown): Promise<T> {
    const reply = await this.call(method, params);
    if (reply.error !== undefined) {
      throw new Error(`${method} failed: ${reply.error.code} ${reply.error.message}`);
    }
    return reply.result as T;
  }

  /** The reply to this id; rejects when the server closes without one. */
  reply(id: unknown): Promise<RemoteFrame> {
    const text = JSON.stringify(id);
    return this.take((each) => each.method === undefined && JSON.stringify(each.id) === text);
  }

  /** Takes the first message for which this holds, as soon as there is one. */
  async take(holds: (frame: RemoteFrame) => boolean = () => true): Promise<RemoteFrame> {
    const [one] = await this.until(() => {
      const at = this.frames.findIndex(holds);
      return at < 0 ? undefined : this.frames.splice(at, 1);
    });
    return one as RemoteFrame;
  }

  /** Waits until this answers something. Rejects when the server closes before that. */
  until<T>(look: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const again = (): void => {
        const seen = look();
        if (seen === undefined && !this.#isClosed && this.fault === undefined) return;
        this.#waiting.delete(again);
        if (seen !== undefined) resolve(seen);
        else reject(this.fault ?? new Error('The server closed the connection.'));
      };
      this.#waiting.add(again);
      again();
    });
  }

  /** Says that nothing more will be sent, and answers all that still comes. */
  async drain(): Promise<readonly RemoteFrame[]> {
    this.socket.end();
    await this.closed;
    if (this.fault !== undefined) throw this.fault;
    return this.frames.splice(0);
  }

  destroy(): void {
    this.socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    try {
      while (this.#parse());
    } catch (error) {
      this.fault = error instanceof Error ? error : new Error('no frame');
    }
    this.#wake();
  }

  /** Takes one message from what has come. Only a whole one is joined: large ones come in pieces. */
  #parse(): boolean {
    if (this.#bodyBytes === undefined) {
      const all = this.#joined();
      const end = all.indexOf('\r\n\r\n');
      if (end < 0) return false;
      const head = all.toString('latin1', 0, end);
      const match = /^Content-Length: (\d+)$/.exec(head);
      if (match === null) throw new Error(`This is no head of a frame: ${JSON.stringify(head)}`);
      this.#bodyBytes = Number(match[1]);
      this.#rest(all.subarray(end + 4));
    }
    if (this.#bytes < this.#bodyBytes) return false;
    const all = this.#joined();
    const body = all.toString('utf8', 0, this.#bodyBytes);
    this.#rest(all.subarray(this.#bodyBytes));
    this.#bodyBytes = undefined;
    const message = JSON.parse(body) as RemoteFrame;
    if (body.length < 10_000) this.bodies.set(message, body);
    this.frames.push(message);
    return this.#bytes > 0;
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    return this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
  }

  #rest(rest: Buffer): void {
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#bytes = rest.length;
  }

  #wake(): void {
    for (const look of [...this.#waiting]) look();
  }
}
