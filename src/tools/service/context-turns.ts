import type { Clock } from '../../engine/ports/ports.ts';
import type { Toolset } from '../define/toolset.ts';

interface Connection {
  lastCallMs: number;
  /** The toolsets whose context it was told, or is being told. */
  readonly told: Set<Toolset>;
  /** The toolsets whose context was asked for before: that may hold up one call, not each. */
  readonly asked: Set<Toolset>;
}

/** Whose turn it is to be told the context of a toolset: each connection's, once and after idling. */
export class ContextTurns {
  readonly #clock: Clock;
  readonly #connectionsMax: number;
  /** Those that called last stand last. */
  readonly #connections = new Map<string, Connection>();

  constructor(clock: Clock, { connectionsMax }: { readonly connectionsMax: number }) {
    this.#clock = clock;
    this.#connectionsMax = connectionsMax;
  }

  /** A connection calls: after too long without a call or an answer, it is its turn again. */
  began(id: string): void {
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

  /** A call of a connection has its answer. */
  ended(id: string): void {
    const connection = this.#connections.get(id);
    if (connection !== undefined) connection.lastCallMs = this.#clock.nowMs();
  }

  /**
   * Collects the context if it is the connection's turn: of several calls at once, one does. When
   * that fails or gives nothing, it is the turn of the next.
   */
  async take(
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

  forget(id: string): void {
    this.#connections.delete(id);
  }
}
