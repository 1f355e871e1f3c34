import { compareBytes } from '../../base/byte-order.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { fileNameOf, foldName, stemOf } from '../../base/vault-path.ts';
import { fileKind } from '../../engine/ports/file-kind.ts';
import type { FileKind } from '../../engine/ports/records.ts';
import type { SqlValue } from '../connection/open-database.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { changesMax } from '../tables/kept-tables.ts';
import { PackedNames } from './packed-names.ts';

/** How many files a block has at first. */
const blockFiles = 512;
/** How many files are read at a time; a whole number of blocks. */
const loadFiles = 2 * blockFiles;

/** The names and aliases of some files that are neighbours in path order. */
export interface NameBlock {
  /** All files of the block come at or after this path, and all files of earlier blocks before it. */
  readonly first: string;
  /** The files: ids, kinds, and the folder of each as an index into `folders`. */
  readonly ids: readonly number[];
  readonly kinds: readonly FileKind[];
  readonly folderOf: Uint16Array;
  /** The folded folders, each with a "/" at its end; the root is empty. */
  readonly folders: PackedNames;
  /** The folded names of the files; those of notes without the extension. */
  readonly names: PackedNames;
  /** The folded aliases; for each, the file in this block and the number among the file's aliases. */
  readonly aliases: PackedNames;
  readonly aliasFile: Uint16Array;
  readonly aliasSeq: Uint32Array;
}

/**
 * All names and aliases of the vault, in memory, for queries that have to test every one of them. It
 * is read at the first query. After that, only those blocks are read again in which a file was added
 * or removed or got other aliases, by whichever process.
 */
export class NameList {
  readonly connection: IndexConnection;
  #blocks: readonly NameBlock[] | undefined;
  /** The number of the last change that the blocks contain. */
  #seq = 0;

  constructor(connection: IndexConnection) {
    this.connection = connection;
  }

  /** Calls `work` with the current names, in the transaction in which they were read. */
  read<T>(work: (blocks: readonly NameBlock[]) => T): T {
    const isKept = this.connection.ensureKept('names');
    return this.connection.read(() => work(isKept ? this.#current() : this.#load('', undefined)));
  }

  /** The blocks, read again where `name_change` (see `keptTables`) lists changes. */
  #current(): readonly NameBlock[] {
    const last = this.connection.count('SELECT max(seq) AS n FROM name_change');
    // `name_change` has only the last changes.
    const isKnown = this.#blocks !== undefined && last - this.#seq < changesMax;
    if (!isKnown) this.#blocks = this.#load('', undefined);
    else if (last > this.#seq) this.#blocks = this.#loadChanged(this.#blocks ?? []);
    this.#seq = last;
    return this.#blocks ?? [];
  }

  #loadChanged(blocks: readonly NameBlock[]): readonly NameBlock[] {
    const changed = this.connection.all<{ path: string }>(
      'SELECT DISTINCT path FROM name_change WHERE seq > ? ORDER BY path',
      this.#seq,
    );
    const outdated = new Set<NameBlock>();
    let at = 0;
    for (const { path } of changed) {
      while (at + 1 < blocks.length && !isBefore(path, blocks[at + 1])) at++;
      const block = blocks[at];
      if (block !== undefined) outdated.add(block);
    }
    if (outdated.size === 0) return this.#load('', undefined);
    return blocks.flatMap((block, number) =>
      outdated.has(block)
        ? this.#load(number === 0 ? '' : block.first, blocks[number + 1]?.first)
        : [block],
    );
  }

  /**
   * Reads the files from one path up to another into blocks. A part of them at a time, since what
   * SQLite returns is several times as large as the blocks.
   */
  #load(first: string, before: string | undefined): NameBlock[] {
    const blocks: NameBlock[] = [];
    for (let from: string | undefined = first; from !== undefined; ) {
      const next = this.#pathAfter(from, before);
      blocks.push(...this.#loadSome(from, next ?? before));
      from = next;
    }
    return blocks;
  }

  /** The path at which the next part begins; undefined when this is the last part. */
  #pathAfter(first: string, before: string | undefined): string | undefined {
    const row = this.connection.get<{ path: string }>(
      'SELECT path FROM file WHERE path >= ? ORDER BY path LIMIT 1 OFFSET ?',
      first,
      loadFiles,
    );
    const isInside = before === undefined || compareBytes(row?.path ?? '', before) < 0;
    return isInside ? row?.path : undefined;
  }

