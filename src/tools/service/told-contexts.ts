import type { Clock } from '../../engine/ports/ports.ts';
import type { Toolset } from '../define/toolset.ts';

interface Connection {
  lastCallMs: number;
  /** The toolsets whose context the connection has got, or is getting now. */
  readonly told: Set<Toolset>;
  /** The toolsets whose context was ever asked for: only the first time may delay a call. */
  readonly asked: Set<Toolset>;
}

/**
 * Remembers which connections have got the context of a toolset (`ToolsetContext`). Each gets it
 * once, and again after a long time without calls.
 */
export class ToldContexts {
  readonly #clock: Clock;
  readonly #connectionsMax: number;
  /** In the order of their last calls, the latest last. */
  readonly #connections = new Map<string, Connection>();

  constructor(clock: Clock, { connectionsMax }: { readonly connectionsMax: number }) {
    this.#clock = clock;
    this.#connectionsMax = connectionsMax;
  }

  /** Records a call. After a long time without calls the connection is to get the context again. */
  callBegan(id: string): void {
    const nowMs = this.#clock.nowMs();
    const connection = this.#connections.get(id) ?? {
      lastCallMs: nowMs,
      told: new Set(),
      asked: new Set(),
    };
    const idleMs = nowMs - connection.lastCallMs;
    for (const toolset of Array.from(connection.told)) {
      const { everyMs = 0 } = toolset.context ?? {};
      if (everyMs > 0 && idleMs >= everyMs) connection.told.delete(toolset);
    }
    connection.lastCallMs = nowMs;
    this.#connections.delete(id);
    this.#connections.set(id, connection);
    for (const oldest of this.#connections.keys()) {
      if (this.#connections.size <= this.#connectionsMax) break;
      this.#connections.delete(oldest);
    }
  }

  /** Records that a call was answered: the time without calls counts from here. */
  callEnded(id: string): void {
    const connection = this.#connections.get(id);
    if (connection !== undefined) connection.lastCallMs = this.#clock.nowMs();
  }

  /**
   * Collects the context if the connection has yet to get it; undefined otherwise. Of several calls
   * at once only one collects it. When that fails or gives nothing, the next call tries again.
   */
  async collectOnce(
    id: string,
    toolset: Toolset,
    collect: (turn: { readonly isFirst: boolean }) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    const connection = this.#connections.get(id);
    if (connection === undefined || connection.told.has(toolset)) return undefined;
    const { told, asked } = connection;
    const isFirst = !asked.has(toolset);
    told.add(toolset);
    asked.add(toolset);
    const text = await collect({ isFirst }).catch(() => undefined);
    if (text === undefined) told.delete(toolset);
    return text;
  }

  /** Forgets a connection that has ended. */
  forget(id: string): void {
    this.#connections.delete(id);
  }
}
