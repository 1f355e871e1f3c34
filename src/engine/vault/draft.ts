import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { NoteFacts } from '../../markdown/facts/facts.ts';
import type { TextEdit } from '../../markdown/text/text-edit.ts';
import type { ByName } from '../links/resolve-link.ts';
import type { ChangeId } from '../ports/state-store.ts';
import type { BoundVault, NoteText } from './bound-vault.ts';
import type { NoteName } from './note-name.ts';
import type { RawDraft } from './raw-draft.ts';

/** What happened to one file in a change. */
export interface FileChange {
  readonly path: VaultPath;
  readonly did: 'created' | 'changed' | 'moved' | 'deleted';
  /** Where it was, if it moved. */
  readonly from?: VaultPath;
}

/** What every writing operation answers beside its own result. */
export interface ChangeReport {
  /** Its number in history; absent when nothing had to change, and in a dry run. */
  readonly change?: ChangeId;
  readonly dryRun: boolean;
  /**
   * The version that the file at the result's `path` has now; absent in a dry run, when it is gone,
   * and when an editor changed it at the last moment.
   */
  readonly version?: Version;
  /** The plan as a unified diff; only in a dry run. */
  readonly diff?: string;
  readonly files: readonly FileChange[];
  /** Files that an outside editor changed at the last moment: they are as that editor left them. */
  readonly kept: readonly VaultPath[];
  readonly warnings: readonly string[];
}

/** Plans one change: reads what it needs and says what it wants, all through the draft. */
export type Operation<Request, Result extends object> = (
  draft: Draft,
  request: Request,
) => Promise<Result>;

/**
 * A change while it is planned: the vault as it would be, with what was done to it so far. Nothing
 * is written before the whole plan is there, so an operation may fail at any point and nothing
 * happened; and it may be run again on a fresh draft, so it keeps nothing between runs. Several
 * operations on one draft are one change, and each sees what those before it did.
 */
export interface Draft {
  readonly vault: BoundVault;
  /** The time of the change, the same for all its parts. */
  readonly nowMs: number;
  /** Whether it is only to be looked at: nothing outside the vault may happen either. */
  readonly dryRun: boolean;

  /** Says something that the caller should know although the change goes on. */
  warn(message: string): void;
  /** Says that the change takes these back: for undo and redo. */
  undoes(ids: readonly ChangeId[]): void;
  /** Does this once the change is committed, or when it is given up. For what lies outside the vault. */
  onEnd(call: (committed: boolean) => Promise<void>): void;

  /** The file that a `name` means; see `findNote`. */
  find(name: NoteName): Promise<VaultPath>;
  /** What is at a path; undefined for nothing, and for what the caller may not see. */
  kind(path: VaultPath): Promise<'file' | 'folder' | undefined>;
  /**
   * The text of a file. Fails with `not_found`, `is_a_folder`, `too_large`, `forbidden`, and with
   * `invalid_input` when its bytes are not UTF-8: writing it back would damage it.
   */
  read(path: VaultPath): Promise<NoteText>;
  /** The text that a file had before this change; undefined for a file that the change makes. */
  textBefore(path: VaultPath): Promise<string | undefined>;
  /** What is known about a text of this change: tags, links, headings … Scans each text once. */
  facts(note: Pick<NoteText, 'path' | 'text'>): NoteFacts;
  /** Several texts at once, in the order asked for; fails as `read` does. */
  readAll(paths: readonly VaultPath[]): Promise<readonly NoteText[]>;
  /** The bytes of a file of any kind, up to `bytesMax`. */
  readBytes(path: VaultPath, bytesMax: number): Promise<{ bytes: Uint8Array; version: Version }>;
  /** Fails with `conflict` unless the file is at that version; undefined asks nothing. */
  expect(path: VaultPath, version: Version | undefined): Promise<void>;

  /** Gives an existing file another text; the same text is no change. */
  write(path: VaultPath, text: string): Promise<void>;
  /** Applies edits to the text that `read` answers. None is no change. */
  edit(path: VaultPath, edits: readonly TextEdit[]): Promise<void>;
  /** Makes a new file, and the folders it needs. Fails with `already_exists`. */
  create(
    path: VaultPath,
    content: string | Uint8Array,
    options?: { readonly hidden?: boolean },
  ): Promise<void>;
  /** Gives a file other bytes, or makes it: for undo. */
  put(path: VaultPath, bytes: Uint8Array, options?: { readonly hidden?: boolean }): Promise<void>;
  /**
   * Gives a file another path, and makes the folders it needs. Links are not touched: that is
   * `moveFiles`. `hidden` allows a target in a dot folder: the trash.
   */
  move(from: VaultPath, to: VaultPath, options?: { readonly hidden?: boolean }): Promise<void>;
  /** The same for a folder with everything in it. */
  moveFolder(from: VaultPath, to: VaultPath): Promise<void>;
  delete(path: VaultPath, options?: { readonly hidden?: boolean }): Promise<void>;
  /** For the raw file tools alone. */
  readonly raw: RawDraft;
  /** Makes a folder though nothing comes to lie there; one that is there is no change. For undo. */
  makeFolder(path: VaultPath): Promise<void>;
  /** Says that the file at a path is the one that was at another, though it is written anew. */
  succeeds(path: VaultPath, from: VaultPath): void;
  /** Removes a folder at the end, if it is empty then; `asked` as in `ChangeStep`. */
  dropFolder(path: VaultPath, as?: { readonly asked?: true }): void;

  /**
   * A path for something new, spelled like the folders that are there: `notes/x.md` becomes
   * `Notes/x.md` where the vault has `Notes`. The last name stays as it is.
   */
  spell(path: VaultPath): Promise<VaultPath>;
  /**
   * A file at this path but for case and Unicode form, other than `except`: most platforms cannot
   * hold both. Asks the index.
   */
  twin(path: VaultPath, except?: VaultPath): Promise<VaultPath | undefined>;
  /** Every file with one of these folded names, hidden from the caller or not: links see all. */
  byName(names: Iterable<string>): Promise<ByName>;
  /**
   * Files with a link whose last name (`linkSegment`) is one of these: whatever a file of that
   * name, with or without `.md`, could be meant by. In path order; may hold a few that have no
   * such link any more.
   */
  sourcesNaming(segments: Iterable<string>): Promise<readonly VaultPath[]>;
  /** Files with this tag or one nested under it (any case, without `#`), in path order. */
  filesWithTag(tag: string): Promise<readonly VaultPath[]>;
  /** Every file in a folder, at any depth, hidden from the caller or not; dot names aside. */
  filesIn(folder: VaultPath): Promise<readonly VaultPath[]>;
  /** Notes, canvases and bases that could not be read, so that their links are not known. */
  unreadable(): Promise<readonly { readonly path: VaultPath; readonly reason: string }[]>;
}
