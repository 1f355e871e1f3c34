/** Where a case runs, for what is only known there. */
export interface RemotePlace {
  /** The vault's folder, and one beside it that no path may reach. */
  readonly vault: string;
  readonly outside: string;
  readonly token: string;
  /** The time of a file in the units of the protocol. */
  mtime(path: string): number;
}

/** What is known at once, or where the case runs. */
export type There<T> = T | ((place: RemotePlace) => T);

/** Parameters or a result, as JSON has them; a test's matchers too. */
export type Given = object | string | null | undefined;

/** One thing that a client does, and what must come of it. */
export type RemoteStep =
  | {
      readonly kind: 'call';
      readonly method: string;
      readonly params: There<Given>;
      readonly expected: RemoteAnswer;
    }
  | {
      readonly kind: 'bytes';
      readonly bytes: There<readonly (Buffer | string)[]>;
      /** What comes back, in this order. */
      readonly replies: readonly RemoteReply[];
      /** The server closes the connection after that, by itself. */
      readonly closes: boolean;
    }
  | { readonly kind: 'does'; readonly what: (place: RemotePlace) => unknown };

/** A result (matchers of the test runner are welcome), or the code of an error, or one of several. */
export type RemoteAnswer =
  | { readonly result: There<Given> }
  | {
      readonly error: number | readonly number[];
      /** Something that its message says. */
      readonly message?: string;
    };

/** The same with the id as it stands in the message, byte for byte. */
export type RemoteReply = RemoteAnswer & { readonly id: string };

/** One requirement, with where it comes from. */
export interface RemoteCase {
  /** The section of the fact sheet and the row, in its words. */
  readonly row: string;
  /** What we do other than the first daemon did: a row of section 0 or 8. */
  readonly better?: string;
  /** The vault: a path that ends with a slash is a folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Symlinks; `{outside}` in a target is the folder beside the vault, which has `secret.md`. */
  readonly links?: Readonly<Record<string, string>>;
  /** The client has not said its token. */
  readonly stranger?: true;
  /** Pictures are made, which takes a thread. */
  readonly thumbnails?: true;
  readonly steps: readonly RemoteStep[];
  /** What is on disk at the end: texts, `folder`, `link`, or undefined for nothing. */
  readonly disk?: Readonly<Record<string, string | { readonly is: 'folder' | 'link' } | undefined>>;
}

export const folder = { is: 'folder' } as const;
export const link = { is: 'link' } as const;

/** A call that succeeds. */
export function gives(method: string, params: There<Given>, result: There<Given> = {}): RemoteStep {
  return { kind: 'call', method, params, expected: { result } };
}

/** A call that fails. */
export function fails(
  method: string,
  params: There<Given>,
  error: number | readonly number[],
  message = '',
): RemoteStep {
  return { kind: 'call', method, params, expected: { error, message } };
}

/** Bytes that are answered, while the connection stays open. */
export function says(
  bytes: There<readonly (Buffer | string)[]>,
  ...replies: readonly RemoteReply[]
): RemoteStep {
  return { kind: 'bytes', bytes, replies, closes: false };
}

/** Bytes after which the server closes the connection. */
export function closes(
  bytes: There<readonly (Buffer | string)[]>,
  ...replies: readonly RemoteReply[]
): RemoteStep {
  return { kind: 'bytes', bytes, replies, closes: true };
}

/** Something that happens to the vault from outside. */
export function does(what: (place: RemotePlace) => unknown): RemoteStep {
  return { kind: 'does', what };
}

/** A harmless question and its answer: what shows that a connection lives. */
export const question = '{"jsonrpc":"2.0","id":1,"method":"fs.exists","params":{"path":""}}';
export const answered: RemoteReply = { id: '1', result: { exists: true } };
