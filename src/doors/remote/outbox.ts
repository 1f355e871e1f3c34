import type { Duplex } from 'node:stream';
import type { RemoteRefusal } from './read-request.ts';
import { protocolErrorCodes } from './remote-errors.ts';
import type { RemoteLimits } from './remote-limits.ts';
import { resultJson } from './result-json.ts';
import { writeFrame } from './write-frame.ts';

/**
 * What is sent to one client. Answers wait for it as long as it takes, and whoever makes them asks
 * first whether there is room; a client that leaves its notices unread is cut off.
 */
export class Outbox {
  readonly #socket: Duplex;
  readonly #limits: RemoteLimits;
  readonly #cutOff: () => void;
  #isCorked = false;
  #noticeBytes = 0;

  constructor(
    socket: Duplex,
    parts: { readonly limits: RemoteLimits; readonly cutOff: () => void },
  ) {
    this.#socket = socket;
    this.#limits = parts.limits;
    this.#cutOff = parts.cutOff;
  }

  /** Whether so much waits that nothing should be added; the socket's `drain` says when it went. */
  get isFull(): boolean {
    return this.#socket.writableLength > this.#limits.remoteUnsentBytesMax;
  }

  /** Answers a request; one without an id gets none. What no message can hold becomes an error. */
  answer(id: string | undefined, value: unknown): void {
    if (id === undefined) return;
    const json = `{"jsonrpc":"2.0","id":${id},"result":${resultJson(value)}}`;
    const bytes = Buffer.byteLength(json);
    if (bytes <= this.#limits.remoteMessageBytesMax) {
      this.#write(writeFrame(json, bytes));
    } else {
      const message = `The answer has ${bytes} bytes, more than one message may have; ask for less.`;
      this.refuse({ id, code: protocolErrorCodes.invalidParams, message });
    }
  }

  /** Answers a request with an error. */
  refuse({ id, code, message }: RemoteRefusal): void {
    if (id === undefined) return;
    const error = JSON.stringify({ code, message });
    this.#write(writeFrame(`{"jsonrpc":"2.0","id":${id},"error":${error}}`));
  }

  /**
   * Tells the client what it did not ask for. What comes at once is taken at once, however much: it
   * says nothing of whether the client reads.
   */
  notify(notices: readonly object[]): void {
    if (this.#noticeBytes > this.#limits.remoteUnreadNoticeBytesMax) {
      this.#cutOff();
      return;
    }
    for (const notice of notices) {
      const frame = writeFrame(JSON.stringify(notice));
      this.#noticeBytes += frame.length;
      this.#write(frame, () => {
        this.#noticeBytes -= frame.length;
      });
    }
  }

  /** What is written in one turn goes out together: a system call costs more than a small answer. */
  #write(frame: Buffer, done?: () => void): void {
    const socket = this.#socket;
    if (socket.destroyed || socket.writableEnded) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      socket.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        socket.uncork();
      });
    }
    socket.write(frame, done);
  }
}
