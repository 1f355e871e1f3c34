import type { ServerResponse } from 'node:http';
import { answerHeaders } from './answer-headers.ts';

/** How an answer ended: sent, the client left, or it was cut off since it did not read. */
export type AnswerEnd = 'sent' | 'left' | 'unread';

/**
 * Sends an answer, its pieces as they come. Resolves when the client's system has all of it or the
 * connection is gone; the body is then at its end or cancelled. A body that fails cuts the
 * connection, so that nobody takes a part for the whole, and rejects.
 */
export async function sendAnswer(
  response: ServerResponse,
  answer: Response,
  options: {
    readonly withoutBody: boolean;
    readonly closes: boolean;
    readonly unreadBytesMax: number;
    /** Told when the head of a stream of events is sent: it may be open for hours. */
    readonly onStream: () => void;
  },
): Promise<AnswerEnd> {
  const { body } = answer;
  const gone = new Promise<AnswerEnd>((resolve) => {
    const settle = (): void => resolve(response.writableFinished ? 'sent' : 'left');
    if (response.destroyed) settle();
    else response.once('close', settle);
  });
  // Nobody waits for it: what fills a body may take its time to notice.
  const drop = (): void => void body?.cancel().catch(() => undefined);
  if (response.destroyed) {
    drop();
    return gone;
  }
  response.statusCode = answer.status;
  for (const [name, value] of answerHeaders(answer)) response.setHeader(name, value);
  if (options.closes) response.setHeader('connection', 'close');
  if (body === null || options.withoutBody || answer.status === 204 || answer.status === 304) {
    drop();
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
      // Checked before the next piece: one that is large by itself is not the client's fault.
      if (response.writableLength > options.unreadBytesMax) {
        response.destroy();
        await gone;
        return 'unread';
      }
      response.write(value);
    }
  } catch (error) {
    response.destroy();
    throw error;
  }
  response.end();
  return gone;
}
