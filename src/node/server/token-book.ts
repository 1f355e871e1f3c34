import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { rights, type ServedToolset, servedToolsets } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { isVaultPath } from '../../base/vault-path.ts';
import {
  hasEnded,
  type KeptToken,
  keptOf,
  meantToken,
  newKeptToken,
  shownToken,
  type TokenBook,
  type TokenEntry,
  withRoomFor,
} from '../../oauth/ports/token-book.ts';
import { diskError } from '../system/disk-error.ts';
import { replacePrivateFile, WatchedFile } from '../system/private-files.ts';

interface TokenBookParts {
  /** The state folders of the vaults that are served. */
  readonly folders: () => Promise<readonly string[]>;
  /** Runs its work while no other process changes the files in this folder. */
  readonly alone: <T>(folder: string, work: () => Promise<T>) => Promise<T>;
  readonly nowMs: () => number;
}

/** The name of the file in a vault's state folder. */
const bookFile = 'tokens.json';
const tokenBytes = 32;
const idBytes = 4;

/**
 * The tokens of one vault, or of several vaults that are served together: then a token must be in the
 * files of all of them. If a file cannot be read, every call fails, so nobody gets access.
 */
export function openTokenBook(parts: TokenBookParts): TokenBook {
  return new FileTokenBook(parts);
}

class FileTokenBook implements TokenBook {
  readonly #parts: TokenBookParts;
  readonly #files = new Map<string, WatchedFile<readonly TokenEntry[]>>();

  constructor(parts: TokenBookParts) {
    this.#parts = parts;
  }

  async create(wanted: Parameters<TokenBook['create']>[0]): ReturnType<TokenBook['create']> {
    const token = `vd_${randomBytes(tokenBytes).toString('base64url')}`;
    const id = randomBytes(idBytes).toString('hex');
    const kept = newKeptToken(wanted, { id, createdMs: this.#parts.nowMs() });
    const sha256 = createHash('sha256').update(token).digest('hex');
    const room = { name: kept.name, max: limits.tokensMax };
    const add = (entries: readonly TokenEntry[]) => [
      ...withRoomFor(room, entries),
      { ...kept, sha256 },
    ];
    // Check all files before writing the first: the name may be taken in the last one.
    for (const folder of await this.#parts.folders()) add(await this.#entriesOf(folder));
    await this.#change(add);
    return { token, kept };
  }

  async list(): Promise<readonly KeptToken[]> {
    return (await this.#shared()).map(keptOf);
  }

  async revoke(idOrName: string): Promise<KeptToken> {
    const meant = meantToken((await this.#all()).flat(), idOrName);
    await this.#change((entries) => entries.filter(({ id }) => id !== meant.id));
    return keptOf(meant);
  }

  async find(sha256: Uint8Array): ReturnType<TokenBook['find']> {
    let found: TokenEntry | undefined;
    // No early end: the time that this takes must not reveal which token it was.
    for (const entry of await this.#shared()) {
      const isMatch = timingSafeEqual(Buffer.from(entry.sha256, 'hex'), sha256);
      if (isMatch) found = entry;
    }
    return found === undefined ? undefined : shownToken(found, this.#parts.nowMs());
  }

  async isValid(id: string): Promise<boolean> {
    const nowMs = this.#parts.nowMs();
    return (await this.#shared()).some((entry) => entry.id === id && !hasEnded(entry, nowMs));
  }

  /** The tokens that are in the files of all vaults. */
  async #shared(): Promise<readonly TokenEntry[]> {
    const [first = [], ...others] = await this.#all();
    return first.filter((entry) => others.every((entries) => entries.some(isSame(entry))));
  }

  /** The entries of each vault's file. */
  async #all(): Promise<readonly (readonly TokenEntry[])[]> {
    const folders = await this.#parts.folders();
    return Promise.all(folders.map((folder) => this.#entriesOf(folder)));
  }

  #entriesOf(folder: string): Promise<readonly TokenEntry[]> {
    const path = join(folder, bookFile);
    const file = this.#files.get(path) ?? new WatchedFile(path, (text) => entriesIn(path, text));
    this.#files.set(path, file);
    return file.read();
  }

  async #change(edit: (entries: readonly TokenEntry[]) => readonly TokenEntry[]): Promise<void> {
    for (const folder of await this.#parts.folders()) {
      await this.#parts.alone(folder, async () => {
        const path = join(folder, bookFile);
        const tokens = edit(await this.#entriesOf(folder));
        await replacePrivateFile(path, `${JSON.stringify({ tokens }, undefined, 2)}\n`).catch(
          (error: unknown) => {
            throw diskError(path, error, 'write');
          },
        );
      });
    }
  }
}

function isSame(entry: TokenEntry): (other: TokenEntry) => boolean {
  const text = JSON.stringify(entry);
  return (other) => JSON.stringify(other) === text;
}

/** The entries in the text of a file. Fails when it is damaged: a guess could give access to anyone. */
function entriesIn(path: string, text: string | undefined): readonly TokenEntry[] {
  if (text === undefined) return [];
  try {
    const { tokens } = JSON.parse(text) as { tokens: unknown };
    if (Array.isArray(tokens)) return tokens.map(entryOf);
  } catch {
    // The error is thrown below.
  }
  throw new VaultError(
    'io_failed',
    `"${path}" is damaged; delete it, and create your tokens again with "vaultdoor token create".`,
  );
}

function entryOf(value: unknown): TokenEntry {
  const entry = value as TokenEntry;
  const isWhole =
    /^[0-9a-f]{64}$/.test(entry.sha256) &&
    [entry.id, entry.name].every((field) => typeof field === 'string') &&
    entry.effects.every((effect) => rights.includes(effect)) &&
    entry.folders.every((folder) => folder === '' || isVaultPath(folder)) &&
    (entry.tools === undefined || areToolsets(entry.tools)) &&
    typeof entry.createdMs === 'number' &&
    (entry.expiresMs === undefined || typeof entry.expiresMs === 'number');
  if (!isWhole) throw new VaultError('io_failed', 'An entry of the book is damaged.');
  return entry;
}

function areToolsets(tools: readonly ServedToolset[]): boolean {
  return tools.length > 0 && tools.every((name) => servedToolsets.includes(name));
}
