import { createHmac, randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { limits } from '../../base/limits.ts';
import type { SessionBook } from '../../base/session-book.ts';
import { diskError } from '../system/disk-error.ts';
import { closePrivateFolder, replacePrivateFile, WatchedFile } from '../system/private-files.ts';
import { openSessionMemories } from './session-memories.ts';

interface SessionBookParts {
  readonly file: string;
  /** Names what is served. A session id is valid only for servers with the same name. */
  readonly served: string;
  /** Runs its work while no other process changes the files in this folder. */
  readonly alone: <T>(folder: string, work: () => Promise<T>) => Promise<T>;
  readonly nowMs: () => number;
}

/** The content of the file. */
interface Page {
  readonly key: string;
  /** The ids of ended sessions, each with the time when it may be forgotten. */
  readonly deleted: Readonly<Record<string, number>>;
}

const keyBytes = 32;

/**
 * Opens the file with a server's sessions. A damaged file is replaced; all older ids are then invalid.
 */
export function openSessionBook(parts: SessionBookParts): SessionBook {
  const { file, served, alone, nowMs } = parts;
  const page = new WatchedFile(file, pageIn);
  /** Sessions that were ended in this process and may not be written yet. */
  const ended = new Map<string, number>();
  /** The last write, and the one that waits for it to end. */
  let writing: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  /** The key in the file, from which `key` derives the one for `served`. */
  let root: Promise<string> | undefined;
  const memories = openSessionMemories({ folder: join(dirname(file), 'sessions'), served, nowMs });

  /** Writes the ended sessions, and a key if there is none; returns the key. */
  const write = async (): Promise<string> => {
    try {
      await closePrivateFolder(dirname(file));
      return await alone(dirname(file), async () => {
        const { key, deleted } = (await page.read()) ?? {};
        const endedHere = [...ended];
        if (key !== undefined && endedHere.length === 0) return key;
        const next: Page = {
          key: key ?? randomBytes(keyBytes).toString('base64url'),
          deleted: kept({ ...deleted, ...Object.fromEntries(endedHere) }, nowMs()),
        };
        await replacePrivateFile(file, `${JSON.stringify(next)}\n`);
        for (const [id] of endedHere) ended.delete(id);
        return next.key;
      });
    } catch (error) {
      throw diskError(file, error, 'write');
    }
  };

  return {
    async key() {
      root ??= write().catch((error: unknown) => {
        root = undefined;
        throw error;
      });
      return createHmac('sha256', await root)
        .update(served)
        .digest();
    },
    ...memories,
    async deleted(id, untilMs) {
      ended.set(id, untilMs);
      await memories.keep(id, { resources: [] }).catch(() => undefined); // It expires by itself.
      // Sessions that end while a write is going on are written together, with the next write.
      waiting ??= writing
        .catch(() => undefined)
        .then(() => {
          waiting = undefined;
          writing = write().then(() => undefined);
          return writing;
        });
      return waiting;
    },
    async isDeleted(id) {
      const until = ended.get(id) ?? (await page.read())?.deleted[id];
      return until !== undefined && nowMs() < until;
    },
  };
}

/** The sessions that must still be remembered; if there are too many, those that expire last. */
function kept(
  deleted: Readonly<Record<string, number>>,
  nowMs: number,
): Readonly<Record<string, number>> {
  const all = Object.entries(deleted).filter(([, untilMs]) => nowMs < untilMs);
  all.sort(([, a], [, b]) => b - a);
  return Object.fromEntries(all.slice(0, limits.deletedSessionsMax));
}

function pageIn(text: string | undefined): Page | undefined {
  if (text === undefined) return undefined;
  try {
    const { key, deleted } = JSON.parse(text) as Partial<Page>;
    if (typeof key !== 'string' || key.length < keyBytes) return undefined;
    return { key, deleted: typeof deleted === 'object' ? deleted : {} };
  } catch {
    return undefined;
  }
}
