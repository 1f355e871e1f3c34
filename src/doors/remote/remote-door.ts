import { createHash, timingSafeEqual } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Scopes } from '../../base/caller.ts';
import { cutDebtors } from '../../base/cut-debtors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Service } from '../../tools/service/service.ts';
import { Correlations } from './correlations.ts';
import { type ConnectionParts, type ReadLarge, RemoteConnection } from './remote-connection.ts';
import { type RemoteLimits, remoteLimits } from './remote-limits.ts';
import { remoteMethods, remoteProtocolVersion } from './server-info.ts';

interface RemoteDoorOptions {
  readonly service: Service;
  readonly logger: Logger;
  /** The program's version. */
  readonly version: string;
  /** The folder of the vault, which clients show. */
  readonly vaultRoot: string;
  /** The token that clients must send first, 64 hexadecimal characters. */
  readonly token: string;
  /** What clients may do. */
  readonly scopes: Scopes;
  readonly timers: { after(ms: number, call: () => void): () => void };
  readonly readLarge?: ReadLarge;
  /** Replaces single limits, for tests. */
  readonly limits?: Partial<RemoteLimits>;
}

/** Serves the remote protocol on sockets that are handed to `accept`. */
export class RemoteDoor {
  readonly #options: RemoteDoorOptions;
  readonly #limits: RemoteLimits;
  readonly #parts: ConnectionParts;
  readonly #connections = new Set<RemoteConnection>();
  /** The connections that have not sent the token yet, the oldest first. */
  readonly #strangers = new Set<RemoteConnection>();
  readonly #ending = new AbortController();
  #isClosed = false;
  #onEmpty: () => void = () => undefined;

  constructor(options: RemoteDoorOptions) {
    const { service, logger, scopes, timers, version, vaultRoot } = options;
    this.#options = options;
    this.#limits = { ...remoteLimits, ...options.limits };
    setMaxListeners(0, this.#ending.signal); // Each change that runs adds one.
    const methods = remoteMethods(service, scopes);
    this.#parts = {
      service,
      logger,
      scopes,
      timers,
      limits: this.#limits,
      methods,
      info: {
        version,
        protocolVersion: remoteProtocolVersion,
        capabilities: [...methods.keys()].sort(),
        vaultRoot,
      },
      correlations: new Correlations({ timers, keptMs: this.#limits.remoteCorrelationMs }),
      readLarge: options.readLarge,
      endOfDoor: this.#ending.signal,
      isToken: sameAs(options.token),
      onUnread: () =>
        cutDebtors(this.#connections, {
          bytesMax: this.#limits.remoteUnsentAllBytesMax,
          cutOff: (connection) => connection.cutOff('too much unread'),
        }),
      onAdmitted: (connection) => this.#strangers.delete(connection),
      onGone: (connection) => this.#left(connection),
    };
  }

  /** How many clients are connected, including those that have not sent the token yet. */
  get connections(): number {
    return this.#connections.size;
  }

  /** Serves a new client. The socket must allow answers after the client has ended its side. */
  accept(socket: Duplex): void {
    const { logger } = this.#options;
    if (this.#isClosed || this.#connections.size >= this.#limits.remoteConnectionsMax) {
      logger.log('warn', 'remote client refused', { reason: 'too many' });
      socket.destroy();
      return;
    }
    const [oldest] = this.#strangers;
    if (oldest !== undefined && this.#strangers.size >= this.#limits.remoteStrangersMax) {
      this.#strangers.delete(oldest);
      oldest.cutOff('too many without a token');
    }
    const connection = new RemoteConnection(socket, this.#parts);
    this.#connections.add(connection);
    this.#strangers.add(connection);
    logger.log('info', 'remote client connected', { clients: this.#connections.size });
  }

  /**
   * Answers the calls that run and closes all connections; those left after `waitMs` are cut off.
   */
  async close({ waitMs }: { readonly waitMs: number }): Promise<void> {
    this.#isClosed = true;
    if (this.#connections.size === 0) return;
    await new Promise<void>((resolve) => {
      const stopClock = this.#options.timers.after(waitMs, () => {
        this.#ending.abort();
        for (const connection of this.#connections) connection.cutOff('the server leaves');
        resolve();
      });
      this.#onEmpty = () => {
        stopClock();
        resolve();
      };
      for (const connection of this.#connections) connection.finish();
    });
  }

  #left(connection: RemoteConnection): void {
    this.#strangers.delete(connection);
    if (!this.#connections.delete(connection)) return;
    const clients = this.#connections.size;
    this.#options.logger.log('info', 'remote client left', { clients });
    if (clients === 0) this.#onEmpty();
  }
}

/** Compares texts with a secret, in a time that does not depend on the secret or its length. */
function sameAs(secret: string): (text: string) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const right = digest(secret);
  return (text) => timingSafeEqual(digest(text), right);
}
