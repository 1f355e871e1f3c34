import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { streamProgram } from '../programs/run-program.ts';
import type { NotifyTarget } from './notify-target.ts';
import type { SendNotice } from './owner-notice.ts';

const title = 'Vaultdoor';
/** The priority of a message that should be seen soon, from 0 to 10. */
const gotifyPriority = 5;

/** Sends notices to an address over HTTP. Redirects are not followed. */
export function sendToUrl({ kind, url, authorization }: NotifyTarget): SendNotice {
  const type = kind === 'ntfy' ? 'text/plain; charset=utf-8' : 'application/json';
  const headers = {
    'content-type': type,
    ...(kind === 'ntfy' ? { title } : {}),
    ...(authorization === undefined ? {} : { authorization }),
  };
  return async ({ content, text }, signal) => {
    const message =
      kind === 'gotify' ? { title, message: text, priority: gotifyPriority } : { ...content, text };
    const body = kind === 'ntfy' ? text : JSON.stringify(message);
    const status = await post(url, { headers, body, signal });
    if (status >= 200 && status < 300) return;
    const isRedirect = status >= 300 && status < 400;
    const advice = isRedirect ? ', a redirect; give the address that it leads to' : '';
    throw new VaultError('unavailable', `it answered ${status}${advice}`);
  };
}

/** Posts to an address, and answers the status. What else is answered is not read. */
async function post(
  url: string,
  options: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly signal: AbortSignal;
  },
): Promise<number> {
  const { headers, body, signal } = options;
  // Loaded only here: a server over stdio needs neither, and should start quickly.
  const isSafe = url.startsWith('https:');
  const { request } = isSafe ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    // Without an agent, the connection is closed afterwards and keeps nothing alive.
    const sent = request(url, { method: 'POST', agent: false, headers, signal }, (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/**
 * Runs a program for each notice, without a shell: the text is its only argument, and its stdin has
 * the whole notice as JSON.
 */
export function sendToProgram(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): SendNotice {
  return async ({ content, text }, signal) => {
    const { exitCode } = await streamProgram(file, [text], {
      env,
      signal,
      deadlineMs: limits.noticeMs,
      input: `${JSON.stringify({ ...content, text })}\n`,
      onOutput: () => undefined,
      says: { late: 'it took too long' },
    });
    if (exitCode === 0) return;
    throw new VaultError('unavailable', `it ended with ${exitCode ?? 'a signal'}`);
  };
}
