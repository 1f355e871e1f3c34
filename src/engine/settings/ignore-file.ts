import { limits } from '../../base/limits.ts';
import { rethrowIfAway, VaultError } from '../../base/vault-error.ts';
import { foldName, vaultPath } from '../../base/vault-path.ts';
import type { Disk } from '../ports/ports.ts';
import { globProblem } from '../ports/view.ts';
import { decodeText } from '../text/scan-file.ts';

/** The owner's list of files that no agent sees, at the root of the vault. */
const ignoreFile = vaultPath('.vaultdoorignore');

/** What such a list says. */
interface IgnoreList {
  /** Globs as those of `--hide`. */
  readonly globs: readonly string[];
  /** Lines that do not do what they seem to say, in sentences for the owner. */
  readonly problems: readonly string[];
}

/** Whether a path is that of the list itself, in any spelling that a disk may take for it. */
export function isIgnoreFile(path: string): boolean {
  return foldName(path) === ignoreFile;
}

/**
 * Reads the text of a `.vaultdoorignore`: one glob in each line; empty lines and lines that begin
 * with `#` are left out. A line with `!` has no effect: it would show what another line hides.
 */
function parseIgnoreList(text: string): IgnoreList {
  const globs: string[] = [];
  const problems: string[] = [];
  for (const [at, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const glob = line.trim();
    if (glob === '' || glob.startsWith('#')) continue;
    if (!glob.startsWith('!')) globs.push(glob);
    const problem = globProblem(glob);
    if (problem !== undefined) problems.push(`Line ${at + 1} of ${ignoreFile} ${problem}.`);
  }
  return { globs, problems };
}

/** The list of a vault, read again when its file has changed. */
export class IgnoreFile {
  readonly #disk: Disk;
  readonly #nowMs: () => number;
  readonly #warn: (problem: string) => void;
  #list: IgnoreList = { globs: [], problems: [] };
  #stamp = '';
  #lookedMs = Number.NEGATIVE_INFINITY;
  /** The last look; all who ask soon after it began wait for the same one, and in their order. */
  #looked: Promise<readonly string[]> = Promise.resolve([]);

  constructor(parts: {
    readonly disk: Disk;
    readonly nowMs: () => number;
    /** Called once for each line with a problem, and again when the file has changed. */
    readonly warn: (problem: string) => void;
  }) {
    this.#disk = parts.disk;
    this.#nowMs = parts.nowMs;
    this.#warn = parts.warn;
  }

  /**
   * The globs, at most `limits.ignoreCheckMs` old. Fails with `unavailable` when the file cannot be
   * read or is too large: then it is not known what its owner wants to hide.
   */
  globs(): Promise<readonly string[]> {
    const nowMs = this.#nowMs();
    const agoMs = nowMs - this.#lookedMs;
    if (agoMs < 0 || agoMs >= limits.ignoreCheckMs) {
      this.#lookedMs = nowMs;
      this.#looked = this.#look();
    }
    return this.#looked;
  }

  async #look(): Promise<readonly string[]> {
    try {
      const stamp = (await this.#disk.stat(ignoreFile))?.stamp ?? '';
      if (stamp !== this.#stamp) {
        const list = stamp === '' ? parseIgnoreList('') : await this.#read();
        this.#list = list;
        this.#stamp = stamp;
        for (const problem of list.problems) this.#warn(problem);
      }
      return this.#list.globs;
    } catch (error) {
      this.#lookedMs = Number.NEGATIVE_INFINITY; // The next call tries again.
      rethrowIfAway(error);
      throw new VaultError(
        'unavailable',
        `${ignoreFile} says which notes are private, and cannot be read (it has at most ${limits.ignoreFileBytesMax} bytes and ${limits.ignoreGlobsMax} globs). Nothing is served until the owner of the vault has corrected it.`,
        { cause: error },
      );
    }
  }

  async #read(): Promise<IgnoreList> {
    const { bytes } = await this.#disk.read(ignoreFile, { bytesMax: limits.ignoreFileBytesMax });
    const list = parseIgnoreList(decodeText(bytes));
    if (list.globs.length <= limits.ignoreGlobsMax) return list;
    throw new VaultError('too_large', `${ignoreFile} has too many globs.`);
  }
}
