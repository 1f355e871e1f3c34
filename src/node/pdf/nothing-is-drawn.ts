// Must be loaded before the library that reads PDFs, in a thread that does nothing else. Without a
// canvas, the library warns on stdout, which belongs to the protocol, and fails for want of three
// classes with which a browser draws. Only the text of pages is read here.
const silent = (): void => {};
Object.assign(console, { log: silent, info: silent, warn: silent });

class Undrawn {}
Object.assign(globalThis, { DOMMatrix: Undrawn, ImageData: Undrawn, Path2D: Undrawn });
