import type { Duplex } from 'node:stream';
import { isObject } from '../../base/json.ts';
import { writeFrame } from './frames.ts';
import type { RemoteRefusal } from './read-request.ts';
import { protocolErrorCodes } from './remote-errors.ts';
import type { RemoteLimits } from './remote-limits.ts';

/**
 * Notifications are written in pieces of about this size. The next piece is made when the client has
 * taken the last one, so answers can overtake the notifications that still wait.
 */
const pieceBytes = 64 * 1024;

/**
 * Writes answers and notifications to one client. Answers wait as long as the client takes to read
 * them: callers check `isFull` before they make more. Answers overtake notifications. A client that
 * leaves too many notifications unread is cut off.
 */
export class Outbox {
  readonly #socket: Duplex;
  readonly #limits: RemoteLimits;
  readonly #cutOff: () => void;
  readonly #onFull: () => void;
  #isCorked = false;
  /** The lists of notifications that wait. */
  readonly #notices: (readonly object[])[] = [];
  /** How many notifications of the first list have been written. */
  #done = 0;
  /** How many notifications the client has not taken yet. */
  #unread = 0;
  /** Whether a piece of notifications was written that the client has not taken yet. */
  #isNotifying = false;
  /** When the client last took notifications, or when the first of those that wait came. */
  #takenMs = 0;

  constructor(
    socket: Duplex,
    parts: {
      readonly limits: RemoteLimits;
      readonly cutOff: () => void;
      /** Called when something was written and `isFull` is true. */
      readonly onFull: () => void;
    },
  ) {
    this.#socket = socket;
    this.#limits = parts.limits;
    this.#cutOff = parts.cutOff;
    this.#onFull = parts.onFull;
  }

  /**
   * Whether too much waits to be sent to add more; after the socket's `drain` event there is room.
   */
  get isFull(): boolean {
    return this.#socket.writableLength > this.#limits.remoteUnsentBytesMax;
  }

  /** How many bytes wait to be sent. */
  get unsentBytes(): number {
    return this.#socket.destroyed ? 0 : this.#socket.writableLength;
  }

  /** Answers a request, if it has an id. A result that is too large becomes an error. */
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

  /** Answers a request with an error, if it has an id. */
  refuse({ id, code, message }: RemoteRefusal): void {
    if (id === undefined) return;
    const error = JSON.stringify({ code, message });
    this.#write(writeFrame(`{"jsonrpc":"2.0","id":${id},"error":${error}}`));
  }

  /**
   * Sends notifications. However many come at once, all are accepted, because their number does not
   * show whether the client reads. They become JSON piece by piece, as the client takes them.
   */
  notify(notices: readonly object[]): void {
    if (this.#leavesUnread()) {
      this.#cutOff();
      return;
    }
    if (this.#unread === 0) this.#takenMs = performance.now();
    this.#unread += notices.length;
    this.#notices.push(notices);
    if (!this.#isNotifying) this.#writePiece();
  }

  /** Whether the client takes no notifications any more, or is too far behind. */
  #leavesUnread(): boolean {
    const { remoteUnreadNoticesMax, remoteUnreadNoticesMs, remoteLateNoticesMax } = this.#limits;
    if (this.#unread <= remoteUnreadNoticesMax) return false;
    const waitedMs = performance.now() - this.#takenMs;
    return waitedMs >= remoteUnreadNoticesMs || this.#unread > remoteLateNoticesMax;
  }

  #writePiece(): void {
    const frames: Buffer[] = [];
    let bytes = 0;
    for (let notice = this.#next(); notice !== undefined; notice = this.#next()) {
      const frame = writeFrame(JSON.stringify(notice));
      frames.push(frame);
      bytes += frame.length;
      if (bytes >= pieceBytes) break;
    }
    this.#isNotifying = frames.length > 0;
    if (!this.#isNotifying) return;
    this.#write(Buffer.concat(frames, bytes), () => {
      this.#unread -= frames.length;
      this.#takenMs = performance.now();
      this.#writePiece();
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

  /**
   * Joins all writes of one turn of the event loop: a system call costs more than a small answer.
   */
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
    if (this.isFull) this.#onFull();
  }
}

const longChars = 64 * 1024;

/**
 * A result as JSON. Long Base64 is put in as it is: it has nothing to escape, and `JSON.stringify`
 * would take longer to find that out than reading the file took.
 */
function resultJson(value: unknown): string {
  if (isObject(value)) {
    const { contentBase64, ...others } = value;
    if (typeof contentBase64 === 'string' && contentBase64.length > longChars) {
      const rest = JSON.stringify(others).slice(1);
      return `{"contentBase64":"${contentBase64}"${rest === '}' ? '' : ','}${rest}`;
    }
  }
  return JSON.stringify(value) ?? 'null';
}
