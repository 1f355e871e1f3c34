import { createHash } from 'node:crypto';
import {
  type ClientCapabilities,
  type InputRequests,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Caller } from '../../../base/caller.ts';
import { clientOf } from './client-of.ts';

/** How a call asks the person behind the client. */
export interface Asking {
  readonly ask: NonNullable<Caller['ask']>;
  /** What was asked and is not answered yet; undefined when nothing is. */
  readonly open: () => InputRequests | undefined;
}

/**
 * Asks with a form, where the client can show one; otherwise undefined. An answer comes with the
 * repetition of the whole call, so a question that has none yet is noted and answered "no". Answers
 * go by the text of their question: none counts for another.
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

/** Whether a client can put a form before the person behind it. */
export function showsForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  // A client that names no kind of form knows the one there was before there were kinds.
  return elicitation !== undefined && !(elicitation.url && !elicitation.form);
}

const agreement = {
  type: 'object' as const,
  properties: { agree: { type: 'boolean' as const, title: 'Agree', default: false } },
  required: ['agree'],
};

/** Whether the form came back with a yes; declined, cancelled and unticked are a no. */
function isAgreed(response: unknown): boolean {
  const { action, content } = response as {
    readonly action?: unknown;
    readonly content?: { readonly agree?: unknown } | null;
  };
  return action === 'accept' && content?.agree === true;
}
