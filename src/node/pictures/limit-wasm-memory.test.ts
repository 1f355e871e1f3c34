import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { limitWasmMemory } from './limit-wasm-memory.ts';

/** A module with one exported memory of one page. */
const small = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[5, 3, 1, 0, 1],
  ...[7, 5, 1, 1, 0x6d, 2, 0],
);

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of the global `WebAssembly` that is used here; Node's types do not have it. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object) => { readonly exports: { readonly m: Memory } };
    validate(bytes: Uint8Array): boolean;
  };
};

function memoryOf(bytes: Uint8Array): Memory {
  return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.m;
}

it('lets the memory grow so far and no further', () => {
  memoryOf(small).grow(300);
  const memory = memoryOf(limitWasmMemory(small, 200));
  memory.grow(199);
  expect(memory.buffer.byteLength).toBe(200 * 65_536);
  expect(() => memory.grow(1)).toThrow(RangeError);
});

it('fits the library for thumbnails', () => {
  const glue = createRequire(import.meta.url).resolve('@silvia-odwyer/photon-node');
  const wasm = readFileSync(glue.replace(/\.js$/, '_bg.wasm'));
  expect(WebAssembly.validate(limitWasmMemory(wasm, 2_400))).toBe(true);
});

it.each([
  ['no memory', small.subarray(0, 8)],
  ['a limit already', Uint8Array.of(...small.subarray(0, 8), 5, 4, 1, 1, 1, 9)],
  ['a number without an end', Uint8Array.of(...small.subarray(0, 8), 1, 255, 255, 255, 255, 255)],
])('fails for a module with %s', (_, module) => {
  expect(() => limitWasmMemory(module, 200)).toThrow('WebAssembly');
});
