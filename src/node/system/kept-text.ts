import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from './disk-error.ts';
import { replacePrivateFile } from './private-file.ts';

const ownerOnly = 0o700;

/** A small text that outlives the program, in a file of its own that only its owner may read. */
export interface KeptText {
  /** Undefined where nothing is kept. Fails with the system's errors. */
  load(): Promise<string | undefined>;
  /** Makes the folder where it must. Fails with the system's errors. */
  save(text: string): Promise<void>;
}

/** The text that is kept in this file. */
export function keptText(file: string): KeptText {
  return {
    async load() {
      try {
        return await readFile(file, 'utf8');
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    async save(text) {
      await mkdir(dirname(file), { recursive: true, mode: ownerOnly });
      await replacePrivateFile(file, text);
    },
  };
}
