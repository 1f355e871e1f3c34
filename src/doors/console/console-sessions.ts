import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { limits } from '../../base/limits.ts';
import { Listeners } from '../../base/listeners.ts';

/** An open console: a browser in which the owner has signed in. */
export interface ConsoleSession {
  /** Random; the history groups the owner's changes by it. It is good for nothing else. */
  readonly id: string;
  readonly sinceMs: number;
  readonly usedMs: number;
}

/** What a browser has to show of a sign-in: the cookie, and the key that the page keeps. */
interface Halves {
  readonly cookie: string | undefined;
  readonly key: string | undefined;
}

interface Kept extends ConsoleSession {
  readonly keyHash: Buffer;
}

const secretBytes = 32;
const secretForm = /^[\w-]{43}$/;

/**
 * Who may use the console: one-time keys that open it, and the consoles that are open. A console has
 * two secrets, a cookie and a key in the page's storage, because browsers send cookies of `localhost`
 * to every port of it. All secrets have 256 random bits, and only their hashes are kept, in memory: a
 * restart signs everyone out.
 */
export class ConsoleSessions {
  readonly #nowMs: () => number;
  /** The hashes of one-time keys, with the times at which they end; the oldest first. */
  readonly #oneTime = new Map<string, number>();
  /** By the hashes of their cookies; the one that was used longest ago first. */
  readonly #open = new Map<string, Kept>();
  /** Told the ids of consoles that were signed out. */
  readonly ended = new Listeners<string>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Makes a key that opens the console once, within `limits.consoleKeyMs`. */
  makeKey(): string {
    const key = newSecret();
    const [oldest] = this.#oneTime.keys();
    if (this.#oneTime.size >= limits.consoleKeysMax && oldest !== undefined) {
      this.#oneTime.delete(oldest);
    }
    this.#oneTime.set(hashOf(key), this.#nowMs() + limits.consoleKeyMs);
    return key;
  }

  /** Opens a console with a one-time key; undefined when it is wrong, used or too old. */
  enter(oneTimeKey: string): { readonly cookie: string; readonly key: string } | undefined {
    const hash = hashOf(oneTimeKey);
    const endsMs = this.#oneTime.get(hash);
    this.#oneTime.delete(hash);
    const nowMs = this.#nowMs();
    if (endsMs === undefined || nowMs >= endsMs) return undefined;
    const [cookie, key] = [newSecret(), newSecret()];
    const [oldest] = this.#open;
    if (this.#open.size >= limits.consoleSessionsMax && oldest !== undefined) this.#end(oldest[0]);
    const keyHash = sha256(key);
    const id = randomUUID();
    this.#open.set(hashOf(cookie), { id, sinceMs: nowMs, usedMs: nowMs, keyHash });
    return { cookie, key };
  }

  /** The console of these two halves, which is used now; undefined unless both are right. */
  find({ cookie = '', key = '' }: Halves): ConsoleSession | undefined {
    if (!secretForm.test(cookie) || !secretForm.test(key)) return undefined;
    const hash = hashOf(cookie);
    const kept = this.#open.get(hash);
    if (kept === undefined || !timingSafeEqual(kept.keyHash, sha256(key))) return undefined;
    const nowMs = this.#nowMs();
    if (!this.#isAlive(kept)) {
      this.#end(hash);
      return undefined;
    }
    const used = { ...kept, usedMs: nowMs };
    this.#open.delete(hash); // Becomes the last one: the most recently used.
    this.#open.set(hash, used);
    return used;
  }

  /** Whether the console with this id is still signed in; asking does not count as use. */
  isOpen(id: string): boolean {
    return this.list().some((session) => session.id === id);
  }

  list(): readonly ConsoleSession[] {
    return [...this.#open.values()]
      .filter((kept) => this.#isAlive(kept))
      .map(({ id, sinceMs, usedMs }) => ({ id, sinceMs, usedMs }));
  }

  /** Signs one console out. */
  end(id: string): void {
    for (const [hash, kept] of this.#open) if (kept.id === id) this.#end(hash);
  }

  /** Signs all consoles out, and makes all one-time keys worthless. */
  endAll(): void {
    this.#oneTime.clear();
    for (const hash of [...this.#open.keys()]) this.#end(hash);
  }

  #isAlive({ usedMs }: Kept): boolean {
    return this.#nowMs() - usedMs < limits.consoleSessionMs;
  }

  #end(hash: string): void {
    const kept = this.#open.get(hash);
    this.#open.delete(hash);
    if (kept !== undefined) this.ended.tell(kept.id);
  }
}

function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function hashOf(text: string): string {
  return sha256(text).toString('hex');
}
