import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import { fileKind, isParsed } from '../ports/file-kind.ts';
import type { FileStat, NoteRecord, TextRecord } from '../ports/records.ts';
import { decodeText, scanFile } from './scan-file.ts';

/** What the index keeps of a file, but for its stat. */
type Scanned = Required<ReturnType<typeof scanFile>>;

const noStat: FileStat = { size: 0, mtimeMs: 0, birthMs: 0, stamp: '', present: true };

/**
 * A small note with the content that a change of ours gives it. What the index keeps of it is found
 * while the change waits for the disk, so that the note need not be read back when it is in place.
 */
export class WrittenFile {
  readonly path: VaultPath;
  readonly version: Version;
  readonly bytes: Uint8Array;
  #scanned: Scanned | 'failed' | undefined;
  #stat: FileStat | undefined;

  constructor(path: VaultPath, version: Version, bytes: Uint8Array) {
    this.path = path;
    this.version = version;
    this.bytes = bytes;
  }

  /** Whether a file is one that is read and parsed on the main thread. */
  static isSmallNote(path: VaultPath, bytes: Uint8Array): boolean {
    return isParsed(fileKind(path)) && bytes.length <= limits.largeReadBytes;
  }

  /** To be called with its stat when it is in place: see `WritableDisk.place`. */
  placed(stat: FileStat): void {
    this.#stat = stat;
  }

  /** Its stat; undefined until it is in place. */
  get stat(): FileStat | undefined {
    return this.#stat;
  }

  /** Finds what the index keeps of it, unless that was done before. Never fails. */
  scan(): void {
    if (this.#scanned !== undefined) return;
    try {
      const file = { path: this.path, stat: noStat, text: decodeText(this.bytes) };
      this.#scanned = scanFile(file, ['facts', 'text'], limits.racyMs) as Scanned;
    } catch {
      this.#scanned = 'failed'; // The scanner reports it.
    }
  }

  /**
   * The records for the index; undefined until it is in place, and when our parser fails on it. They are
   * racy, since another program may write to it before the clock of the disk has moved on.
   */
  records(): { readonly note: NoteRecord; readonly text: TextRecord } | undefined {
    this.scan();
    const [scanned, stat] = [this.#scanned, this.#stat];
    if (scanned === undefined || scanned === 'failed' || stat === undefined) return undefined;
    const { note, text } = scanned;
    return { note: { ...note, stat, racy: true }, text: { ...text, stamp: stat.stamp } };
  }
}
