import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { EmbeddedNote, MeaningStore, Neighbours } from '../../engine/ports/meaning.ts';
import type { View } from '../../engine/ports/view.ts';
import { Connection } from '../connection/connection.ts';
import { isDamaged, isUnusable } from '../connection/database-error.ts';
import { openDatabase } from '../connection/open-database.ts';
import { whileBusy } from '../connection/while-busy.ts';
import { IndexLease } from '../index/index-lease.ts';
import { discardIndex } from '../index/open-index-database.ts';
import { MeaningVectors, packVectors, type StoredVectors } from './meaning-vectors.ts';

/** Of how the vectors are stored, and how notes are cut into passages. */
const format = 1;
const hashBytes = 16;
const busyMs = 10_000;
const memory = ':memory:';

const schema = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS note (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- Another one after each change.
    path TEXT NOT NULL UNIQUE,
    stamp TEXT NOT NULL,
    hashes BLOB NOT NULL,
    lines BLOB NOT NULL,
    scales BLOB NOT NULL,
    numbers BLOB NOT NULL
  );`;

interface NoteRow {
  readonly id: number;
  readonly path: VaultPath;
  readonly hashes: Uint8Array;
  readonly lines: Uint8Array;
  readonly scales: Uint8Array;
  readonly numbers: Uint8Array;
}

/**
 * Opens the vectors of a model. A file that is damaged is thrown away; while it cannot be written, the
 * vectors are only in memory. They are read into memory by the first question.
 */
export async function openSqliteMeaning(options: {
  readonly file: string;
  readonly leaseFile: string;
  readonly model: string;
  readonly bytesMax?: number;
}): Promise<MeaningStore> {
  const { file, leaseFile, model, bytesMax = limits.meaningBytesMax } = options;
  if (file !== memory) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  for (let attempt = 1; ; attempt++) {
    try {
      const connection = await whileBusy(busyMs, () => openTables(file));
      const key = JSON.stringify([format, model]);
      return new SqliteMeaningStore(connection, {
        lease: new IndexLease(leaseFile),
        key,
        bytesMax,
      });
    } catch (error) {
      if (isDamaged(error) && attempt === 1) await discardIndex(file);
      else if (!isUnusable(error) || file === memory) throw error;
      else return openSqliteMeaning({ ...options, file: memory, leaseFile: memory });
    }
  }
}

async function openTables(file: string): Promise<Connection> {
  const connection = new Connection(await openDatabase(file));
  try {
    connection.exec(
      'PRAGMA busy_timeout = 0; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL',
    );
    connection.write(() => connection.exec(schema));
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

class SqliteMeaningStore implements MeaningStore {
  readonly #connection: Connection;
  readonly #lease: IndexLease;
  /** Names the model and the format of its vectors. */
  readonly #key: string;
  readonly #bytesMax: number;
  #vectors: MeaningVectors | undefined;
  /** The last row that is in memory, and how many notes there were then. */
  #lastId = 0;
  #count = -1;
  /** The last row and the number of notes when there were too many vectors. */
  #tooMany = '';

  constructor(
    connection: Connection,
    {
      lease,
      key,
      bytesMax,
    }: { readonly lease: IndexLease; readonly key: string; readonly bytesMax: number },
  ) {
    this.#connection = connection;
    this.#lease = lease;
    this.#key = key;
    this.#bytesMax = bytesMax;
  }

  async tryLease() {
    if (!(await this.#lease.tryTake())) return false;
    if (this.#meta('model') === this.#key) return true;
    await this.#write(() => {
      this.#connection.exec('DELETE FROM note; DELETE FROM meta');
      this.#connection.run("INSERT INTO meta (name, value) VALUES ('model', ?)", this.#key);
    });
    return true;
  }

  async notes() {
    return this.#connection
      .all<{ path: VaultPath; stamp: string }>('SELECT path, stamp FROM note')
      .map(({ path, stamp }) => [path, stamp] as const);
  }

  async hashes(paths: readonly VaultPath[]) {
    return paths.map((path) => {
      const row = this.#row(path);
      return row === undefined ? [] : hashesOf(row.hashes);
    });
  }

  async put(notes: readonly EmbeddedNote[]) {
    const length = this.#length();
    const all = notes.flatMap(({ passages }) => passages.flatMap(({ vector }) => vector ?? []));
    const wanted = length ?? all[0]?.length;
    if (all.some((vector) => vector.length !== wanted)) {
      throw otherLength();
    }
    await this.#write(() => {
      if (length === undefined && wanted !== undefined) {
        this.#connection.run("INSERT INTO meta (name, value) VALUES ('length', ?)", String(wanted));
      }
      for (const note of notes) this.#putNote(note, wanted ?? 0);
    });
  }

  async forget(paths: readonly VaultPath[]) {
    await this.#write(() => {
      for (const path of paths) this.#connection.run('DELETE FROM note WHERE path = ?', path);
    });
    for (const path of paths) this.#vectors?.forget(path);
  }

  async clear() {
    await this.#write(() => {
      this.#connection.exec("DELETE FROM note; DELETE FROM meta WHERE name = 'length'");
    });
    this.#vectors = undefined;
  }

  async nearest(view: View, vector: Float32Array, limit: number) {
    const vectors = this.#read();
    if (vectors !== undefined && vectors.length !== vector.length) throw otherLength();
    return vectors?.nearest(view, vector, limit) ?? none;
  }

  async nearNote(view: View, path: VaultPath, limit: number) {
    const vectors = this.#read();
    const middle = vectors?.middleOf(path);
    if (vectors === undefined || middle === undefined) return none;
    const { notes, ...rest } = vectors.nearest(view, middle, limit + 1);
    return { notes: notes.filter((note) => note.path !== path).slice(0, limit), ...rest };
  }

  async close() {
    this.#lease.close();
    this.#connection.close();
  }

  #length(): number | undefined {
    const length = this.#meta('length');
    return length === undefined ? undefined : Number(length);
  }

  #meta(name: string): string | undefined {
    const select = 'SELECT value FROM meta WHERE name = ?';
    return this.#connection.get<{ value: string }>(select, name)?.value;
  }

  /** Fails with `io_failed` when there is no room. */
  async #write(change: () => void): Promise<void> {
    try {
      await whileBusy(busyMs, () => this.#connection.write(change));
    } catch (cause) {
      if (!isUnusable(cause)) throw cause;
      const message = 'The vectors of notes cannot be written: make room in the cache folder.';
      throw new VaultError('io_failed', message, { cause });
    }
  }

  #row(path: VaultPath): NoteRow | undefined {
    return this.#connection.get<NoteRow>('SELECT * FROM note WHERE path = ?', path);
  }

  #putNote({ path, stamp, passages }: EmbeddedNote, length: number): void {
    const row = this.#row(path);
    const before = new Map(
      row === undefined ? [] : hashesOf(row.hashes).map((hash, at) => [hash, at]),
    );
    const stored = row === undefined ? undefined : storedOf(row);
    const kept = passages.filter(({ hash, vector }) => vector !== undefined || before.has(hash));
    const packed = packVectors(
      kept.flatMap(({ vector }) => vector ?? []),
      [],
    );
    const scales = new Float32Array(kept.length);
    const numbers = new Int8Array(kept.length * length);
    let fresh = 0;
    kept.forEach(({ hash, vector }, at) => {
      const [from, of] =
        vector === undefined ? [before.get(hash) ?? 0, stored ?? packed] : [fresh++, packed];
      scales[at] = of.scales[from] ?? 0;
      numbers.set(of.numbers.subarray(from * length, (from + 1) * length), at * length);
    });
    this.#connection.run('DELETE FROM note WHERE path = ?', path);
    this.#connection.run(
      'INSERT INTO note (path, stamp, hashes, lines, scales, numbers) VALUES (?, ?, ?, ?, ?, ?)',
      path,
      stamp,
      hexBytes(kept.map(({ hash }) => hash)),
      bytesOf(Int32Array.from(kept, ({ line }) => line)),
      bytesOf(scales),
      bytesOf(numbers),
    );
  }

  /** All vectors in memory, with what any process has written since; undefined when there are none. */
  #read(): MeaningVectors | undefined {
    const key = this.#meta('model');
    if (key !== undefined && key !== this.#key) {
      throw new VaultError('conflict', 'Another process embeds these notes with another model.');
    }
    const last = this.#connection.count('SELECT max(id) AS n FROM note');
    const notes = this.#connection.count('SELECT count(*) AS n FROM note');
    const length = this.#length();
    if (length === undefined) {
      this.#vectors = undefined;
      return undefined;
    }
    if (this.#vectors?.length !== length) {
      this.#vectors = new MeaningVectors(length);
      this.#lastId = 0;
      this.#count = -1;
    }
    const vectors = this.#vectors;
    if (last > this.#lastId) {
      this.#checkSize(`${last} ${notes}`);
      const rows = this.#connection.iterate<NoteRow>(
        'SELECT * FROM note WHERE id > ?',
        this.#lastId,
      );
      for (const row of rows) vectors.put(row.path, storedOf(row));
      this.#lastId = last;
    }
    if (this.#count !== notes) {
      this.#count = notes;
      const there = new Set(
        this.#connection.all<{ path: string }>('SELECT path FROM note').map(({ path }) => path),
      );
      for (const path of Array.from(vectors.paths())) if (!there.has(path)) vectors.forget(path);
    }
    return vectors;
  }

  /** Fails with `too_large`, and holds no vectors, when all of them are more than memory is for. */
  #checkSize(state: string): void {
    if (this.#tooMany !== state) {
      const bytes = this.#connection.count('SELECT sum(length(numbers)) AS n FROM note');
      if (bytes <= this.#bytesMax) return;
    }
    this.#tooMany = state;
    this.#vectors = undefined;
    throw new VaultError('too_large', 'This vault has more vectors than are held in memory.');
  }
}

function otherLength(): VaultError {
  return new VaultError('conflict', 'The model answers with vectors of another length now.');
}

const none: Neighbours = { notes: [], among: 0, mean: 0, deviation: 0 };

function storedOf({ lines, scales, numbers }: NoteRow): StoredVectors {
  return {
    lines: new Int32Array(lines.slice().buffer),
    scales: new Float32Array(scales.slice().buffer),
    numbers: new Int8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength),
  };
}

function bytesOf(array: Int8Array | Int32Array | Float32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function hexBytes(hashes: readonly string[]): Uint8Array {
  return Uint8Array.from(Buffer.from(hashes.join(''), 'hex'));
}

function hashesOf(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString('hex');
  return Array.from({ length: bytes.length / hashBytes }, (_, at) =>
    text.slice(at * 2 * hashBytes, (at + 1) * 2 * hashBytes),
  );
}
