import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { EntryKind } from '../ports/ports.ts';
import type { ChangeStep, ContentPut } from '../ports/state-store.ts';
import type { FoundFile, NewContent } from './draft-files.ts';
import type { ChangePlan } from './plan-change.ts';

/** A raw change as it is put together: its steps are what was asked for, word for word. */
export class RawPlan implements Omit<ChangePlan, 'free'> {
  readonly steps: ChangeStep[] = [];
  readonly bytes = new Map<string, Uint8Array>();
  readonly contents: ContentPut[] = [];
  readonly seen = new Map<VaultPath, FoundFile>();
  readonly names = new Map<VaultPath, EntryKind | undefined>();
  readonly held = new Map<VaultPath, number>();

  makeFolders(paths: readonly VaultPath[], as: { readonly asked?: true } = {}): void {
    for (const path of paths) this.steps.push({ do: 'makeFolder', path, ...as });
  }

  write(
    path: VaultPath,
    after: NewContent,
    {
      token,
      before,
      entry,
    }: { readonly token: string; readonly before?: FoundFile | undefined; readonly entry: boolean },
  ): void {
    const base = before && this.keep(path, before);
    this.bytes.set(token, after.bytes);
    this.#put({ ...after, ...(base === undefined ? {} : { base }) });
    this.steps.push({
      do: 'write',
      path,
      ...(base === undefined ? {} : { before: base }),
      after: after.version,
      token,
      ...(entry ? { entry } : {}),
    });
  }

  /** `found` is what history keeps of it, `over` what it replaces. */
  move(
    from: VaultPath,
    to: VaultPath,
    { found, over }: { found: FoundFile | undefined; over: FoundFile | 'unkept' | undefined },
  ): void {
    const version = found && this.keep(from, found);
    const replaced = over === undefined || over === 'unkept' ? over : this.keep(to, over);
    this.steps.push({
      do: 'move',
      path: from,
      to,
      ...(version === undefined ? {} : { version }),
      ...(replaced === undefined ? {} : { over: replaced }),
    });
  }

  moveFolder(from: VaultPath, to: VaultPath, { over }: { readonly over: boolean }): void {
    this.steps.push({ do: 'moveFolder', path: from, to, ...(over ? { over } : {}) });
  }

  /** Without a content nothing is kept of what was there. */
  delete(path: VaultPath, kind: EntryKind, before?: FoundFile): void {
    const version = before && this.keep(path, before);
    if (version === undefined) this.names.set(path, kind);
    this.steps.push({ do: 'delete', path, ...(version === undefined ? {} : { before: version }) });
  }

  /** History keeps the content of a file as it was seen, and the change holds only for that. */
  keep(path: VaultPath, found: FoundFile): FoundFile['version'] {
    this.seen.set(path, found);
    const { version, bytes } = found;
    if (version !== undefined && bytes !== undefined) this.#put({ version, bytes });
    return version;
  }

  #put(content: ContentPut): void {
    if (content.bytes.length <= limits.historyContentBytesMax) this.contents.push(content);
  }
}
