import { linkSegment, resolveAnywhere, resolveLink } from '../../engine/links/resolve-link.ts';
import type { SqlValue } from '../connection/open-database.ts';
import { storableText } from '../connection/sql-values.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { numbersOf } from './file-rows.ts';

/** A file as link resolution needs it. */
export interface NamedFile {
  readonly id: number;
  readonly path: string;
}

/** A path as links write it, stored once however many files link to it. */
export interface Ref {
  readonly id: number;
  readonly path: string;
  /** Whether it has a name to look for; without one it means its own file, or nothing. */
  readonly named: boolean;
  /** What it leads to from any source; undefined while unknown, or when the source matters. */
  readonly anywhere: number | null | undefined;
}

interface KnownRef extends Ref {
  id: number;
  anywhere: number | null | undefined;
}

/** A path that is not settled, with the last name in it, folded. */
interface OpenRef {
  readonly ref: KnownRef;
  readonly segment: string;
}

const refsMax = 300_000;
const namesMax = 20_000;

/**
 * Resolves links against the stored names, and remembers what it learned: most links are bare
 * names that one file answers to, so most are resolved once and not once per link. What is
 * remembered holds until names change; whoever changes them says so.
 */
export class LinkTargets {
  readonly #connection: IndexConnection;
  readonly #refs = new Map<string, KnownRef>();
  readonly #files = new Map<string, readonly NamedFile[]>();
  /** Whether every stored path is remembered: then none needs looking up, nor an index for it. */
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

  /** To be called whenever a file appears or goes. */
  namesChanged(): void {
    this.#files.clear();
    for (const ref of this.#refs.values()) ref.anywhere = undefined;
  }

  /**
   * The stored paths of links, in the order given and ready for `targetOf`; those that are new are
   * stored. A path is looked up once for all it is needed for: looking up texts stood out in
   * profiles of a first build.
   */
  refsOf(paths: readonly string[]): Ref[] {
    // Only here, so that what a batch has asked for stays while it is used.
    if (this.#refs.size > refsMax) {
      this.#refs.clear();
      this.#complete = false;
    }
    if (this.#files.size > namesMax) this.#files.clear();
    const fresh: OpenRef[] = [];
    const reopened = new Set<KnownRef>();
    const refs: KnownRef[] = [];
    for (const path of paths) {
      const known = this.#refs.get(path);
      refs.push(known ?? this.#newRef(path, fresh));
      // A fresh one has no id yet, and is settled with the others of its kind.
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

  /** Remembers a path that is not known yet; `fresh` has it get its id. */
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

  #store(fresh: readonly OpenRef[]): void {
    let last = this.#connection.count('SELECT max(id) AS n FROM ref');
    if (last === 0) this.#complete = true;
    const known = this.#complete ? undefined : this.#find(fresh);
    const rows: SqlValue[] = [];
    for (const { ref, segment } of fresh) {
      const id = known?.get(ref.path);
      ref.id = id ?? ++last;
      if (id === undefined) rows.push(ref.id, segment, ref.path);
    }
    this.#connection.insert('ref', { id: '?', segment: '?', path: '?' }, rows);
  }

  #find(wanted: readonly OpenRef[]): Map<string, number> {
    this.#connection.makeLateIndexes();
    const found = this.#connection.all<{ id: number; path: string }>(
      `SELECT r.id, r.path FROM json_each(?) j
       CROSS JOIN ref r ON r.segment = j.value ->> 0 AND r.path = j.value ->> 1`,
      JSON.stringify(wanted.map(({ ref, segment }) => [segment, ref.path])),
    );
    return new Map(found.map(({ id, path }) => [path, id]));
  }

  /** Looks up all names that open paths could mean at once, and settles the simple ones. */
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

  /** Names are kept only where they are asked for again, by links that their source decides. */
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

  /** The files of these names, in path order; none where the answer has no entry. */
  #load(names: readonly string[]): Map<string, readonly NamedFile[]> {
    const loaded = new Map<string, NamedFile[]>();
    if (names.length === 0) return loaded;
    // As arrays in one row, for the reason that `storedFiles` has.
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
