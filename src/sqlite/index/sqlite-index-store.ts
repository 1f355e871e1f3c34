import type { Json } from '../../base/json.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import type { GraphOutlineRequest } from '../../engine/ports/graph-outline.ts';
import type {
  FolderPage,
  IndexStore,
  NeighborhoodRequest,
  PageRequest,
} from '../../engine/ports/index-store.ts';
import type { NoteBatch, TextBatch } from '../../engine/ports/record-batches.ts';
import { type FactsRequest, type FileEntry, noWalk } from '../../engine/ports/records.ts';
import type { Query } from '../../engine/ports/search-query.ts';
import type { Marks, View } from '../../engine/ports/view.ts';
import { TextSearch } from '../search/search-text.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { closest } from './closest-query.ts';
import { dumpIndex } from './dump-index.ts';
import { aliases, facts, filesWithTag, problems, properties, tags } from './fact-queries.ts';
import {
  conflicts,
  file,
  files,
  filesByKey,
  filesByName,
  lacking,
  noteCounts,
  sizes,
  status,
  totals,
  unparsed,
} from './file-queries.ts';
import { neighborhood } from './graph-query.ts';
import { IndexLease } from './index-lease.ts';
import {
  broken,
  deadEnds,
  linkPage,
  linksFrom,
  linksTo,
  orphans,
  sourcesNaming,
  unresolved,
  unused,
} from './link-queries.ts';
import { LinkTargets } from './link-targets.ts';
import { MarkedFiles } from './marked-files.ts';
import { NameList } from './name-list.ts';
import { named, pathsFrom } from './name-queries.ts';
import { indexFailure, limitSize, openIndexDatabase } from './open-index-database.ts';
import { outline } from './outline-query.ts';
import { queriedFacts } from './queried-facts.ts';
import { tasks } from './task-queries.ts';
import { TextTidier } from './text-tidier.ts';
import { Walks } from './walks.ts';
import type { Writer } from './write-files.ts';
import { confirm, endWalk, forget, forgetContents, seen } from './write-files.ts';
import { putNotes } from './write-notes.ts';
import { lackingText, putTexts } from './write-texts.ts';

interface SqliteIndexOptions {
  /** The index file, or `:memory:`. */
  readonly file: string;
  /** The file of the `IndexLease`; `<file>.lease` when absent. */
  readonly leaseFile?: string;
  /** Identifies the vault. An index of another vault is deleted and built anew. */
  readonly vault?: string;
  /** The index cannot become larger than this; by default it can. */
  readonly bytesMax?: number;
}

/**
 * Opens the index; an index that is damaged, or of another schema or vault, is replaced by an empty
 * one. All calls run synchronously on this thread. If a later call finds the file damaged, it fails
 * with `io_failed` and `details.damaged`: then close the store, call `discardIndex`, and open again.
 */
export async function openSqliteIndex(options: SqliteIndexOptions): Promise<IndexStore> {
  const { file, leaseFile = `${file}.lease`, vault = '', bytesMax } = options;
  try {
    const connection = await openIndexDatabase(file, vault);
    if (bytesMax !== undefined) limitSize(connection, bytesMax);
    return new SqliteIndexStore(
      connection,
      file === ':memory:' ? undefined : new IndexLease(leaseFile),
    );
  } catch (error) {
    throw indexFailure(error);
  }
}

/** Each method calls the function of the same name; `attempt` translates the errors. */
class SqliteIndexStore implements IndexStore, Writer {
  readonly connection: IndexConnection;
  readonly targets: LinkTargets;
  readonly walks = new Walks();
  readonly #names: NameList;
  readonly #marked: MarkedFiles;
  readonly #tidier: TextTidier;
  /** Undefined for an index in memory, which no other process can build. */
  readonly #lease: IndexLease | undefined;
  readonly #search: TextSearch;
  #isWriting = false;

