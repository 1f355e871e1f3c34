import { createHmac, randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { limits } from '../../base/limits.ts';
import { diskError } from '../system/disk-error.ts';
import { replacePrivateFile, WatchedFile } from '../system/private-files.ts';

export interface SessionBookParts {
  readonly file: string;
  /** What is served: another server's ids are strangers here. */
  readonly served: string;
  /** Runs while no other process changes books in this folder. */
  readonly alone: <T>(folder: string, work: () => Promise<T>) => Promise<T>;
  readonly nowMs: () => number;
}

/** What must outlive a server so that its clients do not notice when it is started anew. */
export interface SessionBook {
  /** The key that the ids of sessions are signed with; the same after a restart. */
  key(): Promise<Uint8Array>;
  /** Remembers that a session was ended by its client, until its id is too old anyway. */
  deleted(id: string, untilMs: number): Promise<void>;
  isDeleted(id: string): Promise<boolean>;
}

interface Page {
  readonly key: string;
  /** When each may be forgotten. */
  readonly deleted: Readonly<Record<string, number>>;
}

const ownerOnly = 0o700;
const keyBytes = 32;

/** The book of a server's sessions. A damaged one is begun anew: all ids from before are then void. */
export function openSessionBook(parts: SessionBookParts): SessionBook {
  const { file, served, alone, nowMs } = parts;
  const page = new WatchedFile(file, pageIn);
  /** Ended here, and maybe not written yet. */
  const ended = new Map<string, number>();
  let writing: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  let root: Promise<string> | undefined;

  const write = async (): Promise<string> => {
    try {
      await mkdir(dirname(file), { recursive: true, mode: ownerOnly });
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
    deleted(id, untilMs) {
      ended.set(id, untilMs);
      // Sessions that end together are written together: when the writing before this is done.
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

/** Those that must still be remembered; where they are too many, the youngest. */
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
