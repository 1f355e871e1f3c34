import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { EntryKind } from '../ports/ports.ts';
import type { ChangeStep, ContentPut, TailStep } from '../ports/state-store.ts';
import type { FoundFile, NewContent } from './draft-files.ts';
import type { ChangePlan } from './plan-change.ts';

/**
 * Collects the plan of a change by a raw file tool (`RawDraft`): its steps are exactly what the
 * tool asked for. Fields: see `ChangePlan`.
 */
export class RawPlan implements Omit<ChangePlan, 'free'> {
  readonly steps: ChangeStep[] = [];
  readonly bytes = new Map<string, Uint8Array>();
  readonly contents: ContentPut[] = [];
  readonly seen = new Map<VaultPath, FoundFile>();
  readonly kinds = new Map<VaultPath, EntryKind | undefined>();
  readonly nameCounts = new Map<VaultPath, number>();

  /** Makes folders, outer ones first. `asked`: see `ChangeStep`. */
  makeFolders(paths: readonly VaultPath[], as: { readonly asked?: true } = {}): void {
    for (const path of paths) this.steps.push({ do: 'makeFolder', path, ...as });
  }

  /**
   * Writes a file. `before` is the content that it replaces, if history keeps that. `entry`:
   * replaces a symlink itself, or a file of which history keeps nothing.
   */
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
      ...(base === undefined && !entry ? {} : { whole: true }),
      ...(entry ? { entry } : {}),
    });
  }

  /** Changes the end of a file; `end` is what is added or cut off. */
  tail(step: TailStep, end: Uint8Array): void {
    this.contents.push({ version: step.tail, bytes: end });
    this.steps.push(step);
  }

  /**
   * `found` is the moved file if history keeps its content; `over` is the file that is replaced, or
   * `unkept` when history keeps nothing of it.
   */
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

  /** `over` and `files`: see `ChangeStep`. */
  moveFolder(
    from: VaultPath,
    to: VaultPath,
    { over, files }: { readonly over: boolean; readonly files: number | undefined },
  ): void {
    this.steps.push({
      do: 'moveFolder',
      path: from,
      to,
      ...(over ? { over } : {}),
      ...(files === undefined ? {} : { files }),
    });
  }

  /**
   * Deletes an entry. History keeps its content if `before` is given; otherwise there is no content
   * to compare at the commit, so at least the kind must be the same.
   */
  delete(path: VaultPath, kind: EntryKind, before?: FoundFile): void {
    const version = before && this.keep(path, before);
    if (version === undefined) this.kinds.set(path, kind);
    this.steps.push({ do: 'delete', path, ...(version === undefined ? {} : { before: version }) });
  }

  /**
   * Keeps the content of a file in history, and requires that the file is unchanged at the commit.
   */
  keep(path: VaultPath, found: FoundFile): FoundFile['version'] {
    this.seen.set(path, found);
    const { version, bytes } = found;
    if (version !== undefined && bytes !== undefined) this.#put({ version, bytes });
    return version;
  }

  /** Hands a content to history, unless it is too large for that. */
  #put(content: ContentPut): void {
    if (content.bytes.length <= limits.historyContentBytesMax) this.contents.push(content);
  }
}
