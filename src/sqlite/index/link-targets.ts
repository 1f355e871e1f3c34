import { linkSegment, resolveAnywhere, resolveLink } from '../../engine/links/resolve-link.ts';
import type { SqlValue } from '../connection/open-database.ts';
import { storableText } from '../rows/storable-text.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { numbersOf } from './file-rows.ts';

/** A file as link resolution needs it. */
export interface NamedFile {
  readonly id: number;
  readonly path: string;
}

/** A link path as it is written, stored once however many files contain it. */
export interface Ref {
  readonly id: number;
  readonly path: string;
  /** Whether it contains a file name; without one it leads to its own file or nowhere. */
  readonly named: boolean;
  /**
   * The id of the file that it leads to from every source, null for none. Undefined while unknown,
   * or when the target depends on the source.
   */
  readonly anywhere: number | null | undefined;
}

/** A `Ref` whose id (0 until it is stored) and target can still be filled in. */
interface KnownRef extends Ref {
  id: number;
  anywhere: number | null | undefined;
}

/** A link path whose target is not known yet, with its last name, folded. */
interface OpenRef {
  readonly ref: KnownRef;
  readonly segment: string;
}

/** When more link paths, or names of files, are remembered than this, they are forgotten. */
const refsMax = 300_000;
const namesMax = 20_000;

/**
 * Resolves links against the stored file names, and remembers the results: most links are bare names
 * that mean one file from everywhere, so most paths are resolved once and not once for each link. The
 * results hold until files are added or removed; then `namesChanged` must be called.
 */
export class LinkTargets {
  readonly #connection: IndexConnection;
  readonly #refs = new Map<string, KnownRef>();
  /** Files by folded name, only of names that the target of some link depends on. */
  readonly #files = new Map<string, readonly NamedFile[]>();
  /** Whether all stored link paths are remembered here, so that none has to be looked up. */
  #complete = false;

  constructor(connection: IndexConnection) {
    this.#connection = connection;
  }

  /** Forgets everything: after a rollback, or when another process may have written. */
  clear(): void {
    this.#refs.clear();
    this.#files.clear();
    this.#complete = false;
  }

