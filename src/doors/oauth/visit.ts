import type { Issuer } from '../../oauth/grants/issuer.ts';
import type { SignedIn } from '../../oauth/owner/owner-sign-in.ts';
import { canHavePasskeys, type PasskeySite } from '../../oauth/owner/passkey-site.ts';
import { toBase64Url } from '../../oauth/text/base64url.ts';
import {
  type BrowserCookies,
  browserCookie,
  readCookies,
  signedInCookies,
} from './browser-cookies.ts';
import type { Answered, PageParts, SignInStep } from './oauth-parts.ts';
import { readForm } from './read-sent.ts';

/** The owner's session in a browser. */
export interface Seat {
  /** The cookie of the session. */
  readonly cookie: string;
  readonly key: string;
  readonly isFresh: boolean;
}

const notOurForm = 'This form was not sent from a page of this server.';

/** A request of a browser to one of our pages. */
export class Visit {
  readonly request: Request;
  readonly issuer: Issuer;
  readonly cookies: BrowserCookies;
  readonly #parts: PageParts;

  constructor(
    parts: PageParts,
    { request, issuer }: { readonly request: Request; readonly issuer: Issuer },
  ) {
    this.#parts = parts;
    this.request = request;
    this.issuer = issuer;
    this.cookies = readCookies(request.headers, issuer);
  }

  /** The address of one of our pages, for links and forms. */
  at(path: string): string {
    return `${this.issuer.path}${path}`;
  }

  /** How passkeys see this address; undefined where browsers make none. */
  get site(): PasskeySite | undefined {
    const { url, origin } = this.issuer;
    const site = { host: new URL(url).hostname, origin };
    return canHavePasskeys(site) ? site : undefined;
  }

  /** The owner's session, if this browser has one. */
  async seat(): Promise<Seat | undefined> {
    return this.seatOf(this.cookies.owner);
  }

  async seatOf(cookie: string | undefined): Promise<Seat | undefined> {
    const session = await this.#parts.owner.session(cookie);
    if (session === undefined || cookie === undefined) return undefined;
    return { cookie, key: session.key, isFresh: session.isFresh };
  }

  /** The id of this browser, and the line for Set-Cookie where it is new. */
  browser(): { readonly id: string; readonly cookies: readonly string[] } {
    const known = this.cookies.browser;
    if (known !== undefined) return { id: known, cookies: [] };
    const id = toBase64Url(this.#parts.crypto.random(32));
    return { id, cookies: [browserCookie(id, this.issuer)] };
  }

  /** The lines for Set-Cookie after the owner has signed in here. */
  signedIn(signedIn: SignedIn): readonly string[] {
    return signedInCookies(signedIn, this.issuer);
  }

  /**
   * The refusal of a request that a page of another origin may have sent; undefined for one of our own
   * pages. A browser sends Origin with every POST, so a request without it is refused too.
   */
  foreign(step: SignInStep): Answered | undefined {
    const { headers } = this.request;
    const site = headers.get('sec-fetch-site');
    const isOwn = headers.get('origin') === this.issuer.origin;
    if (isOwn && (site === null || site === 'same-origin')) return undefined;
    const response = this.#parts.pages.message(
      {
        title: 'Not accepted',
        text: notOurForm,
        more: [`Open ${this.issuer.url}/owner and try again from there.`],
      },
      { status: 403 },
    );
    return { response, step, answer: '403 origin', why: notOurForm };
  }

  /** The form that one of our own pages has posted, or the answer to anything else. */
  async form(step: SignInStep): Promise<{ readonly form: URLSearchParams } | Answered> {
    const foreign = this.foreign(step);
    if (foreign !== undefined) return foreign;
    const read = await readForm(this.request);
    if ('sent' in read) return { form: read.sent };
    const { status, message: text } = read;
    const response = this.#parts.pages.message({ title: 'Not accepted', text }, { status });
    return { response, step, answer: `${status} form`, why: text };
  }
}
