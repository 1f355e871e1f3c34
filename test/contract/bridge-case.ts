/** A request of Bridge v1 as its clients send it. */
export interface BridgeRequest {
  /** GET unless given, POST with a body. */
  readonly method?: string;
  /** After `/bridge/v1`, unless it begins with `//`: then it is the whole of it. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is, all else as JSON. */
  readonly body?: unknown;
  /** In chunks, without a length. */
  readonly isChunked?: true;
}

/** What the answer must be. */
export interface BridgeExpected {
  readonly status: number;
  /** The body is JSON with at least this. */
  readonly json?: object;
  /** The body is exactly this JSON, keys in this order. */
  readonly jsonIs?: object;
  /** There is no body. */
  readonly empty?: true;
  /** Headers with exactly these values; undefined where it must not be there. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** One requirement, with where it comes from. */
export interface BridgeCase {
  readonly id: string;
  /** The line of the fact sheet or the part of the seed, in its words. */
  readonly source: string;
  readonly request: BridgeRequest;
  readonly expected: BridgeExpected;
  /** What we do other than the reference does, and why. */
  readonly better?: string;
}

/** The address of a request: from the first slash. */
export function pathOf({ path }: BridgeRequest): string {
  return path.startsWith('//') ? path.slice(1) : `/bridge/v1${path}`;
}

/** What is sent as its body. */
export function bodyOf({ body }: BridgeRequest): string | undefined {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
}

export function methodOf({ method, body }: BridgeRequest): string {
  return method ?? (body === undefined ? 'GET' : 'POST');
}
