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

/**
 * The answer to a client's first line, when that is an ordinary "initialize": exactly the line that
 * the SDK would send, but ready before the SDK is loaded. Undefined for any other or unusual line;
 * the SDK answers those later.
 */
export function greeting(line: Uint8Array, says: ServerIntroduction): string | undefined {
  const message = parsed(line);
  if (!isObject(message) || !hasOnly(message, messageMembers)) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0' || method !== 'initialize' || !isId(id)) return undefined;
  if (!isObject(params) || !isOrdinary(params)) return undefined;
  const result = { protocolVersion: params['protocolVersion'], ...says };
  return `${JSON.stringify({ result, jsonrpc, id })}\n`;
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
