import { limits } from '../../base/limits.ts';
import type { SignedIn, SignInRefusal } from '../../oauth/owner/owner-sign-in.ts';
import { noOwnerPage } from '../../oauth/pages/no-owner-page.ts';
import { signInPage } from '../../oauth/pages/sign-in-page.ts';
import type { Answered, PageParts, SignInStep } from './oauth-parts.ts';
import type { Visit } from './visit.ts';

/** The address of the script for passkeys; it changes with the program, so that it can be cached. */
export function scriptAddress(parts: Pick<PageParts, 'version'>, visit: Visit): string {
  return visit.at(`/owner/passkey.js?v=${encodeURIComponent(parts.version)}`);
}

/** The query of the console's link to the sign-in. Nothing else that is sent along is looked at. */
const fromConsole = '?to=console';

/** The query with which an owner who came from the console goes on; empty for others. */
export function consoleQuery({ request }: Visit): string {
  return new URL(request.url).search === fromConsole ? fromConsole : '';
}

/**
 * Where an owner who came from the console and is signed in goes back to, with a key that opens it
 * once; undefined for others. It is never an address that was sent along.
 */
export async function consoleEntry(
  parts: Pick<PageParts, 'consoleKey'>,
  visit: Visit,
): Promise<string | undefined> {
  const consoleKey = consoleQuery(visit) === '' ? undefined : consoleKeyAt(parts, visit);
  return consoleKey === undefined ? undefined : `/c/enter#k=${await consoleKey()}`;
}

/** Makes keys of the console, which is only at the root of an address. */
export function consoleKeyAt(
  { consoleKey }: Pick<PageParts, 'consoleKey'>,
  { issuer }: Visit,
): (() => Promise<string>) | undefined {
  return issuer.path === '' ? consoleKey : undefined;
}

/** The page on which the owner signs in, or the one that says that there is no owner yet. */
export async function showSignIn(
  parts: PageParts,
  visit: Visit,
  view: {
    readonly step: SignInStep;
    readonly action: string;
    /** Where the browser goes when a passkey was accepted, unless the owner came from the console. */
    readonly next: string;
    /** The program that waits. */
    readonly for?: string;
    readonly message?: string;
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<Answered> {
  const { owner, pages } = parts;
  const { step, status = 200, headers = {} } = view;
  if (!(await owner.hasOwner())) {
    const html = noOwnerPage({ setUp: visit.at('/owner/set-up') });
    return { response: pages.page(html), step, answer: 'page: no owner' };
  }
  const hasScript = await hasPasskey(parts, visit);
  const passkeys = {
    script: scriptAddress(parts, visit),
    options: visit.at('/owner/passkeys/request'),
    answer: visit.at(`/owner/passkeys/sign-in${consoleQuery(visit)}`),
    next: view.next,
  };
  const html = signInPage({
    action: view.action,
    ...(view.message !== undefined && { message: view.message }),
    ...(view.for !== undefined && { for: view.for }),
    ...(hasScript && { passkeys }),
  });
  const { cookies } = visit.browser();
  const response = pages.page(html, { status, hasScript, cookies, headers });
  return { response, step, answer: 'page: sign-in' };
}

/** Whether the owner has a passkey for this address. */
export async function hasPasskey(
  { owner }: Pick<PageParts, 'owner'>,
  { site }: Visit,
): Promise<boolean> {
  if (site === undefined) return false;
  return (await owner.passkeys()).some(({ host }) => host === site.host);
}

/** Signs in with the passphrase of a form, in place of the session that the browser has. */
export async function signInWith(
  { owner }: Pick<PageParts, 'owner'>,
  visit: Visit,
  passphrase: string,
): Promise<SignedIn | SignInRefusal> {
  const { device, owner: replaces } = visit.cookies;
  return owner.signIn({ passphrase, device, replaces });
}

/** The status and headers of a page that says why someone did not become the owner. */
export function refusalStatus({ refused, waitSeconds }: SignInRefusal): {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
} {
  const seconds = waitSeconds ?? Math.ceil(limits.busyRetryMs / 1_000);
  if (refused === 'slow' || refused === 'busy') {
    return { status: 429, headers: { 'Retry-After': String(seconds) } };
  }
  return { status: refused === 'weak' ? 400 : 403, headers: {} };
}
