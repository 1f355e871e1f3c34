import { limits } from '../../base/limits.ts';
import { oneLine } from '../../base/one-line.ts';
import { VaultError, type VaultErrorCode } from '../../base/vault-error.ts';
import type { Content, Outcome } from '../../tools/define/outcome.ts';
import type { ListedTool } from '../../tools/service/service.ts';
import type { BridgeAnswer } from './bridge-wire.ts';

/** The server that answered, for messages. */
interface AnsweringServer {
  readonly url: string;
  readonly hasKey: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** How much of a server's own message is shown, in characters. */
const saidCharsMax = 1_000;

/**
 * The outcome of a call, from the server's answer. The content is passed on unchanged, whatever its
 * items are. Fails when the server refused the call, or when its answer is malformed.
 */
export function readOutcome(answer: BridgeAnswer, server: AnsweringServer): Outcome {
  if (answer.status < 200 || answer.status > 299) throw refusalOf(answer, server);
  const fields = fieldsIn(answer.text);
  const { success, isError, content } = fields ?? {};
  if (!Array.isArray(content) || !content.every(isItem)) {
    throw new VaultError(
      'unavailable',
      `The server at ${server.url} answered the call with something that is not the result of a tool. The call may have been carried out: check before you repeat it.`,
    );
  }
  // The items may be of types that we do not know; the client decides what to do with them.
  const items = content as readonly Content[];
  if (success !== false && isError !== true) return { ok: true, value: undefined, content: items };
  const error = new VaultError('io_failed', 'The tool failed and says why in its result.');
  const noReason = 'The tool failed, and the server does not say why.';
  return {
    ok: false,
    error,
    content: items.length > 0 ? items : [{ type: 'text', text: noReason }],
  };
}

/**
 * The tools in the answer to `/tools`. Entries that are not tools are left out. Fails for any other
 * answer.
 */
export function readTools(answer: BridgeAnswer, server: AnsweringServer): readonly ListedTool[] {
  if (answer.status !== 200) throw refusalOf(answer, server);
  const tools = toolsIn(fieldsIn(answer.text)?.['tools']);
  if (tools !== undefined) return tools;
  throw new VaultError(
    'unavailable',
    `The server at ${server.url} is not a Bridge v1 server: it has no list of tools. Check the address.`,
  );
}

/**
 * The tools in a list that another server wrote; undefined when it is not a list. Clients refuse a
 * whole list because of one bad entry, so each schema becomes one of an object, and of several tools
 * with the same name the last one is kept.
 */
export function toolsIn(list: unknown): readonly ListedTool[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const tools = new Map<string, ListedTool>();
  for (const { name, description, inputSchema } of list.filter(isFields)) {
    if (typeof name !== 'string' || name === '') continue;
    const schema = { ...(isFields(inputSchema) ? inputSchema : {}), type: 'object' };
    const text = typeof description === 'string' ? description : '';
    tools.set(name, { name, description: text, inputSchema: schema });
  }
  return [...tools.values()];
}

const codes: Readonly<Record<number, VaultErrorCode>> = {
  400: 'invalid_input',
  401: 'forbidden',
  403: 'forbidden',
  404: 'not_found',
  413: 'too_large',
  429: 'busy',
};

/**
 * The failure for an answer with an error status: what the server says, and what the user can do.
 */
function refusalOf({ status, headers, text }: BridgeAnswer, server: AnsweringServer): VaultError {
  const { error, message = messageIn(error), details } = fieldsIn(text) ?? {};
  const said = [message, details]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => oneLine(typeof part === 'string' ? part : JSON.stringify(part), saidCharsMax));
  const words = said.length > 0 ? `: ${said.join(': ').replace(/\.$/, '')}` : '';
  const advice = adviceFor(status, { ...server, isToolMissing: message === 'Tool not found' });
  return new VaultError(
    codes[status] ?? 'unavailable',
    `The server at ${server.url} answered ${status}${words}.${advice === '' ? '' : ` ${advice}`}`,
    { details: status === 429 ? { retryAfterMs: retryAfterMs(headers['retry-after']) } : {} },
  );
}

/** When to try again, from a header in seconds; headers with a date are not understood. */
function retryAfterMs(header: string | undefined): number {
  return /^\d{1,5}$/.test(header ?? '') ? Number(header) * 1_000 : limits.busyRetryMs;
}

/** In other protocols, such as MCP, the error is an object with the message in it. */
function messageIn(error: unknown): unknown {
  return isFields(error) && typeof error['message'] === 'string' ? error['message'] : error;
}

function adviceFor(
  status: number,
  { hasKey, isToolMissing }: { readonly hasKey: boolean; readonly isToolMissing: boolean },
): string {
  if (status === 401 || status === 403) {
    return hasKey
      ? 'Check the key in OBSIDIAN_MCP_API_KEY or --key-file.'
      : 'If it asks for a key, set OBSIDIAN_MCP_API_KEY or give --key-file.';
  }
  if (status === 413) return 'Send less at once.';
  if (status >= 300 && status < 400) {
    return 'Redirects are not followed: give the final address with --url.';
  }
  if (status === 404 && isToolMissing) return 'Ask for the list of tools again.';
  if (status === 404 || status === 405)
    return 'Check that --url is the address of a Bridge v1 server.';
  if (status === 429) return 'Try again in a moment.';
  if (status === 503) return 'Try again; the log of that server may say more.';
  if (status < 500) return '';
  return 'The call may have been carried out: check before you repeat it. The log of that server may say more.';
}

function fieldsIn(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isItem(value: unknown): boolean {
  return isFields(value) && typeof value['type'] === 'string';
}
