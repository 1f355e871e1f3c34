import { isDeeper, isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { readJson } from '../../base/read-json.ts';
import { refuseBridge } from './bridge-refusal.ts';

/** The arguments of a call. */
export type CallArguments = Readonly<Record<string, unknown>>;

const jsonType = /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * Reads the arguments of a call from its body. Returns the refusal instead if the body is malformed or
 * too large.
 */
export async function readArguments(request: Request): Promise<CallArguments | Response> {
  const type = request.headers.get('content-type');
  if (type !== null && !jsonType.test(type)) {
    return invalidBody('Send JSON, with "Content-Type: application/json".');
  }
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > limits.bridgeBodyBytesMax) return bodyTooLarge();
  const read = readJson(bytes);
  if (read.kind === 'excess') return invalidBody(read.message);
  if (read.kind === 'malformed') {
    const place = read.at === undefined ? '' : `: the error is at character ${read.at}`;
    return invalidBody(`The body is not JSON in UTF-8${place}.`);
  }
  const body = isObject(read.value) ? read.value : {};
  const args = body['arguments'];
  if (!isObject(args)) {
    const fault = 'arguments' in body ? 'must be an object' : 'is missing';
    return invalidBody(
      `"arguments" ${fault}: send {"arguments": {}} with what the tool needs in it.`,
    );
  }
  if (isDeeper(args, limits.nestingMax)) {
    return invalidBody(`The arguments nest deeper than ${limits.nestingMax} levels.`);
  }
  return args;
}

/** The refusal of a body that is larger than the protocol allows. */
export function bodyTooLarge(): Response {
  const details = `A body may have at most ${limits.bridgeBodyBytesMax} bytes; send less at once.`;
  return refuseBridge({ status: 413, details });
}

function invalidBody(details: string): Response {
  return refuseBridge({ status: 400, details });
}
