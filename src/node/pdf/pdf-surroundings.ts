// What the library that reads PDFs finds around it. Must be loaded before the library, in a thread that
// does nothing else.
import { limits } from '../../base/limits.ts';

// Without a canvas, the library warns on stdout, which belongs to the protocol.
const silent = (): void => {};
Object.assign(console, { log: silent, info: silent, warn: silent });

// With these classes a browser draws. Only the text of pages is read here.
class Undrawn {}
Object.assign(globalThis, { DOMMatrix: Undrawn, ImageData: Undrawn, Path2D: Undrawn });

// A small file can hold a stream that unpacks to gigabytes, and the memory of typed arrays is not
// within the limits that a thread has.
const Bytes = Uint8Array;
globalThis.Uint8Array = new Proxy(Bytes, {
  construct(target, args, asked) {
    if (args[0] > limits.pdfStreamBytesMax) throw new RangeError('The stream is too large.');
    return Reflect.construct(target, args, asked === globalThis.Uint8Array ? target : asked);
  },
});
