import { brotliDecompressSync } from 'node:zlib';

// The tables that old Chinese, Japanese and Korean PDFs name without having them inside: names with
// lengths as JSON, a line end, and the tables of the package `pdfjs-dist` one after the other;
// compressed, as base64. Set by the build.
declare const VAULTDOOR_CMAPS: string;

let tables: ReadonlyMap<string, Uint8Array> | undefined;

/** Hands such tables to the library that reads PDFs. They are unpacked when one is first needed. */
export class CMapTables {
  fetch({ name }: { readonly name: string }): Promise<{
    readonly cMapData: Uint8Array;
    readonly isCompressed: boolean;
  }> {
    tables ??= unpack();
    const found = tables.get(name);
    if (found === undefined) return Promise.reject(new Error('There is no such table.'));
    // A copy, since the library may hand it on to another thread.
    return Promise.resolve({ cMapData: found.slice(), isCompressed: true });
  }
}

function unpack(): ReadonlyMap<string, Uint8Array> {
  const bytes = brotliDecompressSync(Buffer.from(VAULTDOOR_CMAPS, 'base64'));
  const lineEnd = bytes.indexOf('\n');
  const lengths: readonly [name: string, length: number][] = JSON.parse(
    bytes.toString('utf8', 0, lineEnd),
  );
  const unpacked = new Map<string, Uint8Array>();
  let at = lineEnd + 1;
  for (const [name, length] of lengths) {
    unpacked.set(name, new Uint8Array(bytes.subarray(at, at + length)));
    at += length;
  }
  return unpacked;
}
