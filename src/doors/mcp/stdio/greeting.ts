import { isDeeper, isObject } from '../../../base/json.ts';
import { limits } from '../../../base/limits.ts';
import type { ServerIntroduction } from '../server/introduction.ts';

/** The versions that are greeted here. For any other, the SDK settles on one with the client. */
const greetedVersions: readonly unknown[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

const messageMembers = ['jsonrpc', 'id', 'method', 'params'];
const paramsMembers = ['protocolVersion', 'capabilities', 'clientInfo'];
const clientMembers = ['name', 'version', 'title'];
const capabilityMembers: Readonly<Record<string, readonly string[]>> = {
  roots: ['listChanged'],
  sampling: ['context', 'tools'],
  elicitation: ['form', 'url'],
};

// What is answered here is exactly the line that the SDK would send, but it is ready before the SDK is
// loaded. For any unusual line there is no answer; the SDK answers those later.

/**
 * The answer to a client's first line, and what the client says that it can do. Undefined when the
 * line is not an ordinary "initialize".
 */
export function greeting(
  line: Uint8Array,
  says: ServerIntroduction,
): { readonly answer: string; readonly capabilities: unknown } | undefined {
  const request = requestIn(line, 'initialize');
  const params = request?.params;
  if (request === undefined || !isObject(params) || !isOrdinary(params)) return undefined;
  const { protocolVersion, capabilities } = params;
  return { answer: answerTo(request.id, { protocolVersion, ...says }), capabilities };
}

/** Whether a line says that the client has read the greeting. */
export function isInitialized(line: Uint8Array): boolean {
  const message = parsed(line);
  return (
    isObject(message) &&
    message['jsonrpc'] === '2.0' &&
    message['method'] === 'notifications/initialized' &&
    !('id' in message)
  );
}

/**
 * The answer to a request for this list of tools, which the SDK has sent to an earlier client.
 * Undefined when the line is not an ordinary "tools/list".
 */
export function listing(line: Uint8Array, list: object): string | undefined {
  const request = requestIn(line, 'tools/list');
  if (request === undefined) return undefined;
  const { id, params } = request;
  if (params !== undefined && !(isObject(params) && hasOnly(params, []))) return undefined;
  return answerTo(id, list);
}

/** The id and the parameters of a request; undefined when the line is another one, or unusual. */
function requestIn(
  line: Uint8Array,
  method: string,
): { readonly id: unknown; readonly params: unknown } | undefined {
  const message = parsed(line);
  if (!isObject(message) || !hasOnly(message, messageMembers)) return undefined;
  const { id, params } = message;
  if (message['jsonrpc'] !== '2.0' || message['method'] !== method || !isId(id)) return undefined;
  return { id, params };
}

function answerTo(id: unknown, result: object): string {
  return `${JSON.stringify({ result, jsonrpc: '2.0', id })}\n`;
}

function isOrdinary(params: Readonly<Record<string, unknown>>): boolean {
  const { protocolVersion, capabilities, clientInfo } = params;
  return (
    hasOnly(params, paramsMembers) &&
    greetedVersions.includes(protocolVersion) &&
    isObject(clientInfo) &&
    hasOnly(clientInfo, clientMembers) &&
    Object.values(clientInfo).every((value) => typeof value === 'string') &&
    clientInfo['name'] !== undefined &&
    clientInfo['version'] !== undefined &&
    isObject(capabilities) &&
    Object.entries(capabilities).every(isOrdinaryCapability)
  );
}

function isOrdinaryCapability([name, value]: readonly [string, unknown]): boolean {
  if (!isObject(value)) return false;
  if (name === 'extensions' || name === 'experimental') {
    return Object.values(value).every(isObject) && !isDeeper(value, limits.nestingMax / 2);
  }
  const members = Object.hasOwn(capabilityMembers, name) ? capabilityMembers[name] : undefined;
  if (members === undefined || !hasOnly(value, members)) return false;
  return Object.entries(value).every(([member, said]) =>
    member === 'listChanged'
      ? typeof said === 'boolean'
      : isObject(said) && Object.keys(said).length === 0,
  );
}

function parsed(line: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line), finite);
  } catch {
    return undefined;
  }
}

/**
 * The SDK refuses a message with a number that is too large for JavaScript, so it is not greeted.
 */
function finite(_: string, value: unknown): unknown {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) throw new Error();
  return value;
}

function hasOnly(value: object, members: readonly string[]): boolean {
  return Object.keys(value).every((name) => members.includes(name));
}

function isId(id: unknown): boolean {
  return typeof id === 'string' || Number.isSafeInteger(id);
}
