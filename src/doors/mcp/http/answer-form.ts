import { isJSONRPCResponse, type JSONRPCResponse } from '@modelcontextprotocol/server';
import { refuseForNow } from './http-refusal.ts';
import { isEventStream } from './watch-body.ts';

/** The form of an answer that a client accepts: an event stream, JSON, or either of them. */
export type AnswerForm = 'stream' | 'json' | 'either';

/**
 * The form that an Accept header asks for; undefined when it accepts neither. No header accepts
 * both.
 */
export function acceptedForm(accept: string | null): AnswerForm | undefined {
  const ranges = (accept ?? '').split(',').flatMap((range) => {
    const [type = '', ...parameters] = range.toLowerCase().split(';');
    const isRefused = parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/.test(parameter));
    return type.trim() === '' || isRefused ? [] : [type.trim()];
  });
  if ((accept ?? '').trim() === '') return 'either';
  const takes = (...types: readonly string[]): boolean =>
    ranges.some((range) => types.includes(range));
  const stream = takes('text/event-stream', 'text/*', '*/*');
  const json = takes('application/json', 'application/*', '*/*');
  if (stream && json) return 'either';
  if (stream) return 'stream';
  return json ? 'json' : undefined;
}

/**
 * Waits for the end of an event stream and answers with its JSON-RPC answers as one JSON body: an
 * array for a batch. Notifications in the stream are left out. A response that is not an
 * event stream is returned as it is.
 */
export async function sseToJson(
  response: Response,
  { isBatch }: { readonly isBatch: boolean },
): Promise<Response> {
  if (!isEventStream(response)) return response;
  const answers = answersIn(await response.text());
  const [answer] = answers;
  if (answer === undefined) {
    return refuseForNow(
      'The connection was closed before there was an answer; send the request again.',
    );
  }
  const session = response.headers.get('mcp-session-id');
  return Response.json(isBatch ? answers : answer, {
    headers: session === null ? {} : { 'mcp-session-id': session },
  });
}

/** The answers in an event stream. The SDK writes each message on one line. */
function answersIn(text: string): readonly JSONRPCResponse[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('data: {')) return [];
    const message: unknown = JSON.parse(line.slice('data: '.length));
    return isJSONRPCResponse(message) ? [message] : [];
  });
}
