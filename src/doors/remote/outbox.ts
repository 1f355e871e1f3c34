import type { Duplex } from 'node:stream';
import type { RemoteRefusal } from './read-request.ts';
import { protocolErrorCodes } from './remote-errors.ts';
import type { RemoteLimits } from './remote-limits.ts';
import { resultJson } from './result-json.ts';
import { writeFrame } from './write-frame.ts';

/** Notices go out in pieces of about this size, each made when the one before is taken. */
const pieceBytes = 64 * 1024;

/**
 * What is sent to one client. Answers wait for it as long as it takes, and whoever makes them asks
 * first whether there is room; they overtake notices. A client that leaves those unread is cut off.
 */
export class Outbox {
  readonly #socket: Duplex;
  readonly #limits: RemoteLimits;
  readonly #cutOff: () => void;
  #isCorked = false;
  /** Lists of notices that wait, how many of the first are done, and how many are not taken at all. */
  readonly #notices: (readonly object[])[] = [];
  #done = 0;
  #unread = 0;
  #isTelling = false;
  /** When the client last took some, or they began to wait. */
  #takenMs = 0;

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
   * says nothing of whether the client reads. It costs a small part of that now, the rest later.
   */
  notify(notices: readonly object[]): void {
    if (this.#leavesUnread()) {
      this.#cutOff();
      return;
    }
    if (this.#unread === 0) this.#takenMs = performance.now();
    this.#unread += notices.length;
    this.#notices.push(notices);
    if (!this.#isTelling) this.#tell();
  }

  /** Whether the client shows no sign of taking what waits, or is too far behind. */
  #leavesUnread(): boolean {
    const { remoteUnreadNoticesMax, remoteUnreadNoticesMs, remoteLateNoticesMax } = this.#limits;
    if (this.#unread <= remoteUnreadNoticesMax) return false;
    const waitedMs = performance.now() - this.#takenMs;
    return waitedMs >= remoteUnreadNoticesMs || this.#unread > remoteLateNoticesMax;
  }

  #tell(): void {
    const frames: Buffer[] = [];
    let bytes = 0;
    for (let notice = this.#next(); notice !== undefined; notice = this.#next()) {
      const frame = writeFrame(JSON.stringify(notice));
      frames.push(frame);
      bytes += frame.length;
      if (bytes >= pieceBytes) break;
    }
    this.#isTelling = frames.length > 0;
    if (!this.#isTelling) return;
    this.#write(Buffer.concat(frames, bytes), () => {
      this.#unread -= frames.length;
      this.#takenMs = performance.now();
      this.#tell();
    });
  }

  #next(): object | undefined {
    for (let [list] = this.#notices; list !== undefined; [list] = this.#notices) {
      const notice = list[this.#done++];
      if (notice !== undefined) return notice;
      this.#notices.shift();
      this.#done = 0;
    }
    return undefined;
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
