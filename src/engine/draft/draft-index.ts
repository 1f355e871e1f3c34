import { assert } from '../../base/assert.ts';
import { limits } from '../../base/limits.ts';
import type { PathKey, VaultPath } from '../../base/vault-path.ts';
import {
  fileNameOf,
  folderOf,
  foldName,
  isInside,
  joinPath,
  pathKey,
} from '../../base/vault-path.ts';
import type { ByName } from '../links/resolve-link.ts';
import { fileKind, isParsed } from '../ports/file-kind.ts';
import type { IndexPart } from '../ports/index-progress.ts';
import { type IndexStore, isIndexUnusable } from '../ports/index-store.ts';
import type { ChangeId } from '../ports/state-store.ts';
import { wholeVault } from '../ports/view.ts';
import { baseTerm, baseText } from '../text/base-text.ts';
import { decodeText } from '../text/scan-file.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import type { DraftFiles, NewContent } from './draft-files.ts';

/**
 * The index as it would be after a draft: asks the index and corrects the answers by what the draft
 * has done so far. Answers for the whole vault, because links also lead to and from files that the
 * caller does not see. Methods without a comment are those of `Draft`.
 */
export class DraftIndex {
  readonly #vault: BoundVault;
  readonly #files: DraftFiles;
  readonly #keys = new Map<VaultPath, PathKey>();
  /** The answers of `#linkedNames`. */
  readonly #linked = new WeakMap<NewContent, ReadonlySet<string>>();
  /** The answers of `#baseText`. */
  readonly #bases = new WeakMap<NewContent, { readonly text: string | undefined }>();
  /** The files that the index has under each name that it was asked for. */
  readonly #named = new Map<string, VaultPath[]>();
  #latest: ChangeId | undefined;

  constructor(vault: BoundVault, files: DraftFiles) {
    this.#vault = vault;
    this.#files = files;
  }

  /**
   * The newest change that was in the index when this draft first asked it; undefined when it has
   * not asked the index.
   */
  get latest(): ChangeId | undefined {
    return this.#latest;
  }

