import { isAscii } from 'node:buffer';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { rawId } from './raw-id.ts';
import { protocolErrorCodes } from './remote-errors.ts';

/** A request that may be looked up and run. */
export interface RemoteRequest {
  /** Its source text, to be sent back as it came; undefined where nobody waits for an answer. */
  readonly id: string | undefined;
  readonly method: string;
  readonly params: unknown;
  /** What the client calls the change that it asks for. */
  readonly cid: string | undefined;
}

/** A message that is answered with an error. */
export interface RemoteRefusal {
  /** As in a request: what nobody waits for is not refused either. */
  readonly id: string | undefined;
  readonly code: number;
  readonly message: string;
}

/** Longer names of changes are not kept: clients have 16 characters. */
const cidCharsMax = 256;

const { parseError, invalidRequest } = protocolErrorCodes;

/** The request in a message; undefined where it asks for nothing and is not to be answered. */
export function readRequest(body: Buffer): RemoteRequest | RemoteRefusal | undefined {
  // Most large messages are Base64, which needs no decoding.
  const text = isAscii(body) ? body.toString('latin1') : body.toString();
  const message = parse(text);
  if (message === null) return undefined;
  if (!isObject(message)) return unreadable('The message is not a JSON object.');
  const { jsonrpc, method = null, params, meta } = message;
  if (method !== null && typeof method !== 'string') return unreadable('The method is no text.');
  const id = message['id'] === undefined || message['id'] === null ? undefined : rawId(text);
  if (id !== undefined && id.length > limits.remoteIdCharsMax) {
    const why = `An id may have ${limits.remoteIdCharsMax} characters.`;
    return { id: 'null', code: invalidRequest, message: why };
  }
  if (jsonrpc !== '2.0') return invalid(id, 'The message does not say "jsonrpc": "2.0".');
  if (method === null || method === '') return invalid(id, 'The message has no method.');
  return { id, method, params, cid: cidIn(meta) };
}

/** The value of a JSON text; undefined where it is none. */
function parse(text: string): unknown {
  try {
    const mayHoldHalves = text.includes('\\u') && halfPair.test(text);
    return mayHoldHalves ? JSON.parse(text, withWholeCharacters) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Half a surrogate pair can only come as an escape; UTF-8 has none. */
const halfPair = /\\u[dD]/;

function withWholeCharacters(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value;
}

function cidIn(meta: unknown): string | undefined {
  const cid = isObject(meta) ? meta['cid'] : undefined;
  return typeof cid === 'string' && cid !== '' && cid.length <= cidCharsMax ? cid : undefined;
}

function unreadable(message: string): RemoteRefusal {
  return { id: 'null', code: parseError, message };
}

function invalid(id: string | undefined, message: string): RemoteRefusal {
  return { id, code: invalidRequest, message };
}
