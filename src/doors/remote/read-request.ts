import { isAscii } from 'node:buffer';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { jsonExcess } from '../../base/read-json.ts';
import { rawId } from './raw-id.ts';
import { protocolErrorCodes } from './remote-errors.ts';

/** A well-formed request. */
export interface RemoteRequest {
  /** The source text of the id, to be sent back as it came; undefined when no answer is wanted. */
  readonly id: string | undefined;
  readonly method: string;
  readonly params: unknown;
  /** The name that the client gave to the change it asks for; see `Correlations`. */
  readonly cid: string | undefined;
}

/** A message that is answered with an error. */
export interface RemoteRefusal {
  /** As in a request: without an id, no error is sent. */
  readonly id: string | undefined;
  readonly code: number;
  readonly message: string;
}

/** What a message is. Undefined is `null`, which gets no answer. */
export type ReadRequest = RemoteRequest | RemoteRefusal | undefined;

/** Longer names of changes are ignored; known clients use 16 characters. */
const cidCharsMax = 256;

const { parseError, invalidRequest } = protocolErrorCodes;

/** The request in a message, or a refusal. */
export function readRequest(bytes: Uint8Array): ReadRequest {
  const excess = jsonExcess(bytes);
  if (excess !== undefined) return unreadable(excess);
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // Most large messages are Base64, which is ASCII and decodes faster this way.
  const text = isAscii(body) ? body.toString('latin1') : body.toString();
  const message = parse(text);
  if (message === null) return undefined;
  if (!isObject(message)) return unreadable('The message is not a JSON object.');
  const { jsonrpc, method = null, params, meta } = message;
  if (method !== null && typeof method !== 'string') return unreadable('The method is not a text.');
  const id = message['id'] === undefined || message['id'] === null ? undefined : rawId(text);
  if (id !== undefined && id.length > limits.remoteIdCharsMax) {
    const why = `An id may have at most ${limits.remoteIdCharsMax} characters.`;
    return { id: 'null', code: invalidRequest, message: why };
  }
  if (jsonrpc !== '2.0') return invalid(id, 'The message does not say "jsonrpc": "2.0".');
  if (method === null || method === '') return invalid(id, 'The message has no method.');
  return { id, method, params, cid: cidIn(meta) };
}

/** The value of a JSON text, without halves of surrogate pairs; undefined when it is malformed. */
function parse(text: string): unknown {
  try {
    const mayHoldHalves = text.includes('\\u') && halfPair.test(text);
    return mayHoldHalves ? JSON.parse(text, withWholeCharacters) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Half a surrogate pair can only come as an escape, because UTF-8 cannot hold it. */
const halfPair = /\\u[dD]/;

function withWholeCharacters(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value;
}

function cidIn(meta: unknown): string | undefined {
  const cid = isObject(meta) ? meta['cid'] : undefined;
  return typeof cid === 'string' && cid !== '' && cid.length <= cidCharsMax ? cid : undefined;
}

/** The error for a message whose id is not known: it is sent with the id `null`. */
function unreadable(message: string): RemoteRefusal {
  return { id: 'null', code: parseError, message };
}

function invalid(id: string | undefined, message: string): RemoteRefusal {
  return { id, code: invalidRequest, message };
}
