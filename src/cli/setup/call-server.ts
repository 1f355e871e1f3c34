import { setTimeout } from 'node:timers/promises';
import { record } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { askServer } from '../../node/oauth/ask-server.ts';
import type { Issuer } from '../../oauth/grants/issuer.ts';
import { type Exchange, type FirstCall, firstCall } from './first-call.ts';

/** A server on this machine. */
export interface ServerPlace {
  /** Its address as this machine reaches it, such as `http://127.0.0.1:1065`. */
  readonly origin: string;
  readonly signal: AbortSignal;
}

/** Waits until the server answers that it is well. `ended` says why it will not. */
export async function untilUp(
  { origin, signal }: ServerPlace,
  ended: () => Promise<string | undefined>,
): Promise<void> {
  const endMs = performance.now() + limits.serverUpMs;
  const url = new URL(`${origin}/health`);
  for (;;) {
    const patience = { signal, askMs: limits.doctorAskMs };
    const answer = await askServer({ method: 'GET', url }, patience).catch(() => undefined);
    if (answer?.status === 200) return;
    signal.throwIfAborted();
    const reason = await ended();
    if (reason !== undefined) throw new VaultError('unavailable', reason);
    if (performance.now() > endMs) {
      const seconds = limits.serverUpMs / 1000;
      throw new VaultError('unavailable', `It did not answer at ${origin} in ${seconds} seconds.`);
    }
    await setTimeout(limits.firstCallAgainMs / 2, undefined, { signal });
  }
}

/** Makes the first call to the server over HTTP. Fails with `unavailable` and the reason. */
export function callServer(
  place: ServerPlace,
  { token, ...parts }: Parameters<typeof firstCall>[1] & { readonly token?: string },
): Promise<FirstCall> {
  return firstCall(httpExchange(place, token), parts);
}

function httpExchange({ origin, signal }: ServerPlace, token: string | undefined): Exchange {
  let session: string | undefined;
  let id = 0;
  const send = async (message: object): Promise<Response> => {
    const answer = await fetch(`${origin}/mcp`, {
      method: 'POST',
      signal: AbortSignal.any([signal, AbortSignal.timeout(limits.firstAnswerMs)]),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(session === undefined ? {} : { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new VaultError('unavailable', `The server did not answer (${String(error)}).`);
    });
    session ??= answer.headers.get('mcp-session-id') ?? undefined;
    return answer;
  };
  return {
    notify: async (method) => void (await (await send({ method })).text()),
    request: async (method, params) => {
      const answer = await send({ id: ++id, method, params });
      const body = messageIn(await answer.text(), id);
      const { result, error } = record(body);
      if (answer.ok && error === undefined) return result;
      const said = record(error)['message'] ?? `the status ${answer.status}`;
      throw new VaultError('unavailable', `The server refused: ${String(said)}`);
    },
  };
}

/** The answer to a request, which comes as JSON, or as events of which the answer is one. */
function messageIn(text: string, id: number): unknown {
  const events = Array.from(text.matchAll(/^data: (.+)$/gm), ([, data = '']) => data);
  const messages = (events.length === 0 ? [text] : events).flatMap((data) => {
    try {
      return [record(JSON.parse(data))];
    } catch {
      return [];
    }
  });
  return messages.find((message) => message['id'] === id) ?? messages[0];
}

/**
 * Checks that the server answers the two documents with which clients begin to sign in, as it does for
 * requests that come through the proxy. Fails with `unavailable` and the reason.
 */
export async function checkSignIn({ origin, signal }: ServerPlace, issuer: Issuer): Promise<void> {
  const documents = [
    [`/.well-known/oauth-protected-resource${issuer.path}/mcp`, 'resource', issuer.resource],
    [`/.well-known/oauth-authorization-server${issuer.path}`, 'issuer', issuer.url],
  ] as const;
  for (const [path, field, expected] of documents) {
    const url = new URL(`${origin}${path}`);
    const headers = { host: issuer.host };
    const question = { method: 'GET', url, headers } as const;
    const { status, text } = await askServer(question, { signal, askMs: limits.doctorAskMs });
    const document = record(messageIn(text, 0));
    if (status === 200 && document[field] === expected) continue;
    throw new VaultError(
      'unavailable',
      `Apps cannot sign in: ${path} was answered with the status ${status}.`,
    );
  }
}
