import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installed } from './outside-programs.mjs';

/** The share of the pixels in which two pictures (PNG) differ; 1 when their sizes do. */
export async function comparePictures(one, other) {
  const modules = await installed('pixelmatch', '7.2.0'); // It brings pngjs.
  const { PNG } = createRequire(join(modules, 'x.js'))('pngjs');
  const entry = pathToFileURL(join(modules, 'pixelmatch', 'index.js'));
  const { default: pixelmatch } = await import(entry.href);
  const [a, b] = [PNG.sync.read(one), PNG.sync.read(other)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  return pixelmatch(a.data, b.data, undefined, a.width, a.height) / (a.width * a.height);
}