  /** Must be called whenever a file is added or removed. */
  namesChanged(): void {
    this.#files.clear();
    for (const ref of this.#refs.values()) ref.anywhere = undefined;
  }

  /**
   * The refs of these link paths, in the same order and ready for `targetOf`. New ones are stored.
   * Each is looked up once only: looking up texts was costly in profiles of a first build.
   */
  refsOf(paths: readonly string[]): Ref[] {
    // The memory is emptied only here, so that what a batch uses stays until it is done.
    if (this.#refs.size > refsMax) {
      this.#refs.clear();
      this.#complete = false;
    }
    if (this.#files.size > namesMax) this.#files.clear();
    // Paths that are not remembered yet, and those whose target was forgotten by `namesChanged`.
    const fresh: OpenRef[] = [];
    const reopened = new Set<KnownRef>();
    const refs: KnownRef[] = [];
    for (const path of paths) {
      const known = this.#refs.get(path);
      refs.push(known ?? this.#newRef(path, fresh));
      // A path that is new in this batch has no id yet; it is settled with the other new ones.
      if (known?.anywhere === undefined && known?.named && known.id !== 0) reopened.add(known);
    }
    if (fresh.length > 0) this.#store(fresh);
    const open = fresh.filter(({ ref }) => ref.named);
    for (const ref of reopened) open.push({ ref, segment: linkSegment(ref.path) });
    if (open.length > 0) this.#settle(open);
    return refs;
  }

  /** The id of the file that a path leads to from `source`; null when there is none. */
  targetOf(ref: Ref, source: NamedFile): number | null {
    if (ref.anywhere !== undefined) return ref.anywhere;
    const link = { path: ref.path, source: source.path };
    if (!ref.named) return resolveLink(link, () => [source])?.id ?? null;
    return resolveLink(link, (name) => this.#filesNamed(name))?.id ?? null;
  }

  #filesNamed(name: string): readonly NamedFile[] {
    let files = this.#files.get(name);
    if (files === undefined) {
      files = this.#load([name]).get(name) ?? [];
      this.#files.set(name, files);
    }
    return files;
  }

  /**
   * Remembers a path that is not known yet, and adds it to `fresh`, whose paths get their ids later.
   */
  #newRef(path: string, fresh: OpenRef[]): KnownRef {
    const stored = storableText(path);
    const same = stored === path ? undefined : this.#refs.get(stored);
    if (same !== undefined) {
      this.#refs.set(path, same);
      return same;
    }
    const segment = linkSegment(stored);
    const ref = { id: 0, path: stored, named: segment !== '', anywhere: undefined };
    this.#refs.set(path, ref);
    if (stored !== path) this.#refs.set(stored, ref);
    fresh.push({ ref, segment });
    return ref;
  }

  /** Gives each path its id: that of its row, or of a new row if it has none. */
  #store(fresh: readonly OpenRef[]): void {
    let last = this.#connection.count('SELECT max(id) AS n FROM ref');
    if (last === 0) this.#complete = true;
    const known = this.#complete ? undefined : this.#storedIds(fresh);
    const rows: SqlValue[] = [];
    for (const { ref, segment } of fresh) {
      const id = known?.get(ref.path);
      ref.id = id ?? ++last;
      if (id === undefined) rows.push(ref.id, segment, ref.path);
    }
    this.#connection.insert('ref', { id: '?', segment: '?', path: '?' }, rows);
  }

  #storedIds(wanted: readonly OpenRef[]): Map<string, number> {
    this.#connection.makeLateIndexes();
    const found = this.#connection.all<{ id: number; path: string }>(
      `SELECT r.id, r.path FROM json_each(?) j
       CROSS JOIN ref r ON r.segment = j.value ->> 0 AND r.path = j.value ->> 1`,
      JSON.stringify(wanted.map(({ ref, segment }) => [segment, ref.path])),
    );
    return new Map(found.map(({ id, path }) => [path, id]));
  }

  /**
   * Looks up all file names that the paths could mean, and sets `anywhere` where one target is sure.
   */
  #settle(open: readonly OpenRef[]): void {
    const names = new Set<string>();
    for (const { segment } of open) {
      if (!this.#files.has(segment)) names.add(segment);
      const note = `${segment}.md`;
      if (!this.#files.has(note)) names.add(note);
    }
    const loaded = this.#load(Array.from(names));
    for (const { ref } of open) this.#settleOne(ref, loaded);
  }

  /** If the target depends on the source, remembers the files of the name: `targetOf` needs them. */
  #settleOne(ref: KnownRef, loaded: ReadonlyMap<string, readonly NamedFile[]>): void {
    const filesNamed = (name: string): readonly NamedFile[] =>
      this.#files.get(name) ?? loaded.get(name) ?? [];
    const settled = resolveAnywhere(ref.path, filesNamed);
    if (settled !== undefined) {
      ref.anywhere = settled.target?.id ?? null;
      return;
    }
    resolveAnywhere(ref.path, (name) => {
      const files = filesNamed(name);
      this.#files.set(name, files);
      return files;
    });
  }

  /** The files of these names, in path order; a name without files has no entry. */
  #load(names: readonly string[]): Map<string, readonly NamedFile[]> {
    const loaded = new Map<string, NamedFile[]>();
    if (names.length === 0) return loaded;
    // As arrays in one row, for the same reason as in `storedFiles`.
    const row = this.#connection.get<{ places: string; ids: string; paths: string }>(
      `SELECT json_group_array(j.key) AS places, json_group_array(f.id) AS ids,
         json_group_array(f.path) AS paths
       FROM json_each(?) j CROSS JOIN file f ON f.name = j.value`,
      JSON.stringify(names),
    );
    const places = numbersOf(row?.places);
    const ids = numbersOf(row?.ids);
    const paths = JSON.parse(row?.paths ?? '[]') as string[];
    places.forEach((place, at) => {
      const name = names[place] ?? '';
      const file = { id: ids[at] ?? 0, path: paths[at] ?? '' };
      const found = loaded.get(name);
      if (found === undefined) loaded.set(name, [file]);
      else found.push(file);
    });
    for (const found of loaded.values()) {
      if (found.length > 1) found.sort((a, b) => (a.path < b.path ? -1 : 1));
    }
    return loaded;
  }
}
