import type { ChangeName } from '../../base/change-name.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version, VersionStart } from '../../base/version.ts';
import type { TextEdit } from '../../markdown/text/text-edit.ts';
import type { ByName } from '../links/resolve-link.ts';
import type { ChangeId, TailStep } from '../ports/state-store.ts';
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

/** What every operation that writes answers besides its own result. */
export interface ChangeReport {
  /** What the caller calls the change; absent when nothing had to change, and in a dry run. */
  readonly change?: ChangeName;
  readonly dryRun: boolean;
  /**
   * The version that the file at the result's `path` has now. Absent in a dry run, when the file is
   * gone, and when an editor changed it at the last moment.
   */
  readonly version?: Version;
  /** The plan as a unified diff; only in a dry run. */
  readonly diff?: string;
  readonly files: readonly FileChange[];
  /** Files that an outside editor changed at the last moment: they are as that editor left them. */
  readonly kept: readonly VaultPath[];
  readonly warnings: readonly string[];
}

/** Plans one change: reads files and says what is to be changed, all through the draft. */
export type Operation<Request, Result extends object> = (
  draft: Draft,
  request: Request,
) => Promise<Result>;

/**
 * A change while it is planned: shows the vault as it would be after what was done so far. Nothing
 * is written before the whole plan is made, so an operation may fail at any point. An operation may
 * be run again on a new draft, so it must keep nothing between runs. Several operations on one
 * draft make one change, and each sees what those before it did.
 *
 * Every method that changes something fails with `forbidden` for a path that the caller may not
 * see, and for a path with a name that begins with a dot. The option `dotNames` allows those dot
 * names that a change may write (`isWritableDotFile`): the trash and the app's bookmarks.
 */
export interface Draft {
  readonly vault: BoundVault;
  /** The time of the change, the same for all its parts. */
  readonly nowMs: number;
  /** Whether this is a preview: then nothing may happen outside the vault either. */
  readonly dryRun: boolean;

  /** Adds a warning to the report; the change goes on. */
  warn(message: string): void;
  /**
   * Records that this change takes others back, `partly` of them only as far as the caller sees
   * them: for undo and redo.
   */
  undoes(ids: readonly ChangeId[], partly?: readonly ChangeId[]): void;
  /**
   * Has the change planned again when another one is committed from now on. For what is decided by a
   * list of files on disk; answers of the index have this effect by themselves.
   */
  replanAfterOthers(): Promise<void>;
  /** Calls back once the change is committed or given up. For effects outside the vault. */
  onEnd(call: (committed: boolean) => Promise<void>): void;

  /**
   * The file that a `name` means; see `findNote`. With `read`, a note at its exact path is read at
   * once, so that its path is located only once: for operations that need its text next.
   */
  find(name: NoteName, options?: { readonly read: boolean }): Promise<VaultPath>;
  /** What is at a path; undefined for nothing, and where the caller may not see it. */
  kind(path: VaultPath): Promise<'file' | 'folder' | undefined>;
  /**
   * The text of a file. Fails with `not_found`, `is_a_folder`, `too_large`, `forbidden`, and with
   * `invalid_input` when the bytes are not UTF-8: writing the text back would change them.
   */
  read(path: VaultPath): Promise<NoteText>;
  /** The text that a file had before this change; undefined for a file that the change makes. */
  textBefore(path: VaultPath): Promise<string | undefined>;
  /** Several texts at once, in the order asked for; fails as `read` does. */
  readAll(paths: readonly VaultPath[]): Promise<readonly NoteText[]>;
  /** The bytes of a file of any kind, up to `bytesMax`. */
  readBytes(path: VaultPath, bytesMax: number): Promise<{ bytes: Uint8Array; version: Version }>;
  /**
   * Fails with `conflict` unless the file is at that version, and when history keeps another
   * content whose version begins with the same digits. With undefined nothing is checked.
   */
  expect(path: VaultPath, version: VersionStart | undefined): Promise<void>;

