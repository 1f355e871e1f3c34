import type { Caller, Scopes } from '../../../base/caller.ts';
import type { Service } from '../../../tools/service/service.ts';
import { resourceAddress } from './resource-uri.ts';

interface Subscription {
  /** Who subscribed: a listener of the 2026 protocol by its id, or the connection itself. */
  readonly owners: Set<unknown>;
  /** Resolves, when the subscription has begun, to what ends it. */
  readonly end: Promise<() => void>;
}

/**
 * The resources that a connection has subscribed to. Each change is notified once, however many
 * owners have subscribed.
 */
export class ResourceSubscriptions {
  readonly #subscribe: (uri: string, scopes: Scopes) => Promise<() => void>;
  readonly #scopes: Scopes;
  readonly #onChanged: () => Promise<void>;
  readonly #open = new Map<string, Subscription>();

  constructor(parts: {
    readonly service: Service;
    readonly caller: Caller;
    readonly notify: (uri: string) => void;
    /** Called after the subscriptions have changed. Never rejects. */
    readonly onChanged?: () => Promise<void>;
  }) {
    const { service, caller, notify } = parts;
    this.#subscribe = async (uri, scopes) => {
      const { path, ...where } = resourceAddress(uri);
      return service.subscribe(path, { ...caller, scopes, ...where }, () => notify(uri));
    };
    this.#scopes = caller.scopes;
    this.#onChanged = parts.onChanged ?? (async () => undefined);
  }

  /** The resources that are subscribed to. */
  get uris(): readonly string[] {
    return [...this.#open.keys()];
  }

  /**
   * Subscribes; a second time has no effect. Fails with a `VaultError` if there is no such resource,
   * or the caller may not see it. `scopes` are those of the request, where it has its own.
   */
  async add(owner: unknown, uri: string, scopes = this.#scopes): Promise<void> {
    const subscription = this.#open.get(uri) ?? {
      owners: new Set(),
      end: this.#subscribe(uri, scopes),
    };
    subscription.owners.add(owner);
    this.#open.set(uri, subscription);
    try {
      await subscription.end;
    } catch (error) {
      this.remove(owner, uri);
      throw error;
    }
    await this.#onChanged();
  }

  /** Unsubscribes; has no effect when there is no such subscription. */
  remove(owner: unknown, uri: string): void {
    const subscription = this.#open.get(uri);
    if (!subscription?.owners.delete(owner) || subscription.owners.size > 0) return;
    this.#open.delete(uri);
    void this.#onChanged();
    subscription.end.then(
      (end) => end(),
      () => undefined, // It never began.
    );
  }

  /** Ends all subscriptions of an owner. */
  removeAll(owner: unknown): void {
    for (const uri of [...this.#open.keys()]) this.remove(owner, uri);
  }

  /** Ends all subscriptions. */
  close(): void {
    for (const { owners } of [...this.#open.values()]) {
      for (const owner of [...owners]) this.removeAll(owner);
    }
  }
}
