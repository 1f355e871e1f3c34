/** What a session takes up again when it is revived. */
export interface SessionMemory {
  /** The URIs of the resources that its client has subscribed to. */
  readonly resources: readonly string[];
  /** The level that its client has set for the log. */
  readonly logLevel?: string;
}

/**
 * What a server keeps of its MCP sessions, so that they go on after a restart. Several servers may use
 * one book. Fails with a `VaultError` when it cannot be read or written.
 */
export interface SessionBook {
  /** The key that signs session ids; the same after a restart. */
  key(): Promise<Uint8Array>;
  /**
   * Remembers that a client has ended a session, until `untilMs`, when the id expires anyway, and
   * forgets what was kept of it.
   */
  deleted(id: string, untilMs: number): Promise<void>;
  isDeleted(id: string): Promise<boolean>;
  /**
   * Keeps what a session takes up again when it is revived, in place of what was kept before.
   * Resolves when it is on disk.
   */
  keep(id: string, memory: SessionMemory): Promise<void>;
  /** What was kept of a session; undefined when nothing was, or too long ago. */
  recall(id: string): Promise<SessionMemory | undefined>;
}
