/**
 * Remembers the names (`meta.cid`) that clients gave to their changes. The notifications of a change
 * carry its name, so that a client recognizes its own changes.
 */
export class Correlations {
  readonly #timers: { after(ms: number, call: () => void): () => void };
  readonly #keptMs: number;
  /** The last named change of each path. `told` has the subscriptions that got its name already. */
  readonly #changes = new Map<string, { readonly cid: string; readonly told: Set<string> }>();

  constructor(parts: {
    readonly timers: { after(ms: number, call: () => void): () => void };
    readonly keptMs: number;
  }) {
    this.#timers = parts.timers;
    this.#keptMs = parts.keptMs;
  }

  /**
   * Notes that a change with this name is about to change these paths. The name is forgotten after
   * `keptMs`, or when the returned function is called.
   */
  note(paths: readonly string[], cid: string): () => void {
    const change = { cid, told: new Set<string>() };
    for (const path of paths) this.#changes.set(path, change);
    const forget = (): void => {
      for (const path of paths) {
        if (this.#changes.get(path) === change) this.#changes.delete(path);
      }
    };
    this.#timers.after(this.#keptMs, forget);
    return forget;
  }

  /** The name of a path's last change, once for each subscription; undefined when there is none. */
  take(path: string, subscription: string): string | undefined {
    const change = this.#changes.get(path);
    const key = `${subscription} ${path}`;
    if (change === undefined || change.told.has(key)) return undefined;
    change.told.add(key);
    return change.cid;
  }
}
