import { type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';

/** How long an answer is waited for. */
export interface Patience {
  readonly askMs: number;
  readonly signal: AbortSignal;
}

/** One request, as a client that signs in would send it. */
export interface ServerQuestion {
  readonly method: 'GET' | 'POST' | 'OPTIONS';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What came back. */
export interface ServerAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The beginning of the body, `limits.doctorAnswerBytesMax` at most. */
  readonly text: string;
}

/**
 * Sends one request and answers what came back. Redirects are not followed. The certificate is not
 * checked, because `reachServer` reports on it and the other faults are to be found too; so nothing
 * secret may be sent. Fails with the error of the connection, or with `timeout`.
 */
export function askServer(
  question: ServerQuestion,
  { signal, askMs }: Patience,
): Promise<ServerAnswer> {
  const { method, url, headers, body } = question;
  const late = AbortSignal.timeout(askMs);
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method,
      // Without an agent, the connection is closed afterwards and keeps nothing alive.
      agent: false,
      signal: AbortSignal.any([signal, late]),
      headers: { 'user-agent': 'vaultdoor-doctor', ...headers },
    };
    const answered = (response: IncomingMessage): void => {
      void readAnswer(response).then(resolve);
    };
    const sent =
      url.protocol === 'https:'
        ? requestTls(url, { ...options, rejectUnauthorized: false }, answered)
        : requestPlain(url, options, answered);
    sent.on('error', (error) => {
      const says = `There was no answer in ${askMs / 1000} seconds.`;
      const timeout = new VaultError('timeout', says);
      reject(late.aborted && !signal.aborted ? timeout : error);
    });
    sent.end(body);
  });
}

/** Reads an answer up to the limit; one that breaks off or never ends counts as far as it came. */
function readAnswer(response: IncomingMessage): Promise<ServerAnswer> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const done = (): void => {
      const headers = new Headers();
      for (const [name, value] of Object.entries(response.headers)) {
        for (const each of [value ?? []].flat()) headers.append(name, each);
      }
      const text = Buffer.concat(pieces).subarray(0, limits.doctorAnswerBytesMax).toString();
      resolve({ status: response.statusCode ?? 0, headers, text });
      response.destroy();
    };
    response.on('data', (piece: Buffer) => {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= limits.doctorAnswerBytesMax) done();
    });
    response.on('end', done);
    response.on('error', done);
    response.on('close', done);
  });
}
