import {
  isInitializeRequest,
  isJsonContentType,
  isLegacyRequest,
  type JSONRPCMessage,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { isDeeper } from '../../../base/json.ts';
import { limits } from '../../../base/limits.ts';
import { checkMessage, type LargeReader, parseMessage } from '../server/read-message.ts';
import { refuseHttp } from './http-refusal.ts';

/** The content of a POST, by the version of the protocol. */
export type ReadPosted =
  | {
      readonly era: '2025';
      readonly messages: readonly JSONRPCMessage[];
      readonly isBatch: boolean;
    }
  | { readonly era: '2026'; readonly message: unknown };

/** The most messages in a batch; the SDK has the same limit. */
const batchMax = 100;

/** Reads the body of a POST. A response refuses a body that is not a message. */
export async function readPosted(
  request: Request,
  readLarge: LargeReader | undefined,
): Promise<ReadPosted | Response> {
  if (!isJsonContentType(request.headers.get('content-type'))) {
    return refuseHttp({
      status: 415,
      message: 'Send JSON, with "Content-Type: application/json".',
    });
  }
  const read = await parseMessage(new Uint8Array(await request.arrayBuffer()), readLarge);
  if (read.kind === 'excess') return invalid(read.message);
  if (read.kind === 'malformed') {
    const message = 'The body is not JSON in UTF-8.';
    return refuseHttp({ status: 400, code: ProtocolErrorCode.ParseError, message });
  }
  const body = read.value;
  if (typeof body !== 'object' || body === null) return invalid('A message must be a JSON object.');
  // One level more than a message may have, because this may be a batch.
  if (isDeeper(body, limits.nestingMax + 1)) return invalid('The message nests too deep.');
  if (await isLegacyRequest(request, body)) return readLegacy(body);
  // A malformed message is passed on too: the SDK refuses it with the codes of 2026-07-28.
  const checked = checkMessage(body);
  return { era: '2026', message: checked.ok ? checked.message : body };
}

function readLegacy(body: object): ReadPosted | Response {
  const isBatch = Array.isArray(body);
  const sent: readonly unknown[] = isBatch ? body : [body];
  if (sent.length === 0 || sent.length > batchMax) {
    return invalid(`A batch must have between 1 and ${batchMax} messages.`);
  }
  const messages: JSONRPCMessage[] = [];
  for (const value of sent) {
    const read = checkMessage(value);
    if (!read.ok) return refuseHttp({ status: 400, ...read.refusal });
    messages.push(read.message);
  }
  if (isBatch && messages.some(isInitializeRequest)) {
    return invalid('"initialize" must be sent alone, not in a batch.');
  }
  return { era: '2025', messages, isBatch };
}

function invalid(message: string): Response {
  return refuseHttp({ status: 400, code: ProtocolErrorCode.InvalidRequest, message });
}