  /** Gives an existing file another text. Does nothing when the text is the same. */
  write(path: VaultPath, text: string): Promise<void>;
  /** Records that the caller gave the whole text of an existing file; the brake counts such files. */
  overwrites(path: VaultPath): void;
  /** Applies edits to the text that `read` answers. */
  edit(path: VaultPath, edits: readonly TextEdit[]): Promise<void>;
  /** Makes a new file, and the folders it needs. Fails with `already_exists`, `not_a_folder`. */
  create(
    path: VaultPath,
    content: string | Uint8Array,
    options?: { readonly dotNames?: boolean },
  ): Promise<void>;
  /** Gives a file other bytes, or makes it. For undo. */
  put(path: VaultPath, bytes: Uint8Array, options?: { readonly dotNames?: boolean }): Promise<void>;
  /**
   * Takes back, in place, a step that has added `end` to the end of a file or cut it off; the draft
   * then does nothing else but more of that. Answers false when the file does not end there any
   * more. `overwrites`: see the method. For undo.
   */
  takeBackTail(
    path: VaultPath,
    change: { readonly step: TailStep; readonly end: Uint8Array; readonly overwrites: boolean },
  ): Promise<boolean>;
  /**
   * Moves a file, and makes the folders it needs. Does not touch links: `moveFiles` does.
   * `dotNames` is about the target only. Fails with `not_found`, `already_exists`, `not_a_folder`.
   */
  move(from: VaultPath, to: VaultPath, options?: { readonly dotNames?: boolean }): Promise<void>;
  /** Moves a folder with everything in it. Does not touch links either. */
  moveFolder(from: VaultPath, to: VaultPath): Promise<void>;
  /** Deletes a file; history keeps its content. Does not touch links. Fails with `not_found`. */
  delete(path: VaultPath, options?: { readonly dotNames?: boolean }): Promise<void>;
  /** For the raw file tools (`ToolCall.raw`) alone. */
  readonly raw: RawDraft;
  /** Makes an empty folder. Does nothing when it already exists. For undo. */
  makeFolder(path: VaultPath): Promise<void>;
  /** Records that a file which is written as new continues the one that was at `from`. For undo. */
  movedFrom(path: VaultPath, from: VaultPath): void;
  /**
   * Removes a folder at the end of the change if it is empty then. `asked` says that the caller
   * wants it removed, so that undo makes it again.
   */
  dropFolder(path: VaultPath, as?: { readonly asked?: true }): void;

  /**
   * A path for something new, with its folders spelled as they are in the vault: `notes/x.md`
   * becomes `Notes/x.md` where the vault has `Notes`. The last name stays as it is.
   */
  spell(path: VaultPath): Promise<VaultPath>;
  /**
   * A file, other than `except`, whose path differs from this one at most in case and Unicode form;
   * it may be the file at `path` itself. Most platforms cannot have two such files. Asks the index.
   * Undefined when there is none.
   */
  twin(path: VaultPath, except?: VaultPath): Promise<VaultPath | undefined>;
  /**
   * Every file with one of these names (`foldName`), also those that the caller may not see: links
   * may lead to any file.
   */
  byName(names: Iterable<string>): Promise<ByName>;
  /**
   * Files with a link whose last name (`linkSegment`) is one of these, so that the link may lead to
   * a file of that name, with or without `.md`. In path order. A file from which this draft has
   * removed the link may still be among them.
   */
  sourcesNaming(segments: Iterable<string>): Promise<readonly VaultPath[]>;
  /**
   * Files with this tag or one nested under it (any case, without `#`), in path order. Every note
   * that this draft has changed is among them, with or without the tag.
   */
  filesWithTag(tag: string): Promise<readonly VaultPath[]>;
  /**
   * Files with this property, in any case, in path order. Every note that this draft has changed is
   * among them, with or without the property.
   */
  filesWithProperty(key: string): Promise<readonly VaultPath[]>;
  /**
   * Files with a base in which one of these names may be written, in path order: bases, and notes
   * with `base` blocks.
   */
  basesNaming(names: readonly string[]): Promise<readonly VaultPath[]>;
  /**
   * Every file in a folder, at any depth, also those that the caller may not see, but not those
   * with dot names.
   */
  filesIn(folder: VaultPath): Promise<readonly VaultPath[]>;
  /** Notes, canvases and bases that could not be read: their links are not known. */
  unreadable(): Promise<readonly { readonly path: VaultPath; readonly reason: string }[]>;
}