  constructor(connection: IndexConnection, lease: IndexLease | undefined) {
    this.connection = connection;
    this.targets = new LinkTargets(connection);
    this.#names = new NameList(connection);
    this.#marked = new MarkedFiles(connection);
    this.#lease = lease;
    this.#search = new TextSearch(connection);
    this.#tidier = new TextTidier(this, () => this.#search.learnSome());
  }

  write<T>(work: () => T): T {
    if (this.#isWriting) return work(); // It is a part of the transaction that is open.
    try {
      return this.connection.write(() => {
        if (this.connection.changedElsewhere()) this.targets.clear();
        this.#isWriting = true;
        return work();
      });
    } catch (error) {
      this.targets.clear(); // They may contain rows that were rolled back.
      throw error;
    } finally {
      this.#isWriting = false;
    }
  }

  /** Asks with what the symlinks among the files, and those with marks, leave of a view. */
  #ask<T>(view: View, question: (seen: View) => T): T {
    return attempt(() => question(this.#marked.withoutMarked(this.connection.withoutLinks(view))));
  }

  async status(view: View) {
    return this.#ask(view, (seen) => status(this.connection, seen));
  }

  async seen(walk: number, entries: Json<readonly FileEntry[]>) {
    return attempt(() => seen(this, walk, entries));
  }

  async endWalk(walk: number, folder: VaultFolder) {
    return attempt(() => endWalk(this, walk, folder));
  }

  async putNotes(notes: NoteBatch) {
    attempt(() => putNotes(this, notes));
  }

  async putTexts(texts: TextBatch) {
    attempt(() => putTexts(this, texts));
    this.#tidier.wrote();
  }

  async putRead(files: Json<readonly FileEntry[]>, notes: NoteBatch, texts: TextBatch) {
    attempt(() =>
      this.write(() => {
        seen(this, noWalk, files);
        putNotes(this, notes);
        putTexts(this, texts);
      }),
    );
    this.#tidier.wrote();
  }

  async confirm(files: readonly Pick<FileEntry, 'path' | 'stamp'>[]) {
    return attempt(() => confirm(this, files));
  }

  async lacking(part: 'facts' | 'text' | 'old text') {
    return attempt(() => lacking(this.connection, part));
  }

  async lackingText(limit: number) {
    return attempt(() => {
      this.targets.clear(); // Called after all facts are stored, so this memory can be freed.
      this.#tidier.wanted(); // An earlier process may have ended before everything was merged.
      return lackingText(this.connection, limit);
    });
  }

  async forget(paths: readonly VaultPath[]) {
    attempt(() => forget(this, paths));
  }

  async forgetContents(paths: readonly VaultPath[]) {
    attempt(() => forgetContents(this, paths));
  }

  async tryLease() {
    try {
      return this.#lease === undefined || (await this.#lease.tryTake());
    } catch (error) {
      throw indexFailure(error);
    }
  }

  async releaseLease() {
    attempt(() => this.#lease?.release());
  }

  async file(view: View, path: VaultPath) {
    return this.#ask(view, (seen) => file(this.connection, seen, path));
  }

  async filesByKey(view: View, key: string) {
    return this.#ask(view, (seen) => filesByKey(this.connection, seen, key));
  }

  async filesByName(view: View, names: readonly string[]) {
    return this.#ask(view, (seen) => filesByName(this.connection, seen, names));
  }

  async files(view: View, request: Parameters<IndexStore['files']>[1]) {
    return this.#ask(view, (seen) => files(this.connection, seen, request));
  }

  async noteCounts(view: View) {
    return this.#ask(view, (seen) => noteCounts(this.connection, seen));
  }

  async totals(view: View, folder: VaultFolder) {
    return this.#ask(view, (seen) => totals(this.connection, seen, folder));
  }

  async sizes(view: View) {
    return this.#ask(view, (seen) => sizes(this.connection, seen));
  }

  async named(view: View, request: Parameters<IndexStore['named']>[1]) {
    return this.#ask(view, (seen) => named(this.#names, seen, request));
  }

  async closest(view: View, asked: string, limit: number) {
    return this.#ask(view, (seen) => closest(this.#names, seen, asked, limit));
  }

  async pathsFrom(view: View, prefix: string, limit: number) {
    return this.#ask(view, (seen) => pathsFrom(this.#names, seen, prefix, limit));
  }

  async linkPage(view: View, path: VaultPath, page: PageRequest & { readonly lead?: boolean }) {
    return this.#ask(view, (seen) => linkPage(this.connection, seen, path, page));
  }

  async linksFrom(view: View, path: VaultPath) {
    return this.#ask(view, (seen) => linksFrom(this.connection, seen, path));
  }

  async linksTo(view: View, path: VaultPath, page: PageRequest) {
    return this.#ask(view, (seen) => linksTo(this.connection, seen, path, page));
  }

  async neighborhood(view: View, path: VaultPath, request: NeighborhoodRequest) {
    return this.#ask(view, (seen) => neighborhood(this.connection, seen, path, request));
  }

  async outline(view: View, request: GraphOutlineRequest) {
    return this.#ask(view, (seen) => outline(this.connection, seen, request));
  }

  async sourcesNaming(segments: readonly string[]) {
    return attempt(() => sourcesNaming(this.connection, segments));
  }

  async unparsed(view: View, options = { byStat: false }) {
    return this.#ask(view, (seen) => unparsed(this.connection, seen, options));
  }

  async unresolved(view: View, page: PageRequest) {
    return this.#ask(view, (seen) => unresolved(this.connection, seen, page));
  }

  async broken(view: View, page: PageRequest) {
    return this.#ask(view, (seen) => broken(this.connection, seen, page));
  }

  async orphans(view: View, page: FolderPage) {
    return this.#ask(view, (seen) => orphans(this.connection, seen, page));
  }

  async unused(view: View, page: FolderPage) {
    return this.#ask(view, (seen) => unused(this.connection, seen, page));
  }

  async deadEnds(view: View, page: FolderPage) {
    return this.#ask(view, (seen) => deadEnds(this.connection, seen, page));
  }

  async tags(view: View) {
    return this.#ask(view, (seen) => tags(this.connection, seen));
  }

  async filesWithTag(view: View, tag: string, request: Parameters<IndexStore['filesWithTag']>[2]) {
    return this.#ask(view, (seen) => filesWithTag(this.connection, seen, tag, request));
  }

  async marked(marks: Marks) {
    return attempt(() => this.#marked.paths(marks));
  }

  async properties(view: View) {
    return this.#ask(view, (seen) => properties(this.connection, seen));
  }

  async aliases(view: View, page: PageRequest) {
    return this.#ask(view, (seen) => aliases(this.connection, seen, page));
  }

  async tasks(view: View, request: Parameters<IndexStore['tasks']>[1]) {
    return this.#ask(view, (seen) => tasks(this.connection, seen, request));
  }

  async queried(view: View, request: FactsRequest) {
    return this.#ask(view, (seen) => queriedFacts(this.connection, seen, request));
  }

  async facts(path: VaultPath) {
    return attempt(() => facts(this.connection, path));
  }

  async conflicts(view: View) {
    return this.#ask(view, (seen) => conflicts(this.connection, seen));
  }

  async problems(view: View, page: PageRequest) {
    return this.#ask(view, (seen) => problems(this.connection, seen, page));
  }

  async search(view: View, query: Query, page: PageRequest) {
    return this.#ask(view, (seen) => this.#search.search(seen, query, page));
  }

  async dump(onLines: (lines: readonly string[]) => void) {
    attempt(() => dumpIndex(this.connection, onLines));
  }

  async close() {
    this.#tidier.close();
    attempt(() => {
      this.#lease?.close();
      this.connection.close();
    });
  }
}

/** Does some work, and turns errors of SQLite into those of `indexFailure`. */
function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw indexFailure(error);
  }
}
