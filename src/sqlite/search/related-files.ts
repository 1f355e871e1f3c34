import type { VaultPath } from '../../base/vault-path.ts';
import type { CommonGround, RelatedRow, RelatedStore } from '../../engine/ports/graph-outline.ts';
import { makeSees, type View } from '../../engine/ports/view.ts';
import { type IdSet, intersect, parseIds } from '../tables/id-set.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import type { SearchScope } from './search-outcome.ts';
import { phraseOf } from './search-words.ts';

/** How many links of the file in each direction, and how many of its tags, are followed. */
const followedMax = 100;
/** What more files than this share says nothing about two of them. */
const sharedMax = 500;
/** So many files with one tag, and links of one file, are looked at, of which a view may hide most. */
const lookedMax = 20_000;
/** A word counts only if at most this share of all files has it. */
const wordShareMax = 0.1;
/** The rarest words are compared. */
const wordsMax = 16;
/** How many of the closest files are looked at; some of them are attachments. */
const rankedMax = 5_000;
/** How many things in common are told for each file. */
const commonMax = 4;

/** How much each kind of common ground weighs, when two files share it with no other. */
const weights: Readonly<Record<Exclude<CommonGround['by'], 'meaning'>, number>> = {
  linked: 1.5,
  target: 1,
  source: 1,
  tag: 0.8,
  word: 0.35,
};

/** See `RelatedStore.related`. */
export function relatedFiles(
  connection: IndexConnection,
  scope: SearchScope,
  view: View,
  path: VaultPath,
  request: Parameters<RelatedStore['related']>[2],
): RelatedRow[] {
  const self = connection.get<{ id: number }>('SELECT id FROM file WHERE path = ?', path)?.id;
  if (self === undefined || !makeSees(view)(path)) return [];
  const found = new CommonFiles(connection, view, { self, seen: scope.matches.seen });
  found.addLinks();
  found.addTags();
  found.addWords(scope, request.words);
  return found.best(request.limit);
}

/** Collects what files have in common with one of them. */
class CommonFiles {
  readonly #connection: IndexConnection;
  readonly #self: number;
  /** An SQL condition for files `f` that the view admits. */
  readonly #admitted: string;
  readonly #files = new Map<number, { score: number; common: (CommonGround & Weighed)[] }>();

  /** The files that the view admits; undefined when it admits all. */
  readonly #seen: IdSet | undefined;

  constructor(
    connection: IndexConnection,
    view: View,
    { self, seen }: { readonly self: number; readonly seen: IdSet | undefined },
  ) {
    this.#connection = connection;
    this.#self = self;
    this.#seen = seen;
    this.#admitted = connection.sees(view, 'f.path');
  }

  addLinks(): void {
    const targets = this.#linked('target', 'source', this.#self, followedMax);
    const sources = this.#linked('source', 'target', this.#self, followedMax);
    for (const { id } of [...targets, ...sources]) this.#add(id, 'linked', '', 1);
    for (const { id, path } of targets) {
      this.#share('target', path, this.#linked('source', 'target', id, sharedMax));
    }
    for (const { id, path } of sources) {
      this.#share('source', path, this.#linked('target', 'source', id, sharedMax));
    }
  }

  addTags(): void {
    const tags = this.#connection.all<{ key: string }>(
      'SELECT key FROM tag WHERE file = ? LIMIT ?',
      this.#self,
      followedMax,
    );
    for (const { key } of tags) {
      const tagged = this.#admittedOf('SELECT file AS id FROM tag WHERE key = ?', key, sharedMax);
      this.#share('tag', key, tagged);
    }
  }

  addWords({ matches, words }: SearchScope, asked: readonly string[]): void {
    const docsMax = Math.max(3, words.files() * wordShareMax);
    const rare = asked
      .map((word) => ({ word, match: phraseOf([word]), docs: words.docs(word) }))
      .filter(({ docs }) => docs > 1 && docs <= docsMax)
      .sort((one, other) => one.docs - other.docs)
      .slice(0, wordsMax);
    for (const { word, match, docs } of rare) {
      for (const id of matches.among(match, matches.seen ?? matches.ids(match))) {
        this.#add(id, 'word', word, docs);
      }
    }
  }

  /** The files closest to the one; only notes and canvases. */
  best(limit: number): RelatedRow[] {
    const closest = Array.from(this.#files, ([id, file]) => ({ id, ...file }))
      .sort((one, other) => other.score - one.score || one.id - other.id)
      .slice(0, rankedMax);
    const paths = this.#connection.all<{ id: number; path: VaultPath }>(
      `SELECT f.id, f.path FROM json_each(?) j CROSS JOIN file f ON f.id = j.value
       WHERE f.kind IN ('note', 'canvas') AND ${this.#admitted}`,
      JSON.stringify(closest.map(({ id }) => id)),
    );
    const pathOf = new Map(paths.map(({ id, path }) => [id, path]));
    return closest
      .flatMap(({ id, score, common }) => {
        const path = pathOf.get(id);
        return path === undefined ? [] : [{ path, score, common: shown(common) }];
      })
      .slice(0, limit);
  }

  /** The admitted files at the other end of a file's links, at most `max`. */
  #linked(
    other: 'source' | 'target',
    end: 'source' | 'target',
    file: number,
    max: number,
  ): { readonly id: number; readonly path: string }[] {
    const linked = `SELECT ${other} AS id FROM edge WHERE ${end} = ? AND ${other} IS NOT NULL`;
    return this.#admittedOf(linked, file, max);
  }

  /** The files of a query for ids that the view admits, in the order of ids, at most `max`. */
  #admittedOf(
    query: string,
    value: string | number,
    max: number,
  ): { readonly id: number; readonly path: string }[] {
    const row = this.#connection.get<{ ids: string | null }>(
      `SELECT group_concat(id) AS ids FROM
         (SELECT DISTINCT id FROM (${query} LIMIT ${lookedMax}) ORDER BY id)`,
      value,
    );
    const ids = parseIds(row?.ids);
    const seen = this.#seen === undefined ? ids : intersect(ids, this.#seen);
    return this.#connection.all(
      'SELECT f.id, f.path FROM json_each(?) j CROSS JOIN file f ON f.id = j.value',
      JSON.stringify(Array.from(seen.subarray(0, max))),
    );
  }

  /** Adds something that all these files share; it says nothing when there are very many. */
  #share(by: keyof typeof weights, what: string, files: readonly { readonly id: number }[]): void {
    if (files.length >= sharedMax) return;
    for (const { id } of files) this.#add(id, by, what, files.length);
  }

  #add(id: number, by: keyof typeof weights, what: string, sharedBy: number): void {
    if (id === this.#self) return;
    const weight = weights[by] / Math.log2(Math.max(2, sharedBy));
    const file = this.#files.get(id) ?? { score: 0, common: [] };
    file.score += weight;
    file.common.push({ by, what, weight });
    this.#files.set(id, file);
  }
}

interface Weighed {
  readonly weight: number;
}

/** What weighs most, each thing once. */
function shown(common: readonly (CommonGround & Weighed)[]): CommonGround[] {
  const distinct = new Map(common.map((each) => [`${each.by} ${each.what}`, each]));
  return Array.from(distinct.values())
    .sort((one, other) => other.weight - one.weight)
    .slice(0, commonMax)
    .map(({ by, what }) => ({ by, what }));
}
