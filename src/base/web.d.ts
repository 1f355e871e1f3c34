// The only web globals that the pure folders may use. They exist in Node, in browsers and in the
// Obsidian app, so the code runs in all three.

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: Uint8Array): string;
}

declare class URL {
  constructor(url: string, base?: string);
  readonly protocol: string;
  readonly hostname: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  readonly href: string;
  readonly host: string;
  readonly port: string;
  readonly origin: string;
  readonly username: string;
  readonly password: string;
  readonly searchParams: URLSearchParams;
  static canParse(url: string): boolean;
}

declare class URLSearchParams {
  constructor(init?: string | readonly (readonly [string, string])[]);
  get(name: string): string | null;
  getAll(name: string): string[];
  append(name: string, value: string): void;
  toString(): string;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
