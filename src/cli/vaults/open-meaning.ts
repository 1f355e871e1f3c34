import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { IndexKeeper } from '../../engine/index/index-keeper.ts';
import { MeaningKeeper, type MeaningProgress } from '../../engine/meaning/meaning-keeper.ts';
import type { Embedder } from '../../engine/ports/meaning.ts';
import type { Disk } from '../../engine/ports/ports.ts';
import type { View } from '../../engine/ports/view.ts';
import { openHttpEmbedder } from '../../node/embed/http-embedder.ts';
import { nodeClock, nodeHash, nodeTimers } from '../../node/system/node-ports.ts';
import { openThreadEmbedder } from '../../node/workers/thread-embedder.ts';
import { openThreadMeaning } from '../../node/workers/thread-meaning.ts';
import type { EmbedOptions } from '../options/embed-options.ts';

/** What a vault needs to be searched by meaning. */
export interface MeaningOptions {
  readonly embed: EmbedOptions;
  /** What clients see without a token of their own; see `MeaningKeeper`. */
  readonly view: View;
  readonly onProgress?: (progress: MeaningProgress) => void;
}

/** Opens the model that the owner has named. Fails with what is missing: a package, or the key's file. */
export function openEmbedder(
  embed: EmbedOptions,
  {
    entryFile,
    env,
  }: { readonly entryFile: string; readonly env: Readonly<Record<string, string | undefined>> },
): Embedder {
  if (embed.at === 'local') {
    const { folder } = embed;
    return openThreadEmbedder({
      entryFile,
      ...(folder === undefined ? {} : { folder: resolve(folder) }),
    });
  }
  const { url, model, api, keyFile } = embed;
  const key = keyFile === undefined ? env['VAULTDOOR_EMBED_KEY']?.trim() : readKey(keyFile);
  return openHttpEmbedder({ url, model, api, ...(key ? { key } : {}) });
}

/** Joins the model with the vectors of a vault, which are in its cache folder. */
export function openMeaning(
  { embed, view, onProgress }: MeaningOptions,
  parts: {
    readonly entryFile: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly keeper: IndexKeeper;
    readonly disk: Disk;
    readonly cacheFolder: string;
    /** Makes the cache folder. */
    readonly prepare: () => Promise<unknown>;
    readonly fills: boolean;
  },
): MeaningKeeper {
  const { entryFile, env, keeper, disk, cacheFolder, prepare, fills } = parts;
  return new MeaningKeeper({
    keeper,
    disk,
    clock: nodeClock,
    timers: nodeTimers,
    hash: nodeHash,
    embedder: openEmbedder(embed, { entryFile, env }),
    openStore: async (model) => {
      const isThere = await prepare().then(
        () => true,
        () => false,
      );
      // Where the index is in memory, the vectors are, too.
      const fileOf = (name: string) => (isThere ? join(cacheFolder, name) : ':memory:');
      const files = { file: fileOf('meaning.db'), leaseFile: fileOf('embed.db') };
      return openThreadMeaning({ entryFile, ...files, model });
    },
    view,
    fills,
    ...(onProgress === undefined ? {} : { onProgress }),
  });
}

function readKey(file: string): string {
  let key: string;
  try {
    key = readFileSync(file).toString('utf8').trim();
  } catch (cause) {
    throw new VaultError(
      'invalid_input',
      `The file of "--embed-key-file" cannot be read: ${file}`,
      { cause },
    );
  }
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= limits.embedKeyCharsMax) return key;
  throw new VaultError(
    'invalid_input',
    `The file of "--embed-key-file" has no key in one line: ${file}`,
  );
}
