import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { rights, type Scopes, type ServedToolset, servedToolsets } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { isVaultPath, type VaultFolder } from '../../base/vault-path.ts';
import { diskError } from '../system/disk-error.ts';
import { replacePrivateFile, WatchedFile } from '../system/private-files.ts';

type Effects = Scopes['effects'];

/** What is known about a token. The token itself is never stored. */
export interface KeptToken {
  /** 8 hex digits, for users and for the log. */
  readonly id: string;
  readonly name: string;
  readonly effects: Effects;
  readonly folders: readonly VaultFolder[];
  /** The toolsets that the token is for; absent for those of the server. */
  readonly tools?: readonly ServedToolset[];
  readonly createdMs: number;
  /** Absent when the token never expires. */
  readonly expiresMs?: number;
}

/** What the holder of a token may do, and with which tools. */
interface FoundToken extends Pick<KeptToken, 'id' | 'tools'> {
  readonly scopes: Pick<Scopes, 'effects' | 'folders'>;
}

/** A token as the file has it. */
interface Entry extends KeptToken {
  /** The token's hash in hex. A token is random enough that no slower hash is needed. */
  readonly sha256: string;
}

interface TokenBookParts {
  /** The state folders of the vaults that are served. */
  readonly folders: () => Promise<readonly string[]>;
  /** Runs its work while no other process changes the files in this folder. */
  readonly alone: <T>(folder: string, work: () => Promise<T>) => Promise<T>;
  readonly nowMs: () => number;
}

/**
 * The tokens that give access, kept outside the vault. Every call looks at the files as they are now.
 */
export interface TokenBook {
  /**
   * Creates a token and returns it; it cannot be read again later. Fails with `already_exists` when
   * the name is taken, and with `too_large` when there are too many.
   */
  create(
    wanted: Pick<KeptToken, 'name' | 'effects' | 'folders' | 'tools' | 'expiresMs'>,
  ): Promise<{ readonly token: string; readonly kept: KeptToken }>;
  /** The tokens that are valid for all served vaults, including expired ones. */
  list(): Promise<readonly KeptToken[]>;
  /** Removes the token with this id or name. Fails with `not_found` or `ambiguous`. */
  revoke(idOrName: string): Promise<KeptToken>;
  /**
   * The token with this SHA-256; `ended` for one that has expired, undefined for one that is unknown or
   * revoked. Compares in constant time.
   */
  find(sha256: Uint8Array): Promise<FoundToken | 'ended' | undefined>;
  /** Whether the token with this id is valid now. */
  isValid(id: string): Promise<boolean>;
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
  readonly #files = new Map<string, WatchedFile<readonly Entry[]>>();

  constructor(parts: TokenBookParts) {
    this.#parts = parts;
  }

  async create(wanted: Parameters<TokenBook['create']>[0]): ReturnType<TokenBook['create']> {
    const { name, effects, folders, tools, expiresMs } = wanted;
    const token = `vd_${randomBytes(tokenBytes).toString('base64url')}`;
    const kept: KeptToken = {
      id: randomBytes(idBytes).toString('hex'),
      name,
      effects,
      folders,
      ...(tools === undefined ? {} : { tools }),
      createdMs: this.#parts.nowMs(),
      ...(expiresMs === undefined ? {} : { expiresMs }),
    };
    const sha256 = createHash('sha256').update(token).digest('hex');
    const add = (entries: readonly Entry[]) => [...withRoomFor(name, entries), { ...kept, sha256 }];
    // Check all files before writing the first: the name may be taken in the last one.
    for (const folder of await this.#parts.folders()) add(await this.#entriesOf(folder));
    await this.#change(add);
    return { token, kept };
  }

  async list(): Promise<readonly KeptToken[]> {
    return (await this.#shared()).map(keptOf);
  }

  async revoke(idOrName: string): Promise<KeptToken> {
    const all = (await this.#all()).flat();
    const meant = all.filter(({ id, name }) => id === idOrName || name === idOrName);
    const [first] = meant;
    if (first === undefined) {
      throw new VaultError(
        'not_found',
        'There is no token with this id or name; "vaultdoor token list" shows all tokens.',
      );
    }
    if (meant.some(({ id }) => id !== first.id)) {
      throw new VaultError(
        'ambiguous',
        'Several tokens have this name; revoke one by its id, which "vaultdoor token list" shows.',
      );
    }
    await this.#change((entries) => entries.filter(({ id }) => id !== first.id));
    return keptOf(first);
  }

  async find(sha256: Uint8Array): ReturnType<TokenBook['find']> {
    let found: Entry | undefined;
    // No early end: the time that this takes must not reveal which token it was.
    for (const entry of await this.#shared()) {
      const isMatch = timingSafeEqual(Buffer.from(entry.sha256, 'hex'), sha256);
      if (isMatch) found = entry;
    }
    if (found === undefined) return undefined;
    if (!this.#isAlive(found)) return 'ended';
    const { id, effects, folders, tools } = found;
    return { id, scopes: { effects, folders }, ...(tools === undefined ? {} : { tools }) };
  }

  async isValid(id: string): Promise<boolean> {
    return (await this.#shared()).some((entry) => entry.id === id && this.#isAlive(entry));
  }

  /** The tokens that are in the files of all vaults. */
  async #shared(): Promise<readonly Entry[]> {
    const [first = [], ...others] = await this.#all();
    return first.filter((entry) => others.every((entries) => entries.some(isSame(entry))));
  }

  /** The entries of each vault's file. */
  async #all(): Promise<readonly (readonly Entry[])[]> {
    const folders = await this.#parts.folders();
    return Promise.all(folders.map((folder) => this.#entriesOf(folder)));
  }

  #entriesOf(folder: string): Promise<readonly Entry[]> {
    const path = join(folder, bookFile);
    const file = this.#files.get(path) ?? new WatchedFile(path, (text) => entriesIn(path, text));
    this.#files.set(path, file);
    return file.read();
  }

  async #change(edit: (entries: readonly Entry[]) => readonly Entry[]): Promise<void> {
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

  #isAlive({ expiresMs }: KeptToken): boolean {
    return expiresMs === undefined || this.#parts.nowMs() < expiresMs;
  }
}

/** Returns the entries. Fails when a token of this name cannot be added to them. */
function withRoomFor(name: string, entries: readonly Entry[]): readonly Entry[] {
  if (entries.some((entry) => entry.name === name)) {
    throw new VaultError(
      'already_exists',
      `There is a token called "${name}" already; revoke it first, or choose another name.`,
    );
  }
  if (entries.length >= limits.tokensMax) {
    throw new VaultError(
      'too_large',
      `A vault has at most ${limits.tokensMax} tokens; revoke some.`,
    );
  }
  return entries;
}

function keptOf({ sha256: _, ...kept }: Entry): KeptToken {
  return kept;
}

function isSame(entry: Entry): (other: Entry) => boolean {
  const text = JSON.stringify(entry);
  return (other) => JSON.stringify(other) === text;
}

/** The entries in the text of a file. Fails when it is damaged: a guess could give access to anyone. */
function entriesIn(path: string, text: string | undefined): readonly Entry[] {
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

function entryOf(value: unknown): Entry {
  const entry = value as Entry;
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
