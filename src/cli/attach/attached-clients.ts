import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { serveMcpStdio } from '../../doors/mcp/stdio/serve-mcp-stdio.ts';
import { readFirstLine } from '../../node/server/local-socket.ts';
import type { Admitted, AttachAdmission } from './attach-admission.ts';
import { endMark, type HelloAnswer } from './attach-protocol.ts';

export interface AttachedClientsParts {
  readonly admission: Pick<AttachAdmission, 'admit'>;
  readonly logger: Logger;
  readonly version: string;
  /** The server is told to leave. */
  readonly signal: AbortSignal;
}

/** The programs that share a server, each served as if it were the only one, over its socket. */
export class AttachedClients {
  readonly #parts: AttachedClientsParts;
  readonly #clients = new Map<Socket, Promise<void>>();
  /** Those of them who have yet to say what they want. */
  readonly #strangers = new Set<Socket>();
  #isClosed = false;

  constructor(parts: AttachedClientsParts) {
    this.#parts = parts;
    setMaxListeners(0, parts.signal); // Each client has one.
  }

  /** Someone is at the socket. */
  add(socket: Socket): void {
    if (this.#isClosed || this.#strangers.size >= limits.attachedMax) {
      socket.destroy();
      return;
    }
    const served = this.#serve(socket).finally(() => this.#clients.delete(socket));
    this.#clients.set(socket, served);
  }

  /** Lets nobody in any more, and waits until those who are in have left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const socket of this.#strangers) socket.destroy();
    await Promise.all(this.#clients.values());
  }

  async #serve(socket: Socket): Promise<void> {
    const { logger, signal, version } = this.#parts;
    this.#strangers.add(socket);
    const admitted = await this.#admit(socket);
    this.#strangers.delete(socket);
    if (admitted !== undefined) {
      const { release, ...served } = admitted;
      logger.log('info', 'attached', { clients: this.#clients.size });
      // The door destroys its input at the end; a socket would take the last answers with it.
      const input = new PassThrough();
      socket.pipe(input);
      socket.once('close', () => input.end());
      await serveMcpStdio({ ...served, input, output: socket, logger, signal, version });
      release();
      const isAllAnswered = socket.readableEnded || !signal.aborted;
      if (isAllAnswered) socket.write(Buffer.of(endMark));
      logger.log('info', 'detached', { clients: this.#clients.size - 1 });
    }
    await hangUp(socket);
  }

  /** What someone is served; undefined when it was refused, or left before it said what it wants. */
  async #admit(socket: Socket): Promise<Admitted | undefined> {
    const { admission, logger, signal } = this.#parts;
    const { helloBytesMax: bytesMax, helloMs: waitMs, attachedMax } = limits;
    const line = await readFirstLine(socket, { bytesMax, waitMs });
    if (line === undefined) return undefined;
    try {
      if (signal.aborted) throw refusal('The server is being stopped.');
      if (this.#clients.size > attachedMax) {
        throw refusal(`${attachedMax} clients share the server already.`);
      }
      const admitted = await admission.admit(line);
      say(socket, { ok: true, pid: process.pid });
      return admitted;
    } catch (error) {
      const { message: reason } = toVaultError(error);
      logger.log('info', 'not attached', { reason });
      say(socket, { ok: false, reason });
      return undefined;
    }
  }
}

function say(socket: Socket, answer: HelloAnswer): void {
  socket.write(`${JSON.stringify(answer)}\n`);
}

/** Ends a connection once the other side has read everything, or after a while in any case. */
function hangUp(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) {
      resolve();
      return;
    }
    const timer = setTimeout(() => socket.destroy(), limits.hangUpMs);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.end();
    socket.resume(); // To close with something unread would take away what is yet to be read there.
  });
}

function refusal(reason: string): VaultError {
  return new VaultError('unavailable', reason);
}
