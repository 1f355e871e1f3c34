import { isJSONRPCResponse, type JSONRPCResponse } from '@modelcontextprotocol/server';
import { refuseForNow } from './http-refusal.ts';
import { isEventStream } from './watch-body.ts';

/**
 * The answers in a stream of events as one JSON body, when the stream has ended: an array for a
 * batch. What else was said on the way is left out. Any other response passes through.
 */
export async function sseToJson(
  response: Response,
  { isBatch }: { readonly isBatch: boolean },
): Promise<Response> {
  if (!isEventStream(response)) return response;
  const answers = answersIn(await response.text());
  const [answer] = answers;
  if (answer === undefined) {
    return refuseForNow('The connection was closed before there was an answer; send it again.');
  }
  const session = response.headers.get('mcp-session-id');
  return Response.json(isBatch ? answers : answer, {
    headers: session === null ? {} : { 'mcp-session-id': session },
  });
}

/** The SDK writes each message on one line. */
function answersIn(text: string): readonly JSONRPCResponse[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('data: {')) return [];
    const message: unknown = JSON.parse(line.slice('data: '.length));
    return isJSONRPCResponse(message) ? [message] : [];
  });
}
