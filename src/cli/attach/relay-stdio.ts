import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { endMark } from './attach-protocol.ts';

export interface RelayParts {
  readonly input: Readable;
  readonly output: Writable;
  readonly socket: Socket;
  /** Told to leave. */
  readonly signal: AbortSignal;
  /** How long the server has for its last answers when there is nothing more to ask. */
  readonly lastAnswersMs: number;
}

/** All was answered, the client no longer reads, or the server has gone before its last answer. */
export type RelayEnd = 'answered' | 'client gone' | 'server gone';

/**
 * Carries bytes between a client's two streams and a server. When the client has nothing more to
 * say, the server still answers what runs; resolves when it has.
 */
export async function relayStdio(parts: RelayParts): Promise<RelayEnd> {
  const { input, output, socket, signal, lastAnswersMs } = parts;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<RelayEnd>((resolve) => {
    const leave = (): void => {
      timer ??= setTimeout(() => resolve('server gone'), lastAnswersMs);
      input.unpipe(socket);
      socket.end();
    };
    input.once('end', leave).once('error', leave);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  });
  output.on('error', () => undefined); // Whoever writes is told.
  if (!signal.aborted) input.pipe(socket);
  try {
    return await Promise.race([carryAnswers(socket, output), late]);
  } finally {
    clearTimeout(timer);
    socket.destroy();
    input.destroy();
  }
}

async function carryAnswers(socket: Socket, output: Writable): Promise<RelayEnd> {
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      const end = chunk.indexOf(endMark);
      const answers = end === -1 ? chunk : chunk.subarray(0, end);
      if (!(await isWritten(output, answers))) return 'client gone';
      if (end !== -1) return 'answered';
    }
  } catch {
    // It broke off.
  }
  return 'server gone';
}

/** Waits until the client has taken it, so that no more is fetched than it reads. */
function isWritten(output: Writable, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => output.write(bytes, (error) => resolve(!error)));
}
