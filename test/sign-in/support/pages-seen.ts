import {
  claude,
  postAsProgram,
  TestBrowser,
  verifier,
  wordIn,
} from '../../support/sign-in-door.ts';
import type { SignInServer } from './sign-in-server.ts';

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
