import { assert } from '../base/assert.ts';
import { limits } from '../base/limits.ts';
import type { VaultFolder, VaultPath } from '../base/vault-path.ts';
import { fileNameOf, foldName, isInside, pathKey } from '../base/vault-path.ts';
import type { ByName } from './draft.ts';
import type { DraftFiles } from './draft-files.ts';
import { fileKind } from './file-kind.ts';
import type { IndexStore } from './index-store.ts';
import type { ChangeId } from './state-store.ts';
import type { BoundVault } from './vault.ts';
import { wholeVault } from './view.ts';

/**
 * What a draft asks the index: answered for the whole vault, since links reach files that their
 * caller does not see, and corrected by what the draft has done so far.
 */
export class DraftIndex {
  readonly #vault: BoundVault;
  readonly #files: DraftFiles;
  #latest: ChangeId | undefined;

  constructor(vault: BoundVault, files: DraftFiles) {
    this.#vault = vault;
    this.#files = files;
  }

  /**
   * The newest change that the first answer could know of; undefined when nothing was asked, so
   * that the plan depends on nothing but the files it has read.
   */
  get latest(): ChangeId | undefined {
    return this.#latest;
  }

  async twin(path: VaultPath, except?: VaultPath): Promise<VaultPath | undefined> {
    const key = pathKey(path);
    const rows = await this.#ask((store) => store.filesByKey(wholeVault, key));
    const found = this.#current(rows.map((row) => row.path));
    for (const [touched] of this.#files.touched()) if (pathKey(touched) === key) found.add(touched);
    return Array.from(found)
      .sort()
      .find((twin) => twin !== except);
  }

  async byName(names: Iterable<string>): Promise<ByName> {
    const wanted = Array.from(new Set(names));
    const byName = new Map<string, VaultPath[]>(wanted.map((name) => [name, []]));
    const add = (path: VaultPath): void => {
      byName.get(foldName(fileNameOf(path)))?.push(path);
    };
    const rows = await this.#ask((store) => store.filesByName(wholeVault, wanted));
    const touched = new Set(Array.from(this.#files.touched(), ([path]) => path));
    for (const path of this.#current(rows.map((row) => row.path))) {
      if (!touched.has(path)) add(path);
    }
    for (const path of touched) add(path);
    const candidates = new Map(
      Array.from(byName, ([name, paths]) => [name, paths.sort().map((path) => ({ path }))]),
    );
    return (name) => {
      const found = candidates.get(name);
      assert(found !== undefined, 'a name is asked for before it is looked up');
      return found;
    };
  }

  async sourcesNaming(segments: Iterable<string>): Promise<readonly VaultPath[]> {
    const wanted = Array.from(new Set(segments));
    const sources = await this.#ask((store) => store.sourcesNaming(wanted));
    return this.#withTouched(sources);
  }

  async filesWithTag(tag: string): Promise<readonly VaultPath[]> {
    const found = await this.#all((store, page) => store.filesWithTag(wholeVault, tag, page));
    return this.#withTouched(found.map((row) => row.path));
  }

  async filesIn(folder: VaultPath): Promise<readonly VaultPath[]> {
    const onDisk: VaultFolder | undefined = this.#files.onDisk(folder);
    const kinds = ['note', 'canvas', 'base', 'attachment'] as const;
    const rows =
      onDisk === undefined
        ? []
        : await this.#all((store, page) =>
            store.files(wholeVault, { folder: onDisk, kinds, sort: 'path', ...page }),
          );
    const found = this.#current(rows.map((row) => row.path));
    for (const [path] of this.#files.touched()) found.add(path);
    return Array.from(found)
      .filter((path) => isInside(path, folder))
      .sort();
  }

  async unreadable(): Promise<readonly { readonly path: VaultPath; readonly reason: string }[]> {
    const { keeper } = this.#vault.vault.parts;
    let rows = await this.#ask((store) => store.unparsed(wholeVault));
    if (rows.length > 0) {
      // Some may only not have been read yet, by us or by another process that just met them.
      await keeper.refresh(rows.map(({ path }) => path));
      rows = await this.#ask((store) => store.unparsed(wholeVault));
    }
    const found = new Map(rows.map(({ path, reason }) => [path, reason]));
    for (const [path, reason] of keeper.unread) found.set(path, reason);
    return Array.from(found)
      .map(([path, reason]) => ({ path, reason }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async #ask<T>(question: (store: IndexStore) => Promise<T>): Promise<T> {
    if (this.#latest === undefined) {
      await this.#vault.waitForIndex('facts');
      this.#latest = await this.#vault.vault.writer.catchUp();
    }
    return this.#vault.ask('facts', question);
  }

  async #all<T>(
    ask: (
      store: IndexStore,
      page: { readonly limit: number; readonly offset: number },
    ) => Promise<{ readonly total: number; readonly items: readonly T[] }>,
  ): Promise<readonly T[]> {
    const items: T[] = [];
    for (;;) {
      const page = { limit: limits.resultsMax, offset: items.length };
      const { items: some, total } = await this.#ask((store) => ask(store, page));
      items.push(...some);
      if (some.length === 0 || items.length >= total) return items;
    }
  }

  /** Paths of the index as the draft has them; those that moved or are deleted fall out. */
  #current(onDisk: readonly VaultPath[]): Set<VaultPath> {
    const paths = onDisk.map((path) => this.#files.fromDisk(path));
    return new Set(paths.filter((path) => path !== undefined));
  }

  /** With every parsed file that the draft has changed: the index does not know their new text. */
  #withTouched(onDisk: readonly VaultPath[]): readonly VaultPath[] {
    const found = this.#current(onDisk);
    for (const [path] of this.#files.touched()) {
      if (fileKind(path) !== 'attachment') found.add(path);
    }
    return Array.from(found).sort();
  }
}
