import { setImmediate } from 'node:timers/promises';
import type { Json } from '../../base/json.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import type { DocumentRecord } from '../../engine/ports/documents.ts';
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
import { documentTexts, lackingDocuments, putDocument } from './documents.ts';
import { dumpIndex } from './dump-index.ts';
import {
  aliases,
  basesNaming,
  facts,
  filesWithProperty,
  filesWithTag,
  problems,
  properties,
  tags,
} from './fact-queries.ts';
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
  linksMissing,
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
import {
  attempt,
  identityOfIndex,
  indexFailure,
  limitSize,
  openIndexDatabase,
  type SqliteIndexOptions,
} from './open-index-database.ts';
import { outline } from './outline-query.ts';
import { queriedFacts } from './queried-facts.ts';
import { tasks } from './task-queries.ts';
import { TextTidier } from './text-tidier.ts';
import { Walks } from './walks.ts';
import { confirm, endWalk, forget, forgetContents, seen, type Writer } from './write-files.ts';
import { putNotes } from './write-notes.ts';
import { lackingText, putTexts } from './write-texts.ts';

/**
 * Opens the index; an index that is damaged, or of another schema or vault, is replaced by an empty
 * one. Calls run on this thread, with pauses while another process writes. One that finds the file
 * damaged fails with `io_failed` and `details.damaged`: then close the store, call `discardIndex`, and
 * open again.
 */
export async function openSqliteIndex(options: SqliteIndexOptions): Promise<IndexStore> {
  const { file, leaseFile = `${file}.lease`, vault = '', bytesMax } = options;
  try {
    const connection = await openIndexDatabase(file, vault);
    if (bytesMax !== undefined) limitSize(connection, bytesMax);
    return new SqliteIndexStore(connection, {
      identity: identityOfIndex(connection, file),
      lease: file === ':memory:' ? undefined : new IndexLease(leaseFile),
    });
  } catch (error) {
    throw indexFailure(error);
  }
}

/** Each method calls the function of the same name. */
class SqliteIndexStore implements IndexStore, Writer {
  readonly connection: IndexConnection;
  readonly targets: LinkTargets;
  readonly walks = new Walks();
  readonly #names: NameList;
  readonly #marked: MarkedFiles;
  readonly #tidier: TextTidier;
  readonly #lease: IndexLease | undefined; // An index in memory has none.
  readonly #search: TextSearch;
  readonly #identity: string;
  #isWriting = false;
  #written: Promise<unknown> = Promise.resolve(); // Resolves when all writes so far are done.

  constructor(
    connection: IndexConnection,
    { identity, lease }: { readonly identity: string; readonly lease: IndexLease | undefined },
  ) {
    this.#identity = identity;
    this.connection = connection;
    this.targets = new LinkTargets(connection);
    this.#names = new NameList(connection);
    this.#marked = new MarkedFiles(connection);
    this.#lease = lease;
    this.#search = new TextSearch(connection);
    this.#tidier = new TextTidier(this, this.#search);
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
  #ask<T>(view: View, question: (seen: View) => T): Promise<T> {
    const seen = () => this.#marked.withoutMarked(this.connection.withoutLinks(view));
    return attempt(() => this.connection.together(view, () => question(seen())));
  }

