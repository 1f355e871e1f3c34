import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { limits } from '../../base/limits.ts';
import { Listeners } from '../../base/listeners.ts';
import type { BriefBook, BriefBooks, BriefEntry } from '../../oauth/ports/brief-book.ts';

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

/** An open console as it is kept, by the hash of its cookie. */
interface KeptConsole {
  readonly id: string;
  readonly sinceMs: number;
  /** The hash of the key that the page keeps, in hex. */
  readonly keyHash: string;
  /** See `ConsoleSessionsParts.owner`. */
  readonly owner: string;
}

interface ConsoleSessionsParts {
  readonly brief: BriefBooks;
  readonly nowMs: () => number;
  /**
   * A text that is another one when the owner was forgotten or has another passphrase; empty while there
   * is no owner, undefined where that cannot be found out now. It may be a second old, unless the newest
   * is asked for.
   */
  readonly owner: (how?: { readonly newest: true }) => Promise<string | undefined>;
}

const secretBytes = 32;
const secretForm = /^[\w-]{43}$/;

/**
 * Who may use the console: one-time keys that open it, and the consoles that are open. A console has
 * two secrets, a cookie and a key in the page's storage, because browsers send cookies of `localhost`
 * to every port of it. All secrets have 256 random bits, and only their hashes are kept. They end with the
 * owner's passphrase, and those of one server with a restart.
 */
export class ConsoleSessions {
  readonly #parts: ConsoleSessionsParts;
  readonly #oneTime: BriefBook<Pick<KeptConsole, 'owner'>>;
  readonly #open: BriefBook<KeptConsole>;
  /** Told the ids of consoles that were signed out here. */
  readonly ended = new Listeners<string>();

  constructor(parts: ConsoleSessionsParts) {
    this.#parts = parts;
    this.#oneTime = parts.brief.open('console_key', limits.consoleKeysMax);
    this.#open = parts.brief.open('console', limits.consoleSessionsMax);
  }

  /** Makes a key that opens the console once, within `limits.consoleKeyMs`. */
  async makeKey(): Promise<string> {
    const key = newSecret();
    const entry = { owner: (await this.#parts.owner()) ?? '' };
    const keep = { entry, forMs: limits.consoleKeyMs };
    await this.#oneTime.change(hashOf(key), () => ({ keep, answer: undefined }));
    return key;
  }

  /** Opens a console with a one-time key; undefined when it is wrong, used or too old. */
  async enter(
    oneTimeKey: string,
  ): Promise<{ readonly cookie: string; readonly key: string } | undefined> {
    const found = await this.#oneTime.change(hashOf(oneTimeKey), (kept) =>
      kept === undefined ? { answer: undefined } : { keep: 'forget', answer: kept.entry },
    );
    const owner = found && (await this.#sameOwner([found]));
    if (found === undefined || !isSameOwner(found, owner)) return undefined;
    const [cookie, key] = [newSecret(), newSecret()];
    const entry: KeptConsole = {
      id: randomUUID(),
      sinceMs: this.#parts.nowMs(),
      keyHash: hashOf(key),
      owner: owner ?? found.owner,
    };
    const keep = { entry, forMs: limits.consoleSessionMs };
    await this.#open.change(hashOf(cookie), () => ({ keep, answer: undefined }));
    return { cookie, key };
  }

  /** The console of these two halves, which is used now; undefined unless both are right. */
  async find({ cookie = '', key = '' }: Halves): Promise<ConsoleSession | undefined> {
    if (!secretForm.test(cookie) || !secretForm.test(key)) return undefined;
    const kept = await this.#open.get(hashOf(cookie));
    if (kept === undefined) return undefined;
    const { entry, ageMs } = kept;
    if (!timingSafeEqual(Buffer.from(entry.keyHash, 'hex'), sha256(key))) return undefined;
    const owner = await this.#sameOwner([entry]);
    if (!isSameOwner(entry, owner)) {
      await this.#end(kept);
      return undefined;
    }
    const nowMs = this.#parts.nowMs();
    if (ageMs >= limits.consoleUsedMs) {
      const used = { ...entry, owner: owner ?? entry.owner };
      await this.#open.change(kept.id, (now) =>
        now === undefined
          ? { answer: undefined }
          : { keep: { entry: used, forMs: limits.consoleSessionMs }, answer: undefined },
      );
    }
    return { id: entry.id, sinceMs: entry.sinceMs, usedMs: nowMs };
  }

  async list(): Promise<readonly ConsoleSession[]> {
    const nowMs = this.#parts.nowMs();
    return (await this.#living()).map(({ entry: { id, sinceMs }, ageMs }) => ({
      id,
      sinceMs,
      usedMs: nowMs - Math.round(ageMs),
    }));
  }

  /** Signs one console out. */
  async end(id: string): Promise<void> {
    for (const kept of await this.#open.all()) if (kept.entry.id === id) await this.#end(kept);
  }

  /** Signs all consoles out, and makes all one-time keys worthless. */
  async endAll(): Promise<void> {
    await this.#oneTime.clear();
    for (const kept of await this.#open.all()) await this.#end(kept);
  }

  async #living(): Promise<readonly BriefEntry<KeptConsole>[]> {
    const all = await this.#open.all();
    const owner = await this.#sameOwner(all.map(({ entry }) => entry));
    // From the first passphrase on, a console ends with it, also one that is not used.
    if (owner !== undefined && owner !== '') {
      for (const { id, entry } of all) {
        if (entry.owner !== '') continue;
        await this.#open.change(id, (now) =>
          now === undefined
            ? { answer: undefined }
            : { keep: { entry: { ...now.entry, owner } }, answer: undefined },
        );
      }
    }
    return all.filter(({ entry }) => isSameOwner(entry, owner));
  }

  /** The owner, looked up anew where these are not all of the same: a passphrase may just have been set. */
  async #sameOwner(kept: readonly Pick<KeptConsole, 'owner'>[]): Promise<string | undefined> {
    const owner = await this.#parts.owner();
    const areSame = kept.every((each) => isSameOwner(each, owner));
    return areSame ? owner : this.#parts.owner({ newest: true });
  }

  async #end({ id, entry }: BriefEntry<KeptConsole>): Promise<void> {
    await this.#open.change(id, () => ({ keep: 'forget', answer: undefined }));
    this.ended.tell(entry.id);
  }
}

/** Whether the owner is still the one of that time. A console that was open before there was one goes on. */
function isSameOwner(kept: Pick<KeptConsole, 'owner'>, owner: string | undefined): boolean {
  return owner === undefined || kept.owner === '' || kept.owner === owner;
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
