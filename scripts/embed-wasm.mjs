import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync, constants } from 'node:zlib';

const glue = createRequire(import.meta.url).resolve('@silvia-odwyer/photon-node');
const wasm = glue.replace(/\.js$/, '_bg.wasm');

/** How the library loads its other file, and what it takes from Node that is global there anyway. */
const loads = /const path = require\('path'\)[^;]*;\s*const bytes = require\('fs'\)[^;]*;/;
const takes = 'const { TextEncoder, TextDecoder } = require(`util`);';

/**
 * An esbuild plugin that puts the library for thumbnails into a bundle, its WebAssembly packed as
 * text, and tells the program that it is there (`hasPhoton` in `thumbnails.ts`).
 */
export function embedWasm() {
  return {
    name: 'embed-wasm',
    setup(build) {
      build.initialOptions.define = {
        ...build.initialOptions.define,
        VAULTDOOR_EMBEDS_PHOTON: 'true',
      };
      build.onResolve({ filter: /^embedded-wasm$/ }, ({ path }) => ({ path, namespace: path }));
      build.onLoad({ filter: /.*/, namespace: 'embedded-wasm' }, () => ({ contents: unpacks() }));
      build.onLoad({ filter: /photon_rs\.js$/ }, ({ path }) => ({
        contents: withoutFiles(readFileSync(path, 'utf8')),
      }));
    },
  };
}

// More would make it an eighth smaller, and take ten times as long.
const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };

function unpacks() {
  const packed = brotliCompressSync(readFileSync(wasm), { params }).toString('base64');
  return `const { brotliDecompressSync } = require('node:zlib');
    exports.bytes = brotliDecompressSync(Buffer.from('${packed}', 'base64'));`;
}

function withoutFiles(text) {
  if (!loads.test(text) || !text.includes(takes)) {
    throw new Error('The library for thumbnails loads its WebAssembly in another way than it did.');
  }
  return text
    .replace(takes, '')
    .replace(loads, () => "const { bytes } = require('embedded-wasm');");
}