  /** Writes, after all earlier writes: one of them may wait for another process. */
  #put<T>(work: () => T): Promise<T> {
    const done = this.#written.then(() => attempt(work));
    this.#written = done.catch(() => undefined);
    return done;
  }

  async identity() {
    return this.#identity;
  }

  readonly status = (view: View) => this.#ask(view, (seen) => status(this.connection, seen));

  readonly unseen = (view: View) => this.#ask(view, (seen) => seen.unseen ?? []);

  async seen(walk: number, entries: Json<readonly FileEntry[]>) {
    return this.#put(() => seen(this, walk, entries));
  }

  async endWalk(walk: number, folder: VaultFolder) {
    return this.#put(() => endWalk(this, walk, folder));
  }

  async putNotes(notes: NoteBatch) {
    await this.#put(() => putNotes(this, notes));
  }

  async putTexts(texts: TextBatch) {
    await this.#put(() => putTexts(this, texts));
    this.#tidier.wrote();
  }

  async putRead(files: Json<readonly FileEntry[]>, notes: NoteBatch, texts: TextBatch) {
    await this.#put(() =>
      this.write(() => {
        seen(this, noWalk, files);
        putNotes(this, notes);
        putTexts(this, texts);
      }),
    );
    this.#tidier.wrote();
  }

  async confirm(files: readonly Pick<FileEntry, 'path' | 'stamp'>[]) {
    return this.#put(() => confirm(this, files));
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

  async lackingDocuments(view: View, limit: number) {
    return this.#ask(view, (seen) => lackingDocuments(this.connection, seen, limit));
  }

  async putDocument(document: DocumentRecord) {
    await this.#put(() => putDocument(this, document));
  }

  async documentTexts(...[view, ...asked]: Parameters<IndexStore['documentTexts']>) {
    return this.#ask(view, (seen) => documentTexts(this.connection, seen, ...asked));
  }

  async related(...[view, ...asked]: Parameters<IndexStore['related']>) {
    return this.#ask(view, (seen) => this.#search.related(seen, ...asked));
  }

  async forget(paths: readonly VaultPath[]) {
    await this.#put(() => forget(this, paths));
  }

  async forgetContents(paths: readonly VaultPath[]) {
    await this.#put(() => forgetContents(this, paths));
  }

  async tryLease() {
    try {
      return this.#lease === undefined || (await this.#lease.tryTake());
    } catch (error) {
      throw indexFailure(error);
    }
  }

  async releaseLease() {
    await attempt(() => this.#lease?.release());
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

  readonly noteCounts = (view: View) =>
    this.#ask(view, (seen) => noteCounts(this.connection, seen));

  async totals(view: View, folder: VaultFolder) {
    return this.#ask(view, (seen) => totals(this.connection, seen, folder));
  }

  readonly sizes = (view: View) => this.#ask(view, (seen) => sizes(this.connection, seen));

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

  async linksMissing(view: View, paths: readonly VaultPath[]) {
    return this.#ask(view, (seen) => linksMissing(this.connection, seen, paths));
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

  readonly tags = (view: View) => this.#ask(view, (seen) => tags(this.connection, seen));

  async filesWithProperty(view: View, key: string) {
    return this.#ask(view, (seen) => filesWithProperty(this.connection, seen, key));
  }

  async basesNaming(terms: readonly string[]) {
    return attempt(() => basesNaming(this.connection, terms));
  }

  async filesWithTag(view: View, tag: string, request: Parameters<IndexStore['filesWithTag']>[2]) {
    return this.#ask(view, (seen) => filesWithTag(this.connection, seen, tag, request));
  }

  async marked(marks: Marks) {
    return attempt(() => this.#marked.paths(marks));
  }

  readonly properties = (view: View) =>
    this.#ask(view, (seen) => properties(this.connection, seen));

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

  readonly conflicts = (view: View) => this.#ask(view, (seen) => conflicts(this.connection, seen));

  async problems(view: View, page: PageRequest) {
    return this.#ask(view, (seen) => problems(this.connection, seen, page));
  }

  async search(view: View, query: Query, page: PageRequest) {
    const ask = () => this.#ask(view, (seen) => this.#search.search(seen, query, page));
    const { found, lacked } = await ask();
    if (lacked === undefined) return found;
    // Others are answered in between.
    while (await attempt(() => this.#search.readUpTo(lacked))) await setImmediate();
    return (await ask()).found;
  }

  async dump(onLines: (lines: readonly string[]) => void) {
    await attempt(() => dumpIndex(this.connection, onLines));
  }

  async close() {
    await this.#written;
    this.#tidier.close();
    await attempt(() => {
      this.#lease?.close();
      this.connection.close();
    });
  }
}
