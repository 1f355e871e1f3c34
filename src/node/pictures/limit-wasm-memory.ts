const memorySection = 5;
const headerBytes = 8;
/** The flag of a memory that states only its first size, and of one that also states its largest. */
const [onlyMin, minAndMax] = [0, 1];

/**
 * The same WebAssembly module, but its memory cannot grow beyond so many pages of 64 KiB: whatever needs
 * more stops with an error. Fails when the module has no memory of its own, or already states a limit.
 */
export function limitWasmMemory(module: Uint8Array, pagesMax: number): Uint8Array {
  for (let at = headerBytes; at < module.length; ) {
    const size = readNumber(module, at + 1);
    const [start, end] = [size.end, size.end + size.value];
    if (module[at] !== memorySection) {
      at = end;
      continue;
    }
    const count = readNumber(module, start);
    const min = readNumber(module, count.end + 1);
    if (count.value !== 1 || module[count.end] !== onlyMin || min.end !== end) break;
    const memory = [1, minAndMax, ...writeNumber(min.value), ...writeNumber(pagesMax)];
    const section = [memorySection, ...writeNumber(memory.length), ...memory];
    return Buffer.concat([module.subarray(0, at), Buffer.from(section), module.subarray(end)]);
  }
  throw new Error('This WebAssembly module has no memory that could be limited.');
}

/** A number as WebAssembly writes it: seven bits in each byte, the lowest first (LEB128). */
function readNumber(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start; at < start + 5; at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (at - start));
    if (byte < 0x80) return { value, end: at + 1 };
  }
  throw new Error('This WebAssembly module is damaged.');
}

function writeNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...writeNumber(Math.floor(value / 0x80))];
}
