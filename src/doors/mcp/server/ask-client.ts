import { createHash } from 'node:crypto';
import {
  type ClientCapabilities,
  type InputRequests,
  inputRequired,
  isSpecType,
  type JSONRPCResponse,
  type RequestId,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Caller } from '../../../base/caller.ts';
import { clientOf } from './mcp-connection.ts';

/** How a call asks the person behind the client for agreement. */
interface Asking {
  readonly ask: NonNullable<Caller['ask']>;
  /** The questions that are not answered yet; undefined when there are none. */
  readonly open: () => InputRequests | undefined;
}

/**
 * Asks the person with a form; undefined when the client cannot show forms. The answers come when
 * the client repeats the whole call, so a question without an answer is remembered in `open` and
 * answered "no" for now. An answer belongs to the exact text of its question and counts for no
 * other.
 */
export function askingOf(server: Server, context: ServerContext): Asking | undefined {
  const { inputResponses } = context.mcpReq;
  if (!showsForms(clientOf(server, context).capabilities)) return undefined;
  const open: InputRequests = {};
  return {
    ask: async (question) => {
      const key = `agree-${createHash('sha256').update(question).digest('hex').slice(0, 32)}`;
      const response = inputResponses?.[key];
      if (response !== undefined) return isAgreed(response);
      open[key] = inputRequired.elicit({ message: question, requestedSchema: agreement });
      return false;
    },
    open: () => (Object.keys(open).length > 0 ? open : undefined),
  };
}

/** Whether a client can show a form to the person behind it. */
export function showsForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  // A client that names neither `form` nor `url` dates from when there were only forms.
  return elicitation !== undefined && !(elicitation.url && !elicitation.form);
}

const agreement = {
  type: 'object' as const,
  properties: { agree: { type: 'boolean' as const, title: 'Agree', default: false } },
  required: ['agree'],
};

/** Whether the form came back with a yes. Declined, cancelled or not ticked means no. */
function isAgreed(response: unknown): boolean {
  const { action, content } = response as {
    readonly action?: unknown;
    readonly content?: { readonly agree?: unknown } | null;
  };
  return action === 'accept' && content?.agree === true;
}

/**
 * A client's answer to a question, if it is a decision of the user; otherwise "cancelled". A client
 * that answers with an error or with anything else has no user who agreed.
 */
export function decisionIn(answer: JSONRPCResponse, id: RequestId): JSONRPCResponse {
  const isDecision = 'result' in answer && isSpecType.ElicitResult(answer.result);
  return isDecision ? answer : noDecision(id);
}

/** The answer "cancelled", for a question that the client will not answer any more. */
export function noDecision(id: RequestId): JSONRPCResponse {
  return { jsonrpc: '2.0', id, result: { action: 'cancel' } };
}
