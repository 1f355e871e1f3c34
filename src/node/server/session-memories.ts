import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../../base/limits.ts';
import type { SessionBook, SessionMemory } from '../../base/session-book.ts';
import { diskError, errnoOf } from '../system/disk-error.ts';
import { makePrivateFolder, replacePrivateFile } from '../system/private-files.ts';

/** How often files that are too old are looked for. */
const tidyMs = 60 * 60_000;

/**
 * Opens the folder with what sessions take up again: one file for each, written when it changes,
 * and removed when there is nothing to keep or the session's id has expired.
 */
export function openSessionMemories(parts: {
  readonly folder: string;
  /** Names what is served: other servers keep their sessions in the same folder. */
  readonly served: string;
  readonly nowMs: () => number;
}): Pick<SessionBook, 'keep' | 'recall'> {
  const { folder, served, nowMs } = parts;
  let tidiedMs = Number.NEGATIVE_INFINITY;
  const fileOf = (id: string): string => {
    const name = createHash('sha256').update(`${served}\0${id}`).digest('hex').slice(0, 32);
    return join(folder, `${name}.json`);
  };

  /** Removes the files of sessions that cannot be revived any more, and the oldest of too many. */
  const tidy = async (): Promise<void> => {
    if (nowMs() - tidiedMs < tidyMs) return;
    tidiedMs = nowMs();
    const files = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        const path = join(folder, name);
        return { path, keptMs: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
      }),
    );
    files.sort((a, b) => b.keptMs - a.keptMs);
    const gone = files.filter(
      ({ keptMs }, at) => at >= limits.sessionsMax || nowMs() - keptMs > limits.sessionAgeMaxMs,
    );
    await Promise.all(gone.map(({ path }) => rm(path, { force: true })));
  };

  return {
    async keep(id, { resources, logLevel }) {
      const path = fileOf(id);
      try {
        if (resources.length === 0 && logLevel === undefined) {
          await rm(path, { force: true });
          return;
        }
        await makePrivateFolder(folder);
        await tidy();
        const memory = { resources: resources.slice(0, limits.subscriptionsMax), logLevel };
        await replacePrivateFile(path, `${JSON.stringify(memory)}\n`);
      } catch (error) {
        throw diskError(path, error, 'write');
      }
    },
    async recall(id) {
      const path = fileOf(id);
      try {
        const { mtimeMs } = await stat(path);
        if (nowMs() - mtimeMs > limits.sessionAgeMaxMs) return undefined;
        return memoryIn(await readFile(path, 'utf8'));
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return undefined;
        throw diskError(path, error);
      }
    },
  };
}

/** The memory in the text of a file; undefined when the text is damaged. */
function memoryIn(text: string): SessionMemory | undefined {
  try {
    const { resources, logLevel } = JSON.parse(text) as Partial<SessionMemory>;
    if (!Array.isArray(resources) || !resources.every((uri) => typeof uri === 'string')) {
      return undefined;
    }
    return { resources, ...(typeof logLevel === 'string' ? { logLevel } : {}) };
  } catch {
    return undefined;
  }
}
