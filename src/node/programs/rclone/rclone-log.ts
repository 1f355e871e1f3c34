import { limits } from '../../../base/limits.ts';
import { oneLine } from '../../../base/one-line.ts';

/** The counts that rclone logs. */
export interface RcloneCounts {
  readonly transferred: number;
  readonly deleted: number;
  readonly bytes: number;
  /** What rclone knows so far that it has to copy; it may find more while it copies. */
  readonly totalFiles: number;
  readonly totalBytes: number;
}

const nothing: RcloneCounts = {
  transferred: 0,
  deleted: 0,
  bytes: 0,
  totalFiles: 0,
  totalBytes: 0,
};
const faultLevels: readonly unknown[] = ['error', 'critical', 'alert', 'emergency', 'fatal'];
/** How many failures are shown. */
const linesMax = 6;
/** A longer line is cut off; rclone prints none. */
const lineCharsMax = 64 * 1024;

/** Reads the log of rclone (`--use-json-log`) as it comes: the counts, and what went wrong. */
export class RcloneLog {
  readonly #onCounts: (counts: RcloneCounts) => void;
  readonly #decoder = new TextDecoder();
  /** The beginning of a line whose end has not come yet. */
  #rest = '';
  #counts = nothing;
  /** The failures that rclone has logged. */
  readonly #failures: string[] = [];

  constructor(onCounts: (counts: RcloneCounts) => void) {
    this.#onCounts = onCounts;
  }

  get counts(): RcloneCounts {
    return this.#counts;
  }

  /** Takes the next bytes of the log. */
  read(bytes: Uint8Array): undefined {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#rest = (lines.pop() ?? '').slice(0, lineCharsMax);
    for (const line of lines) this.#line(line);
  }

  /**
   * The last few failures, one on each line, for the caller to read. `hidden` has the texts that the
   * caller must not see (paths on this machine, a remote with its password), and what replaces them.
   */
  said(hidden: ReadonlyMap<string, string>): string {
    this.#line(this.#rest);
    this.#rest = '';
    const charsMax = Math.floor(limits.syncErrorCharsMax / linesMax) - 1;
    return this.#failures
      .slice(-linesMax)
      .map((line) => {
        let shown = line;
        for (const [text, name] of hidden) {
          // rclone may also print the text quoted and escaped.
          shown = shown.replaceAll(text, name).replaceAll(JSON.stringify(text).slice(1, -1), name);
        }
        return oneLine(shown.replace(/:\/\/[^/\s]*@/g, '://'), charsMax);
      })
      .join('\n');
  }

  #line(text: string): void {
    const entry = entryOf(text);
    const stats = entry?.['stats'];
    if (isObject(stats)) {
      this.#counts = countsOf(stats);
      this.#onCounts(this.#counts);
    } else if (entry === undefined) {
      // Until rclone has read its options, it prints plain text, such as an error and then its usage.
      // Only the first line is of interest.
      if (text.trim() !== '' && this.#failures.length === 0) this.#failures.push(text);
    } else if (faultLevels.includes(entry['level'])) {
      this.#fault(entry);
    }
  }

  #fault({ msg, object }: Readonly<Record<string, unknown>>): void {
    const about = typeof object === 'string' && object !== '' ? `${object}: ` : '';
    const failure = about + String(msg);
    // rclone tries again, and then logs the same failure again.
    if (this.#failures.includes(failure)) return;
    this.#failures.push(failure);
    if (this.#failures.length > linesMax) this.#failures.shift();
  }
}

/** The secrets in a remote that is written with its settings, such as `:sftp,host=x,pass=y:path`. */
export function remoteSecrets(remote: string): readonly string[] {
  const settings = remote.matchAll(/,([\w-]+)=("(?:[^"]|"")*"|'(?:[^']|'')*'|[^,:]*)/g);
  return Array.from(settings, ([, name = '', value = '']) => {
    const [quote = ''] = /^["']/.exec(value) ?? [];
    const bare = quote === '' ? value : value.slice(1, -1).replaceAll(quote + quote, quote);
    return /pass|secret|token|key|auth|cred|cookie/i.test(name) ? bare : '';
  }).filter((secret) => secret.length > 2);
}

/** A line of rclone's log, parsed; undefined for any other line. */
function entryOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && 'level' in value ? value : undefined;
  } catch {
    return undefined;
  }
}

function countsOf(stats: Readonly<Record<string, unknown>>): RcloneCounts {
  return {
    transferred: numberOf(stats['transfers']),
    deleted: numberOf(stats['deletes']),
    bytes: numberOf(stats['bytes']),
    totalFiles: numberOf(stats['totalTransfers']),
    totalBytes: numberOf(stats['totalBytes']),
  };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
