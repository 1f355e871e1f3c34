import { beforeAll, beforeEach } from 'vitest';
import {
  claude,
  postAsProgram,
  TestBrowser,
  verifier,
  wordIn,
} from '../../support/sign-in-door.ts';
import { SignInServer, type SignInServerOptions } from './sign-in-server.ts';

/** The title of a page, without the name of the program. */
export function titleIn(html: string): string | undefined {
  return /<title>(.*) · Vaultdoor<\/title>/.exec(html)?.[1];
}

/** What claude.ai gets for a code. */
export async function exchange(
  server: SignInServer,
  fields: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly json: Readonly<Record<string, unknown>> }> {
  const { response, json } = await postAsProgram(server, '/token', {
    grant_type: 'authorization_code',
    client_id: claude.id,
    redirect_uri: claude.redirect,
    code_verifier: verifier,
    ...fields,
  });
  return { status: response.status, json };
}

const hourMs = 3_600_000;

/**
 * A server for all tests of a file that leave no clock behind. Before each of them time has passed, so
 * that sessions have ended and nothing wrong is counted any more, and no client is connected.
 */
export function sharedServer(options: SignInServerOptions = {}): () => SignInServer {
  let server: SignInServer | undefined;
  beforeAll(async () => {
    const ends: (() => unknown)[] = [];
    const onFinished = (end: () => unknown): void => void ends.push(end);
    server = await SignInServer.start({ ...options, onFinished });
    return async () => {
      for (const end of ends) await end();
    };
  });
  beforeEach(async () => {
    server?.pass(hourMs);
    server?.log.splice(0);
    server?.fetched.splice(0);
    for (const { id } of (await server?.grants()) ?? []) {
      await server?.books.oauth.change(id, () => ({ keep: 'forget', answer: undefined }));
    }
  });
  return () => {
    if (server === undefined) throw new Error('The server has not started.');
    return server;
  };
}

/** What a page says was wrong. */
export function alertIn(html: string): string | undefined {
  return /role="alert">.*?<span>(.*?)<\/span>/.exec(html)?.[1];
}

/** Signs in with a passphrase; what came of it. */
export async function tries(
  browser: TestBrowser,
  sent: string,
  headers: Record<string, string> = {},
) {
  const response = await browser.post('/owner/sign-in', { passphrase: sent }, headers);
  const { status } = response;
  return {
    status,
    wait: response.headers.get('retry-after'),
    text: alertIn(await response.text()),
  };
}

/** The owner's browser, and a request of claude.ai that waits for the owner, with its form's word. */
export async function waitingRequest(server: SignInServer) {
  const browser = new TestBrowser(server);
  await browser.signIn();
  const path = await browser.begin();
  const word = wordIn(await (await browser.get(path)).text());
  return { server, browser, path, word };
}
