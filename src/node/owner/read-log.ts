import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { isInside } from '../../base/vault-path.ts';
import type { Clock, Timers } from '../../engine/ports/ports.ts';
import type { ReadEntry, ReadFilter, ReadLog } from '../../engine/ports/read-log.ts';
import { errnoOf } from '../system/disk-error.ts';

interface ReadLogParts {
  /** Where its files are. It need not exist. */
  readonly folder: string;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Makes what `folder` is in; called before each write. */
  readonly prepare?: () => Promise<void>;
  /** Called when entries were lost, once until writing succeeds again. */
  readonly onFailure?: (reason: string) => void;
}

const fileMode = 0o600;
const folderMode = 0o700;
const dayMs = 24 * 60 * 60_000;

/**
 * Opens the log of what was read: files with one entry on each line, named by the day (UTC) and a
 * number, such as `2026-11-17-1.jsonl`. Each write appends whole lines at once, so that several
 * processes can share a file. Whole files are dropped when they are too old or all of them too large.
 */
export function openReadLog(parts: ReadLogParts): ReadLog {
  return new FileReadLog(parts);
}

class FileReadLog implements ReadLog {
  readonly #parts: ReadLogParts;
  #lines: string[] = [];
  #waitingBytes = 0;
  #cancelTimer: (() => void) | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** The file that was written last. */
  #last: LogFile | undefined;
  #hasFailed = false;

  constructor(parts: ReadLogParts) {
    this.#parts = parts;
  }

  add(entry: ReadEntry): void {
    const line = JSON.stringify(entry);
    if (this.#waitingBytes + line.length > limits.readLogWaitingBytesMax) {
      this.#failed('too much waits to be written');
      return;
    }
    this.#lines.push(line);
    this.#waitingBytes += line.length;
    this.#cancelTimer ??= this.#parts.timers.after(limits.readLogWriteEveryMs, () => {
      this.#cancelTimer = undefined;
      this.#write();
    });
  }

  async entries(filter: ReadFilter): ReturnType<ReadLog['entries']> {
    const { folder, clock } = this.#parts;
    await dropOldReads(folder, clock.nowMs()).catch(() => undefined); // They are not read either.
    const files = (await filesIn(folder)).reverse();
    const wants = wanted(filter);
    const sinceMs = Math.max(filter.sinceMs ?? 0, clock.nowMs() - limits.readLogAgeMaxMs);
    const found: ReadEntry[] = [];
    let lastDay = '';
    for (const { name, day, startMs } of files) {
      // Several processes may write to different files of one day, so a day is read to its end.
      const isEnough = found.length > filter.limit && day !== lastDay;
      if (isEnough || startMs + dayMs <= sinceMs) break;
      lastDay = day;
      for (const entry of entriesIn(await readIfThere(join(folder, name)))) {
        if (entry.timeMs >= sinceMs && wants(entry)) found.push(entry);
      }
    }
    const items = found.sort((a, b) => b.timeMs - a.timeMs).slice(0, filter.limit);
    return { items, more: found.length > items.length, isEmpty: files.length === 0 };
  }

  async close(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#write();
    await this.#writing;
  }

  /** Writes what waits, after what is being written. */
  #write(): void {
    if (this.#lines.length === 0) return;
    this.#writing = this.#writing.then(async () => {
      // The first line may follow one that a killed process has not finished, so it begins anew.
      const batch = `\n${this.#lines.join('\n')}\n`;
      this.#lines = [];
      this.#waitingBytes = 0;
      try {
        await this.#append(batch);
        this.#hasFailed = false;
      } catch (error) {
        this.#failed(errnoOf(error) ?? 'unknown');
      }
    });
  }

  async #append(batch: string): Promise<void> {
    const { folder, clock, prepare } = this.#parts;
    await prepare?.();
    // Not its parents: a state folder that was removed under a running server must not come back.
    await mkdir(folder, { mode: folderMode }).catch((error: unknown) => {
      if (errnoOf(error) !== 'EEXIST') throw error;
    });
    const day = dayOf(clock.nowMs());
    if (this.#last?.day !== day) {
      await this.#prune();
      this.#last = (await filesIn(folder)).filter((file) => file.day === day).at(-1);
      this.#last ??= logFile(day, 1);
    }
    for (;;) {
      const file = await open(join(folder, this.#last.name), 'a', fileMode);
      try {
        const { size } = await file.stat();
        if (size < limits.readLogFileBytesMax) return await file.appendFile(batch);
      } finally {
        await file.close();
      }
      this.#last = logFile(day, this.#last.number + 1);
      await this.#prune();
    }
  }

  /** Drops the files that are too old, and then the oldest until there is room for the next one. */
  async #prune(): Promise<void> {
    const { folder, clock } = this.#parts;
    await dropOldReads(folder, clock.nowMs());
    let left = limits.readLogBytesMax - limits.readLogFileBytesMax - limits.readLogWaitingBytesMax;
    for (const { name } of (await filesIn(folder)).reverse()) {
      const path = join(folder, name);
      left -= await stat(path).then(
        ({ size }) => size,
        () => 0, // Another process has just dropped it.
      );
      if (left < 0) await rm(path, { force: true });
    }
  }

  #failed(reason: string): void {
    if (!this.#hasFailed) this.#parts.onFailure?.(reason);
    this.#hasFailed = true;
  }
}

/** Drops the files of a log that are too old. Files with entries of that age are dropped whole. */
export async function dropOldReads(folder: string, nowMs: number): Promise<void> {
  for (const { name, startMs } of await filesIn(folder)) {
    if (startMs >= nowMs - limits.readLogAgeMaxMs) return;
    await rm(join(folder, name), { force: true });
  }
}

/** The files of a log, oldest first; none when its folder does not exist. */
async function filesIn(folder: string): Promise<LogFile[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  });
  const files = names.flatMap((name) => {
    const [, day, number] = /^(\d{4}-\d\d-\d\d)-(\d{1,9})\.jsonl$/.exec(name) ?? [];
    return day === undefined ? [] : [logFile(day, Number(number))];
  });
  return files.sort((a, b) => a.startMs - b.startMs || a.number - b.number);
}

interface LogFile {
  readonly name: string;
  readonly day: string;
  readonly number: number;
  /** When its day begins. */
  readonly startMs: number;
}

function logFile(day: string, number: number): LogFile {
  return { name: `${day}-${number}.jsonl`, day, number, startMs: Date.parse(day) };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The text of a file; empty when another process has just dropped it. */
async function readIfThere(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return '';
    throw error;
  });
}

/** The entries of a file. Lines that are damaged or were not finished are left out. */
function entriesIn(text: string): ReadEntry[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = line === '' ? undefined : JSON.parse(line);
      return isEntry(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

function isEntry(value: unknown): value is ReadEntry {
  if (!isObject(value)) return false;
  const { timeMs, tool, paths, bytes, door } = value as Partial<Record<keyof ReadEntry, unknown>>;
  return (
    Number.isSafeInteger(timeMs) &&
    Number.isSafeInteger(bytes) &&
    typeof tool === 'string' &&
    typeof door === 'string' &&
    Array.isArray(paths) &&
    paths.every((path) => typeof path === 'string')
  );
}

function wanted({ client, path }: ReadFilter): (entry: ReadEntry) => boolean {
  const part = client?.toLowerCase();
  return (entry) =>
    (part === undefined || (entry.client ?? '').toLowerCase().includes(part)) &&
    (path === undefined || entry.paths.some((each) => each === path || isInside(each, path)));
}
