import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { endMark } from './attach-protocol.ts';

interface RelayParts {
  readonly input: Readable;
  readonly output: Writable;
  readonly socket: Socket;
  /** Aborted when this program is told to end. */
  readonly signal: AbortSignal;
  /** How long the server may take for its last answers after the client's input has ended. */
  readonly lastAnswersMs: number;
}

/** Everything was answered, the client stopped reading, or the server ended before its last answer. */
type RelayEnd = 'answered' | 'client gone' | 'server gone';

/**
 * Copies bytes between a client's two streams and a server. After the end of the client's input it
 * waits for the server's last answers.
 */
export async function relayStdio(parts: RelayParts): Promise<RelayEnd> {
  const { input, output, socket, signal, lastAnswersMs } = parts;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<RelayEnd>((resolve) => {
    const leave = (): void => {
      if (timer !== undefined) return;
      timer = setTimeout(() => resolve('server gone'), lastAnswersMs);
      input.unpipe(socket);
      socket.write(Buffer.of(endMark));
    };
    input.once('end', leave).once('error', leave);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  });
  output.on('error', () => undefined); // `isWritten` sees the failure.
  // The end is told by `endMark`: on Windows, an ended socket loses the server's last answers.
  if (!signal.aborted) input.pipe(socket, { end: false });
  try {
    return await Promise.race([carryAnswers(socket, output), timeout]);
  } finally {
    clearTimeout(timer);
    socket.destroy();
    input.destroy();
  }
}

/** Copies what the server sends to the client, up to the `endMark`. */
async function carryAnswers(socket: Socket, output: Writable): Promise<RelayEnd> {
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      const end = chunk.indexOf(endMark);
      const answers = end === -1 ? chunk : chunk.subarray(0, end);
      if (!(await isWritten(output, answers))) return 'client gone';
      if (end !== -1) return 'answered';
    }
  } catch {
    // The connection was cut off.
  }
  return 'server gone';
}

/**
 * Writes the bytes and waits until the client has taken them, so that no more is read from the server
 * than the client reads. False when the client no longer reads.
 */
function isWritten(output: Writable, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => output.write(bytes, (error) => resolve(!error)));
}