  async twin(path: VaultPath, except?: VaultPath): Promise<VaultPath | undefined> {
    const key = pathKey(path);
    // Files whose paths differ in spelling only have the same folded name.
    const named = this.#named.get(fileNameOf(key));
    const onDisk =
      named?.filter((each) => this.#keyOf(each) === key) ?? (await this.#filesByKey(path, key));
    const found = this.#current(onDisk);
    for (const [touched] of this.#files.touched()) {
      if (this.#keyOf(touched) === key) found.add(touched);
    }
    return Array.from(found)
      .sort()
      .find((twin) => twin !== except);
  }

  async byName(names: Iterable<string>): Promise<ByName> {
    const wanted = Array.from(new Set(names));
    const byName = new Map<string, VaultPath[]>(wanted.map((name) => [name, []]));
    const add = (path: VaultPath): void => {
      byName.get(fileNameOf(this.#keyOf(path)))?.push(path);
    };
    for (const path of this.#current(await this.#filesNamed(wanted))) {
      if (!this.#files.isTouched(path)) add(path);
    }
    for (const [path] of this.#files.touched()) add(path);
    const candidates = new Map(
      Array.from(byName, ([name, paths]) => [name, paths.sort().map((path) => ({ path }))]),
    );
    return (name) => {
      const found = candidates.get(name);
      assert(found !== undefined, 'a name is asked for before it is looked up');
      return found;
    };
  }

  async #filesByKey(path: VaultPath, key: PathKey): Promise<readonly VaultPath[]> {
    return this.#ask('names', (store) => store.filesByKey(wholeVault, key)).then(
      (rows) => rows.map((row) => row.path),
      (error: unknown) => {
        if (!isIndexUnusable(error)) throw error;
        return this.#listed(path);
      },
    );
  }

  /** The files that the index has under these names. Each name is asked for once. */
  async #filesNamed(names: readonly string[]): Promise<VaultPath[]> {
    const asked = names.filter((name) => !this.#named.has(name));
    if (asked.length > 0) {
      const rows = await this.#ask('names', (store) => store.filesByName(wholeVault, asked));
      for (const name of asked) this.#named.set(name, []);
      for (const { path } of rows) this.#named.get(fileNameOf(this.#keyOf(path)))?.push(path);
    }
    return names.flatMap((name) => this.#named.get(name) ?? []);
  }

  async sourcesNaming(segments: Iterable<string>): Promise<readonly VaultPath[]> {
    const wanted = new Set(segments);
    await this.#catchUp('names');
    const names = Array.from(wanted);
    const asked = { segments: names };
    const sources = new Set(
      await this.#vault.askLinks(asked, (store) => store.sourcesNaming(names)),
    );
    const found = this.#current(Array.from(sources));
    for (const [path, file] of this.#files.touched()) {
      const { after, origin } = file;
      // The index knows neither the new text of a file nor the path that it has moved to.
      const hasLink =
        after === undefined
          ? origin !== undefined && sources.has(origin)
          : isAnyIn(wanted, await this.#linkedNames(path, after));
      if (hasLink) found.add(path);
    }
    return Array.from(found).sort();
  }

  async filesWithTag(tag: string): Promise<readonly VaultPath[]> {
    const found = await this.#all('facts', (store, page) =>
      store.filesWithTag(wholeVault, tag, page),
    );
    return this.#withTouched(found.map((row) => row.path));
  }

  async filesWithProperty(key: string): Promise<readonly VaultPath[]> {
    return this.#withTouched(
      await this.#ask('facts', (store) => store.filesWithProperty(wholeVault, key)),
    );
  }

  async basesNaming(names: readonly string[]): Promise<readonly VaultPath[]> {
    await this.#catchUp('names');
    const terms = names.map(baseTerm);
    // While a vault is new, files with these words are read as if they were names in links.
    const asked = { segments: names.map(foldName) };
    const found = this.#current(
      await this.#vault.askLinks(asked, (store) => store.basesNaming(terms)),
    );
    for (const [path, { after }] of this.#files.touched()) {
      if (after === undefined || fileKind(path) === 'attachment') continue;
      const text = this.#baseText(path, after);
      if (text === undefined) found.delete(path);
      else if (['\\', ...terms].some((term) => text.includes(term))) found.add(path);
    }
    return Array.from(found).sort();
  }

  async filesIn(folder: VaultPath): Promise<readonly VaultPath[]> {
    const kinds = ['note', 'canvas', 'base', 'attachment'] as const;
    const found = new Set<VaultPath>();
    const movedHere = this.#files.movedFolders().filter((moved) => isInside(moved, folder));
    for (const part of [folder, ...movedHere]) {
      const onDisk = this.#files.onDisk(part);
      if (onDisk === undefined) continue;
      const rows = await this.#all('names', (store, page) =>
        store.files(wholeVault, { folder: onDisk, kinds, sort: 'path', ...page }),
      );
      for (const path of this.#current(rows.map((row) => row.path))) found.add(path);
    }
    for (const [path] of this.#files.touched()) found.add(path);
    return Array.from(found)
      .filter((path) => isInside(path, folder))
      .sort();
  }

  async unreadable(): Promise<readonly { readonly path: VaultPath; readonly reason: string }[]> {
    const { keeper } = this.#vault.vault.parts;
    // While a vault is new, `sourcesNaming` has read every file, and `keeper.unread` has those that
    // could not be read.
    const byStat = !keeper.isReady('facts');
    let rows = await this.#ask('names', (store) => store.unparsed(wholeVault, { byStat }));
    if (rows.length > 0 && !byStat) {
      // Some may not have been read yet: this or another process has only just found them. Files that
      // are too large, or not on this disk, are not read for that.
      const unread = await this.#ask('names', (store) =>
        store.unparsed(wholeVault, { byStat: true }),
      );
      const known = new Set(unread.map(({ path }) => path));
      await keeper.refresh(rows.map(({ path }) => path).filter((path) => !known.has(path)));
      rows = await this.#ask('names', (store) => store.unparsed(wholeVault));
    }
    const found = new Map(rows.map(({ path, reason }) => [path, reason]));
    for (const [path, reason] of keeper.unread) found.set(path, reason);
    for (const { path, reason, unread } of keeper.summary.refused) {
      // A folder that cannot be read may hold notes.
      if (unread === true) found.set(path as VaultPath, reason);
    }
    return Array.from(found)
      .map(([path, reason]) => ({ path, reason }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** The files in the folder of a path whose names differ from its name at most in spelling. */
  async #listed(path: VaultPath): Promise<readonly VaultPath[]> {
    const folder = folderOf(path);
    const entries = (await this.#vault.vault.parts.disk.list(folder)) ?? [];
    const name = foldName(fileNameOf(path));
    return entries
      .filter((entry) => entry.kind === 'file' && foldName(entry.name) === name)
      .map((entry) => joinPath(folder, entry.name));
  }

  /** Asks the index, the first time after it has caught up with the changes of other processes. */
  async #ask<T>(part: IndexPart, question: (store: IndexStore) => Promise<T>): Promise<T> {
    await this.#catchUp(part);
    return this.#vault.ask(part, question);
  }

  async #catchUp(part: IndexPart): Promise<void> {
    this.#latest ??= await this.#vault.ask(part, () => this.#vault.vault.writer.catchUp());
  }

  /** Asks for all pages of a list. */
  async #all<T>(
    part: IndexPart,
    ask: (
      store: IndexStore,
      page: { readonly limit: number; readonly offset: number },
    ) => Promise<{ readonly total: number; readonly items: readonly T[] }>,
  ): Promise<readonly T[]> {
    const items: T[] = [];
    for (;;) {
      const page = { limit: limits.resultsMax, offset: items.length };
      const { items: some, total } = await this.#ask(part, (store) => ask(store, page));
      items.push(...some);
      if (some.length === 0 || items.length >= total) return items;
    }
  }

  /**
   * The key of a path, computed once: in a batch, each operation asks for the keys of all files
   * that the draft has touched.
   */
  #keyOf(path: VaultPath): PathKey {
    const known = this.#keys.get(path);
    if (known !== undefined) return known;
    const key = pathKey(path);
    this.#keys.set(path, key);
    return key;
  }

  /** The last names (`linkSegment`) of the links in a content that the draft has written. */
  async #linkedNames(path: VaultPath, content: NewContent): Promise<ReadonlySet<string>> {
    const known = this.#linked.get(content);
    if (known !== undefined) return known;
    const kind = fileKind(path);
    const names = isParsed(kind)
      ? await this.#vault.work('linkedNames', decodeText(content.bytes), kind)
      : [];
    const linked = new Set(names);
    this.#linked.set(content, linked);
    return linked;
  }

  /** The text of the bases in a content that the draft has written. */
  #baseText(path: VaultPath, content: NewContent): string | undefined {
    const known = this.#bases.get(content);
    if (known !== undefined) return known.text;
    const text = baseText(fileKind(path), decodeText(content.bytes));
    this.#bases.set(content, { text });
    return text;
  }

  /**
   * Turns paths of the index into paths of the draft; leaves out files that it moved or deleted.
   */
  #current(onDisk: readonly VaultPath[]): Set<VaultPath> {
    const paths = onDisk.map((path) => this.#files.fromDisk(path));
    return new Set(paths.filter((path) => path !== undefined));
  }

  /**
   * Adds every parsed file that the draft has changed, because the index does not know its text.
   */
  #withTouched(onDisk: readonly VaultPath[]): readonly VaultPath[] {
    const found = this.#current(onDisk);
    for (const [path] of this.#files.touched()) {
      if (fileKind(path) !== 'attachment') found.add(path);
    }
    return Array.from(found).sort();
  }
}

function isAnyIn(wanted: ReadonlySet<string>, names: ReadonlySet<string>): boolean {
  for (const name of wanted) if (names.has(name)) return true;
  return false;
}