  /** Reads one part, from one path up to another, into blocks. */
  #loadSome(first: string, before: string | undefined): NameBlock[] {
    const range = before === undefined ? 'f.path >= ?' : 'f.path >= ? AND f.path < ?';
    const values: SqlValue[] = before === undefined ? [first] : [first, before];
    // As three texts: a hundred thousand rows would take many times as long. Paths contain no line
    // ends.
    const files = this.connection.get<Readonly<Record<'ids' | 'paths' | 'names', string | null>>>(
      `SELECT group_concat(id, char(10)) AS ids, group_concat(path, char(10)) AS paths,
         group_concat(name, char(10)) AS names
       FROM (SELECT f.id, f.path, f.name FROM file f WHERE ${range} ORDER BY f.path)`,
      ...values,
    );
    const ids = linesOf(files?.ids).map(Number);
    const paths = linesOf(files?.paths);
    const names = linesOf(files?.names);
    const aliases = this.#aliases(range, values);
    const blocks: NameBlock[] = [];
    for (let start = 0; start < ids.length; start += blockFiles) {
      const end = start + blockFiles;
      blocks.push(
        makeBlock({
          first: start === 0 ? first : copyOf(paths[start] ?? first),
          ids: ids.slice(start, end),
          paths: paths.slice(start, end),
          names: names.slice(start, end),
          aliases,
        }),
      );
    }
    return blocks;
  }

  #aliases(range: string, values: readonly SqlValue[]): ReadonlyMap<number, readonly string[]> {
    const row = this.connection.get<{ aliases: string }>(
      `SELECT json_group_array(json_array(a.file, a.alias) ORDER BY a.file, a.seq) AS aliases
       FROM file f CROSS JOIN alias a ON a.file = f.id WHERE ${range}`,
      ...values,
    );
    const found = new Map<number, string[]>();
    for (const [id, alias] of JSON.parse(row?.aliases ?? '[]') as [number, string][]) {
      const known = found.get(id);
      if (known === undefined) found.set(id, [alias]);
      else known.push(alias);
    }
    return found;
  }
}

function makeBlock(files: {
  readonly first: string;
  readonly ids: readonly number[];
  readonly paths: readonly string[];
  readonly names: readonly string[];
  readonly aliases: ReadonlyMap<number, readonly string[]>;
}): NameBlock {
  const { first, ids, paths, names } = files;
  const kinds = names.map(fileKind);
  const folders: string[] = [];
  const folderOf = new Uint16Array(ids.length);
  let previous: string | undefined;
  paths.forEach((path, at) => {
    const folder = path.slice(0, path.length - fileNameOf(path).length);
    // Files of one folder mostly follow each other.
    if (folder !== previous) folders.push(foldName(folder));
    previous = folder;
    folderOf[at] = folders.length - 1;
  });
  const owned = ids.flatMap((id, at) =>
    (files.aliases.get(id) ?? []).map((alias, seq) => ({ alias: foldName(alias), at, seq })),
  );
  return {
    first,
    ids,
    kinds,
    folderOf,
    folders: new PackedNames(folders),
    names: new PackedNames(names.map((name, at) => (kinds[at] === 'note' ? stemOf(name) : name))),
    aliases: new PackedNames(owned.map(({ alias }) => alias)),
    aliasFile: Uint16Array.from(owned, ({ at }) => at),
    aliasSeq: Uint32Array.from(owned, ({ seq }) => seq),
  };
}

/** The folded path of a file of a block, without the extension of a note. */
export function foldedPath(block: NameBlock, at: number): string {
  return block.folders.at(block.folderOf[at] ?? 0) + block.names.at(at);
}

/** The paths of files, in the order of their ids as given. */
export function pathsOf(connection: IndexConnection, ids: readonly number[]): VaultPath[] {
  return connection
    .all<{ path: VaultPath }>(
      `SELECT f.path FROM json_each(?) j CROSS JOIN file f ON f.id = j.value ORDER BY j.key`,
      JSON.stringify(ids),
    )
    .map(({ path }) => path);
}

/** Whether a path comes before a block. Compares bytes, as SQLite does. */
function isBefore(path: string, block: NameBlock | undefined): boolean {
  return block !== undefined && compareBytes(path, block.first) < 0;
}

/** A copy of a text. A slice would make V8 keep the whole long text in memory that it is a part of. */
function copyOf(path: string): string {
  return Array.from(path).join('');
}

function linesOf(text: string | null | undefined): string[] {
  return text === null || text === undefined || text === '' ? [] : text.split('\n');
}
