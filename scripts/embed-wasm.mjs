import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync, constants } from 'node:zlib';

const glue = createRequire(import.meta.url).resolve('@silvia-odwyer/photon-node');
const wasm = glue.replace(/\.js$/, '_bg.wasm');

/**
 * The lines with which the library loads its WebAssembly file, and imports two names that are
 * global.
 */
const loads = /const path = require\('path'\)[^;]*;\s*const bytes = require\('fs'\)[^;]*;/;
const takes = 'const { TextEncoder, TextDecoder } = require(`util`);';

/**
 * An esbuild plugin that puts the library for thumbnails into a bundle, with its WebAssembly as
 * compressed text. It also defines the constant that tells the program so (see `thumbnails.ts`).
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

// A higher quality would make the text an eighth smaller, but take ten times as long.
const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };

function unpacks() {
  const packed = brotliCompressSync(readFileSync(wasm), { params }).toString('base64');
  return `const { brotliDecompressSync } = require('node:zlib');
    exports.bytes = brotliDecompressSync(Buffer.from('${packed}', 'base64'));`;
}

function withoutFiles(text) {
  if (!loads.test(text) || !text.includes(takes)) {
    throw new Error('The library for thumbnails no longer loads its WebAssembly in the known way.');
  }
  return text
    .replace(takes, '')
    .replace(loads, () => "const { bytes } = require('embedded-wasm');");
}
