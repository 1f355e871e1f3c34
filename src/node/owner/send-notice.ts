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
  return async ({ content, text }, signal) => {
    const message =
      kind === 'gotify' ? { title, message: text, priority: gotifyPriority } : { ...content, text };
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal,
      headers: {
        ...(kind === 'ntfy'
          ? { 'content-type': 'text/plain; charset=utf-8', title }
          : { 'content-type': 'application/json' }),
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: kind === 'ntfy' ? text : JSON.stringify(message),
    });
    await response.body?.cancel();
    if (response.ok) return;
    const isRedirect = response.status >= 300 && response.status < 400;
    const advice = isRedirect ? ', a redirect; give the address that it leads to' : '';
    throw new VaultError('unavailable', `it answered ${response.status}${advice}`);
  };
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
