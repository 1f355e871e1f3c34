import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { answerHeaders } from './answer-headers.ts';

/**
 * Sends the last answer of a connection, whatever the client is still sending. That is thrown away
 * for a while: a connection that is closed with something unread takes the answer with it.
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
