import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** Less than this may wait for a client without anybody looking at it. */
const muchBytes = 64 * 1024;

/**
 * Sends an answer, piece by piece as its body produces them. Resolves when the client's system has
 * received everything (`sent`), the client has left (`left`), or the connection was cut because the
 * client did not read (`unread`); the body is then at its end or cancelled. A body that fails cuts
 * the connection, so that no client takes a part for the whole, and the promise rejects.
 */
export async function sendAnswer(
  response: ServerResponse,
  answer: Response,
  options: {
    readonly withoutBody: boolean;
    /** Whether the connection is closed after this answer. */
    readonly closes: boolean;
    readonly unreadBytesMax: number;
    /**
     * Called when the head of an event stream has been sent: the stream may stay open for hours.
     */
    readonly onStream: () => void;
    /** Called when much of what was written has not been taken yet. */
    readonly onUnread: () => void;
  },
): Promise<'sent' | 'left' | 'unread'> {
  const { body } = answer;
  // Resolves when the answer is complete or the client has left.
  const gone = new Promise<'sent' | 'left'>((resolve) => {
    const settle = (): void => resolve(response.writableFinished ? 'sent' : 'left');
    if (response.destroyed) settle();
    else response.once('close', settle);
  });
  // Not awaited: whatever produces the body may take a while to notice the cancellation.
  const cancelBody = (): void => void body?.cancel().catch(() => undefined);
  if (response.destroyed) {
    cancelBody();
    return gone;
  }
  response.statusCode = answer.status;
  for (const [name, value] of answerHeaders(answer)) {
    // An answer may have several cookies, each in a header of its own.
    if (name === 'set-cookie') response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  if (options.closes) response.setHeader('connection', 'close');
  if (body === null || options.withoutBody || answer.status === 204 || answer.status === 304) {
    cancelBody();
    response.end();
    return gone;
  }
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    response.flushHeaders();
    options.onStream();
  }
  const reader = body.getReader();
  void gone.then(() => reader.cancel()).catch(() => undefined);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || response.destroyed) break;
      // Checked before the next piece is written: a single large piece is not the client's fault.
      if (response.writableLength > options.unreadBytesMax) {
        response.destroy();
        await gone;
        return 'unread';
      }
      response.write(value);
      if (response.writableLength > muchBytes) options.onUnread();
    }
  } catch (error) {
    response.destroy();
    throw error;
  }
  response.end();
  return gone;
}

/**
 * Sends the last answer of a connection while the client may still be sending its request. The rest
 * of the request is read and thrown away for up to `lingerMs`: a connection that is closed with
 * unread data is reset, and the client would lose the answer.
 */
export async function sendLastAnswer(
  socket: Socket,
  answer: Response,
  options: { readonly lingerMs: number; readonly withoutBody: boolean },
): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  const lines = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`,
    ...answerHeaders(answer).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
    `date: ${new Date().toUTCString()}`,
    'connection: close',
  ];
  if (socket.writable) {
    socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    socket.end(options.withoutBody ? '' : body);
  }
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), options.lingerMs);
  socket.once('close', () => clearTimeout(cut));
}

/**
 * Headers that the listener sets, not the door: how the connection carries the answer, and that
 * browsers must not guess its type.
 */
const listenersHeaders = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'x-content-type-options',
]);

function answerHeaders(answer: Response): [name: string, value: string][] {
  const own = Array.from(answer.headers).filter(([name]) => !listenersHeaders.has(name));
  return [...own, ['x-content-type-options', 'nosniff']];
}
