import type { PathKey, VaultPath } from '../../base/vault-path.ts';
import { pathKey } from '../../base/vault-path.ts';
import type { NoteChange, ServedNote, ServedNotes } from '../vault/served-notes.ts';
import { RecentTexts } from './recent-texts.ts';
import { isShownFrom, shownAfter, withShown } from './shown-ranges.ts';

/** How much is remembered; what was used least recently is forgotten first. */
interface ServedLimits {
  readonly connectionsMax: number;
  /** Notes of one connection. */
  readonly connectionNotesMax: number;
  /** Texts of all connections together. When a text is forgotten, the version is still known. */
  readonly servedBytesMax: number;
}

/** What one connection was shown of one note. Its text is in `RecentTexts`. */
type Entry = Omit<ServedNote, 'text'>;

/**
 * Remembers what the connections of a vault were shown of its notes, within limits; see
 * `ServedNotes`.
 */
export class ServedMemory {
  readonly #limits: ServedLimits;
  readonly #texts: RecentTexts;
  /**
   * By connection and path, the most recently used last. Most disks ignore case, and so do the
   * keys; when the paths of two notes differ only in case, the one that was read last counts.
   */
  readonly #connections = new Map<string, Map<PathKey, Entry>>();

  constructor(limits: ServedLimits) {
    this.#limits = limits;
    this.#texts = new RecentTexts(limits.servedBytesMax);
  }

  /** The memory of one connection. */
  forConnection(id: string): ServedNotes {
    return {
      of: (path) => this.#of(id, path),
      shown: ({ path, text, version }, range = { start: 0, end: text.length }) => {
        const known = this.#entry(id, path, version);
        const shown = withShown(text, known?.shown ?? [], range);
        const whole = known?.whole === true || isShownFrom(text, shown, 0);
        this.#put(id, path, { version, whole, shown }, text);
      },
      changed: (change) => this.#changed(id, change),
    };
  }

  /** Forgets a connection that has ended. */
  forget(id: string): void {
    for (const entry of this.#connections.get(id)?.values() ?? []) this.#texts.delete(entry);
    this.#connections.delete(id);
  }

  #of(id: string, path: VaultPath): ServedNote | undefined {
    const entry = this.#entry(id, path);
    if (entry === undefined) return undefined;
    const text = this.#texts.get(entry);
    this.#put(id, path, entry, text); // Makes it the most recently used.
    return text === undefined ? entry : { ...entry, text };
  }

  #changed(id: string, change: NoteChange): void {
    const { from, to, before, after, text } = change;
    if (from === undefined) {
      const shown = [{ start: 0, end: text?.length ?? 0 }];
      this.#put(id, to, { version: after, whole: true, shown }, text);
      return;
    }
    const known = this.#entry(id, from);
    const old = known && this.#texts.get(known);
    if (from !== to) {
      this.#remove(id, pathKey(from));
      this.#remove(id, pathKey(to)); // This entry is about another note that was there before.
    }
    if (known === undefined) return;
    if (known.version !== before) {
      // The connection was shown another version; that stays so, at the new path.
      this.#put(id, to, known, old);
      return;
    }
    // Without both texts it is not known which parts of the new one were shown before.
    const shown = old === undefined || text === undefined ? [] : shownAfter(old, text, known.shown);
    this.#put(id, to, { version: after, whole: known.whole, shown }, text);
  }

  /** The entry of a note; undefined when there is none, or none of `version` if that is given. */
  #entry(id: string, path: VaultPath, version?: Entry['version']): Entry | undefined {
    const entry = this.#connections.get(id)?.get(pathKey(path));
    return version === undefined || entry?.version === version ? entry : undefined;
  }

  /** Stores an entry as the most recently used, and forgets what goes over the limits. */
  #put(id: string, path: VaultPath, entry: Entry, text: string | undefined): void {
    const notes = this.#connections.get(id) ?? new Map<PathKey, Entry>();
    this.#remove(id, pathKey(path));
    notes.set(pathKey(path), entry);
    if (text !== undefined) this.#texts.set(entry, text);
    this.#connections.delete(id);
    this.#connections.set(id, notes);
    for (const oldest of notes.keys()) {
      if (notes.size <= this.#limits.connectionNotesMax) break;
      this.#remove(id, oldest);
    }
    for (const oldest of this.#connections.keys()) {
      if (this.#connections.size <= this.#limits.connectionsMax) break;
      this.forget(oldest);
    }
  }

  #remove(id: string, key: PathKey): void {
    const notes = this.#connections.get(id);
    const entry = notes?.get(key);
    if (entry === undefined) return;
    notes?.delete(key);
    this.#texts.delete(entry);
  }
}
