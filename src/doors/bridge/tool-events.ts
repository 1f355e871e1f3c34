import { limits } from '../../base/limits.ts';
import { refuseBridge } from './bridge-refusal.ts';

type Stream = ReadableStreamDefaultController<Uint8Array>;

/**
 * The event streams on which clients are told when the tools change, so that they need not poll.
 */
export class ToolEvents {
  readonly #hash: () => string;
  readonly #timers: { after(ms: number, call: () => void): () => void };
  readonly #open = new Set<Stream>();
  #cancelKeepAlive: (() => void) | undefined;

  constructor(parts: {
    /** The hash of the tools at this moment. */
    readonly hash: () => string;
    readonly timers: { after(ms: number, call: () => void): () => void };
  }) {
    this.#hash = parts.hash;
    this.#timers = parts.timers;
  }

  /** Opens a stream, which begins with the hash of the tools; a refusal when there are too many. */
  open(): Response {
    if (this.#open.size >= limits.bridgeStreamsMax) {
      const details = 'Too many clients listen; ask for the list of tools from time to time.';
      return refuseBridge({ status: 503, details, headers: { 'Retry-After': '60' } });
    }
    let own: Stream | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        own = stream;
        this.#open.add(stream);
        stream.enqueue(this.#event());
        this.#cancelKeepAlive ??= this.#keepAliveLater();
      },
      cancel: () => {
        if (own !== undefined) this.#open.delete(own);
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
  }

  /** Sends the hash of the tools to all clients. */
  tell(): void {
    for (const stream of this.#open) stream.enqueue(this.#event());
  }

  /** Ends all streams. */
  close(): void {
    this.#cancelKeepAlive?.();
    for (const stream of this.#open) stream.close();
    this.#open.clear();
  }

  #event(): Uint8Array {
    return encoded(`event: tools\ndata: ${JSON.stringify({ hash: this.#hash() })}\n\n`);
  }

  /** Sends a comment from time to time while streams are open, so that no proxy closes them. */
  #keepAliveLater(): (() => void) | undefined {
    if (this.#open.size === 0) return undefined;
    return this.#timers.after(limits.httpKeepAliveMs, () => {
      for (const stream of this.#open) stream.enqueue(encoded(': still here\n\n'));
      this.#cancelKeepAlive = this.#keepAliveLater();
    });
  }
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
