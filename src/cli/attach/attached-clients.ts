import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { Transform } from 'node:stream';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import type { AppViews } from '../../doors/mcp/server/app-views.ts';
import type { LargeReader } from '../../doors/mcp/server/read-message.ts';
import { serveMcpStdio } from '../../doors/mcp/stdio/serve-mcp-stdio.ts';
import { readFirstLine } from '../../node/server/local-socket.ts';
import type { Admitted, AttachAdmission } from './attach-admission.ts';
import { asksForConsole, commandHello, endMark, type HelloAnswer } from './attach-protocol.ts';
import type { CommandServer } from './do-command.ts';

interface AttachedClientsParts {
  readonly admission: Pick<AttachAdmission, 'admit'>;
  readonly logger: Logger;
  readonly version: string;
  /** Reads long messages in a thread. */
  readonly readLarge?: LargeReader;
  /** What clients that show views are offered. */
  readonly views?: AppViews;
  /** Finds the vault of a folder; absent where only one vault is served. */
  readonly vaultOfFolder?: (folder: string) => Promise<string | undefined>;
  /** Makes one-time links to the console, that for this machine first; absent where it has none here. */
  readonly consoleLinks?: () => Promise<readonly string[]>;
  /** Does the commands of the owner; absent where commands work alone. */
  readonly commands?: CommandServer;
  /** Aborted when the server is told to end. */
  readonly signal: AbortSignal;
}

/** The programs that share this server, each served over its socket as if it were the only one. */
export class AttachedClients {
  readonly #parts: AttachedClientsParts;
  readonly #clients = new Map<Socket, Promise<void>>();
  /** The clients that have not been admitted yet. */
  readonly #waiting = new Set<Socket>();
  #isClosed = false;

  constructor(parts: AttachedClientsParts) {
    this.#parts = parts;
    setMaxListeners(0, parts.signal); // Each client has one.
  }

  /** Serves a program that has connected, if it is admitted. */
  add(socket: Socket): void {
    if (this.#isClosed || this.#waiting.size >= limits.attachedMax) {
      socket.destroy();
      return;
    }
    const served = this.#serve(socket).finally(() => this.#clients.delete(socket));
    this.#clients.set(socket, served);
  }

  /** Admits nobody any more, and waits until those who were admitted have left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const socket of this.#waiting) socket.destroy();
    await Promise.all(this.#clients.values());
  }

  async #serve(socket: Socket): Promise<void> {
    const { admission: _, consoleLinks: __, commands: ___, ...shared } = this.#parts;
    const { logger, signal } = shared;
    this.#waiting.add(socket);
    const admitted = await this.#admit(socket);
    this.#waiting.delete(socket);
    if (admitted !== undefined) {
      const { release, ...served } = admitted;
      logger.log('info', 'attached', { clients: this.#clients.size });
      // The door destroys its input at the end, and a socket would lose the last answers with it.
      const input = upToEndMark();
      socket.pipe(input);
      socket.once('close', () => input.end());
      await serveMcpStdio({ ...served, ...shared, input, output: socket });
      release();
      // If the server stops before the client has ended its input, requests may be left unread.
      const isAllAnswered = input.readableEnded || !signal.aborted;
      if (isAllAnswered) socket.write(Buffer.of(endMark));
      logger.log('info', 'detached', { clients: this.#clients.size - 1 });
    }
    await hangUp(socket);
  }

  /** Reads the `Hello` and answers it; undefined when the program was refused or sent none. */
  async #admit(socket: Socket): Promise<Admitted | undefined> {
    const { admission, logger, signal, consoleLinks, commands } = this.#parts;
    const { helloBytesMax: bytesMax, helloMs: waitMs, attachedMax } = limits;
    const line = await readFirstLine(socket, { bytesMax, waitMs });
    if (line === undefined) return undefined;
    try {
      if (signal.aborted) throw refusal('The server is being stopped.');
      if (this.#clients.size > attachedMax) {
        throw refusal(`${attachedMax} apps share the server already.`);
      }
      if (asksForConsole(line)) {
        if (consoleLinks === undefined) throw refusal('The server has no console on this machine.');
        logger.log('info', 'console link');
        const [link, ...others] = await consoleLinks();
        socket.write(`${JSON.stringify({ ok: true, link, others })}\n`);
        return undefined;
      }
      if (line === commandHello(this.#parts.version) && commands !== undefined) {
        say(socket, { ok: true, pid: process.pid });
        this.#waiting.delete(socket);
        const { doCommand } = await import('./do-command.ts');
        await doCommand(socket, commands);
        return undefined;
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

/** A stream that ends with the client's `endMark`, which is not part of it. */
function upToEndMark(): Transform {
  let hasEnded = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (hasEnded) return done();
      hasEnded = chunk.at(-1) === endMark;
      this.push(hasEnded ? chunk.subarray(0, -1) : chunk);
      if (hasEnded) this.push(null);
      done();
    },
  });
}

function say(socket: Socket, answer: HelloAnswer): void {
  socket.write(`${JSON.stringify(answer)}\n`);
}

/** Closes a connection when the other side has read everything, or after `limits.hangUpMs`. */
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
    socket.resume(); // Closing with unread input would reset the connection and lose our last bytes.
  });
}

function refusal(reason: string): VaultError {
  return new VaultError('unavailable', reason);
}
