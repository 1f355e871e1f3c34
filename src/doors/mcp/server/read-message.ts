import {
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  type RequestId,
} from '@modelcontextprotocol/server';
import { isDeeper, isObject } from '../../../base/json.ts';
import { limits } from '../../../base/limits.ts';
import { type ReadJson, readJson } from '../../../base/read-json.ts';

/** The JSON-RPC error that answers a message which cannot be read. */
export interface Refusal {
  readonly id: RequestId | null;
  readonly code: number;
  readonly message: string;
}

/** A message that the SDK accepts, or the refusal of anything else. */
export type ReadMessage =
  | { readonly ok: true; readonly message: JSONRPCMessage }
  | { readonly ok: false; readonly refusal: Refusal };

/** The members that a message may have; any others are left out. */
const members = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'] as const;

/**
 * Parses a long message without holding up other clients. The bytes are handed over. Where there is
 * no such reader, long messages are parsed like short ones.
 */
export type LargeReader = (bytes: Uint8Array) => Promise<ReadJson>;

/** The JSON of a message; with the reader for long ones where it is one. */
export function parseMessage(
  bytes: Uint8Array,
  readLarge: LargeReader | undefined,
): ReadJson | Promise<ReadJson> {
  const isLarge = bytes.length > limits.jsonInPlaceBytesMax;
  return isLarge && readLarge !== undefined ? readLarge(bytes) : readJson(bytes);
}

/**
 * Reads the JSON of one line as a JSON-RPC message. Never throws, and lets only messages through
 * that the SDK accepts.
 */
export function readMessage(line: ReadJson): ReadMessage {
  if (line.kind === 'excess') return invalid(null, line.message);
  if (line.kind === 'malformed') {
    return refuse(null, ProtocolErrorCode.ParseError, 'The line is not JSON in UTF-8.');
  }
  const { value } = line;
  if (Array.isArray(value)) {
    return invalid(null, 'Batches are not supported: send each message on a line of its own.');
  }
  return checkMessage(value);
}

/**
 * Checks a JSON value as a JSON-RPC message. Never throws, and lets only messages through that the
 * SDK accepts.
 */
export function checkMessage(value: unknown): ReadMessage {
  if (!isObject(value)) return invalid(null, 'A message must be a JSON object.');
  const message = onlyKnown(value);
  if (isDeeper(message, limits.nestingMax)) {
    const { id, method } = message;
    return invalid(
      isRequestId(id) && method !== undefined ? id : null,
      `The message nests deeper than ${limits.nestingMax} levels.`,
    );
  }
  if (isJSONRPCRequest(message) && isLegacyInitialize(message) && !isInitializeRequest(message)) {
    return refuse(
      message.id,
      ProtocolErrorCode.InvalidParams,
      '"initialize" needs protocolVersion, capabilities and clientInfo with name and version.',
    );
  }
  if (isJSONRPCRequest(message) || isJSONRPCNotification(message) || isJSONRPCResponse(message)) {
    return { ok: true, message };
  }
  return { ok: false, refusal: whyInvalid(message) };
}

/** Whether a message names the version of its protocol, as those of 2026-07-28 (`modern`) do. */
export function isModern(message: { readonly params?: unknown }): boolean {
  const { params } = message;
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) && PROTOCOL_VERSION_META_KEY in meta;
}

function isLegacyInitialize(message: { method: string; params?: unknown }): boolean {
  return message.method === 'initialize' && !isModern(message);
}

function whyInvalid(message: Readonly<Record<string, unknown>>): Refusal {
  const { jsonrpc, id, method, params } = message;
  const isAnswer = method === undefined && ('result' in message || 'error' in message);
  // A malformed answer is refused without its id: the client has its own request with that number.
  const answered = isRequestId(id) && !isAnswer ? id : null;
  const code = ProtocolErrorCode.InvalidRequest;
  if (jsonrpc !== '2.0') return { id: answered, code, message: '"jsonrpc" must be "2.0".' };
  if (isAnswer) return { id: null, code, message: 'The answer is not well-formed.' };
  if (typeof method !== 'string') {
    return { id: answered, code, message: '"method" must be a string.' };
  }
  if (id !== undefined && !isRequestId(id)) {
    return { id: null, code, message: '"id" must be a string or a whole number.' };
  }
  if (params !== undefined && !isObject(params)) {
    return { id: answered, code, message: '"params" must be an object.' };
  }
  if ('result' in message || 'error' in message) {
    return { id: answered, code, message: 'A request must not have a "result" or an "error".' };
  }
  return { id: answered, code, message: '"params._meta" is not well-formed.' };
}

/** The message with only the known members. Some clients send null for what they leave out. */
function onlyKnown(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { params, ...rest } = Object.fromEntries(
    members.filter((name) => name in value).map((name) => [name, value[name]]),
  );
  if (params === undefined || params === null) return rest;
  return { ...rest, params: isObject(params) ? withoutNulls(params) : params };
}

/** Params, and the progress token in their `_meta`, without members that are null. */
function withoutNulls(
  params: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const given = Object.entries(params).filter(([, value]) => value !== null);
  const isWhole = given.length === Object.keys(params).length;
  const kept = isWhole ? params : Object.fromEntries(given);
  const meta = kept['_meta'];
  if (!isObject(meta) || meta['progressToken'] !== null) return kept;
  const { progressToken: _, ...said } = meta;
  return { ...kept, _meta: said };
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

function invalid(id: RequestId | null, message: string): ReadMessage {
  return refuse(id, ProtocolErrorCode.InvalidRequest, message);
}

function refuse(id: RequestId | null, code: number, message: string): ReadMessage {
  return { ok: false, refusal: { id, code, message } };
}
