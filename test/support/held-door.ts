import { allScopes } from '../../src/base/caller.ts';
import { RemoteDoor } from '../../src/doors/remote/remote-door.ts';
import { HeldService } from './held-service.ts';
import { type ManualTimers, manualTimers } from './manual-timers.ts';
import { RemoteWire } from './remote-wire.ts';
import { socketPair } from './socket-pair.ts';

export const heldToken = '0123456789abcdef'.repeat(4);

/** The remote door over a service that a test steers. */
export class HeldDoor {
  readonly service = new HeldService();
  readonly timers: ManualTimers = manualTimers();
  /** The events of the log with their values. */
  readonly log: string[] = [];
  readonly door: RemoteDoor;

  constructor(options: Partial<ConstructorParameters<typeof RemoteDoor>[0]> = {}) {
    this.door = new RemoteDoor({
      service: this.service,
      logger: {
        log: (level, event, values) => {
          this.log.push(`${level} ${event} ${JSON.stringify(values)}`);
        },
      },
      version: '1.2.3',
      vaultRoot: '/home/me/vault',
      token: heldToken,
      scopes: allScopes,
      timers: this.timers,
      ...options,
    });
  }

  /** Someone who has not said the token. */
  async connect(): Promise<RemoteWire> {
    const { server, client } = await socketPair();
    this.door.accept(server);
    return new RemoteWire(client);
  }

  /** Someone who has. */
  async enter(): Promise<RemoteWire> {
    const wire = await this.connect();
    await wire.result('auth', { token: heldToken });
    return wire;
  }

  /** Resolves when so many calls have begun. */
  async untilBegun(count: number): Promise<void> {
    await this.until(() => this.service.begun.length >= count);
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve));
  }
}
