import { createHash, timingSafeEqual } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Scopes } from '../../base/caller.ts';
import type { Logger } from '../../base/logger.ts';
import type { Service } from '../../tools/service/service.ts';
import { Correlations } from './correlations.ts';
import { type ConnectionParts, RemoteConnection } from './remote-connection.ts';
import { type RemoteLimits, remoteLimits } from './remote-limits.ts';
import { remoteMethods } from './remote-methods.ts';
import { remoteProtocolVersion } from './server-info.ts';

export interface RemoteDoorOptions {
  readonly service: Service;
  readonly logger: Logger;
  /** The program's version. */
  readonly version: string;
  /** Where the vault is, for clients to show. */
  readonly vaultRoot: string;
  /** What callers say to come in, 64 hex characters. */
  readonly token: string;
  /** What each of them may do. */
  readonly scopes: Scopes;
  readonly timers: { after(ms: number, call: () => void): () => void };
  /** Tests have shorter ones. */
  readonly limits?: Partial<RemoteLimits>;
}

/** The remote protocol over sockets that someone else listens for. */
export class RemoteDoor {
  readonly #options: RemoteDoorOptions;
  readonly #limits: RemoteLimits;
  readonly #parts: ConnectionParts;
  readonly #connections = new Set<RemoteConnection>();
  /** Those who have yet to say the token, the oldest first. */
  readonly #strangers = new Set<RemoteConnection>();
  readonly #ending = new AbortController();
  #isClosed = false;
  #onEmpty: () => void = () => undefined;

  constructor(options: RemoteDoorOptions) {
    const { service, logger, scopes, timers, version, vaultRoot } = options;
    this.#options = options;
    this.#limits = { ...remoteLimits, ...options.limits };
    setMaxListeners(0, this.#ending.signal); // Each change that runs has one.
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
      endOfDoor: this.#ending.signal,
      isToken: sameAs(options.token),
      onAdmitted: (connection) => this.#strangers.delete(connection),
      onGone: (connection) => this.#left(connection),
    };
  }

  /** How many clients there are, those included that have yet to say the token. */
  get connections(): number {
    return this.#connections.size;
  }

  /** A client came in. The socket must stay open for answers when the client has said all. */
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

  /** Answers what runs, and closes all clients; resolves when they are gone, or after this time. */
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

/** Compares with a secret; how long that takes tells nothing of it, not even its length. */
function sameAs(secret: string): (text: string) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const right = digest(secret);
  return (text) => timingSafeEqual(digest(text), right);
}
