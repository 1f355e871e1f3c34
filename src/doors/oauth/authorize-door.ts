import { limits } from '../../base/limits.ts';
import {
  clientIdOf,
  type ReadAuthorize,
  readAuthorize,
} from '../../oauth/grants/authorize-request.ts';
import type { Issuer } from '../../oauth/grants/issuer.ts';
import { redirectBack } from '../../oauth/grants/redirect-back.ts';
import type { SignedIn, SignInRefusal } from '../../oauth/owner/owner-sign-in.ts';
import { backPage } from '../../oauth/pages/back-page.ts';
import { clientName, hostOf } from './client-name.ts';
import { ConsentDoor } from './consent-door.ts';
import type { Answered, PageParts } from './oauth-parts.ts';
import { refusalStatus, showSignIn, signInWith } from './sign-in-form.ts';
import type { Seat, Visit } from './visit.ts';
import { type KeptRequest, type WaitingRequest, WaitingRequests } from './waiting-requests.ts';

/** A request that was read; with `name`, its client is looked up when the owner has signed in. */
type Read =
  | (ReadAuthorize & { readonly name?: string })
  | { readonly shown: string; readonly status: number; readonly name?: string }
  | { readonly later: true; readonly name: string };

const step = 'authorize';
const gone = 'This request was answered already, is too old, or belongs to another browser.';

/**
 * `/authorize`: a client sends the owner's browser here with a request. The request is kept under an
 * id until the owner has signed in and decided.
 */
export class AuthorizeDoor {
  readonly #parts: PageParts;
  readonly #waiting: WaitingRequests;
  readonly #consent: ConsentDoor;

  constructor(parts: PageParts) {
    this.#parts = parts;
    this.#waiting = new WaitingRequests(parts);
    this.#consent = new ConsentDoor(parts, this.#waiting);
  }

  /** GET /authorize with the request of a client. */
  async begin(visit: Visit): Promise<Answered> {
    const { owner, pages } = this.#parts;
    if (!(await owner.hasOwner())) {
      const [action, next] = [visit.at('/owner/sign-in'), visit.at('/owner')];
      return showSignIn(this.#parts, visit, { step, action, next });
    }
    const query = new URL(visit.request.url).search.slice(1);
    const seat = await visit.seat();
    const read = await this.#read(query, visit.issuer, seat);
    if ('shown' in read) return this.#shown(read, read.name);
    if ('error' in read) {
      if (seat === undefined) {
        return this.#shown({ shown: errorForPeople(read, visit.issuer) }, read.name);
      }
      const response = pages.lead(backAddress(read, visit.issuer));
      return { response, step, answer: read.error, why: read.description, ...named(read.name) };
    }
    // The browser's id stays when the owner signs in once more; the session does not.
    const browser = visit.browser();
    const name = 'later' in read ? read.name : clientName(read.request.client);
    const id = await this.#waiting.add({
      issuer: visit.issuer,
      query,
      name,
      vaults: this.#parts.vaults(),
      browser: browser.id,
      isKnown: await owner.knows(visit.cookies.device),
      ...('request' in read && { request: keptRequest(read.request) }),
      ...(seat !== undefined && { session: seat.key }),
    });
    const { cookies } = browser;
    const response = pages.lead(visit.at(`/authorize/${id}`), { cookies });
    return { response, step, answer: 'waits for the owner', client: name };
  }

  /** GET /authorize/<id>: the consent page, or the sign-in page before it. */
  async show(visit: Visit, id: string): Promise<Answered> {
    const seat = await visit.seat();
    const held = await this.#waiting.find(id, holderOf(visit, seat));
    if (held === undefined) return this.#gone(visit);
    if (seat === undefined) return this.#signInPage(visit, { id, held });
    const found = await this.#claimed(visit, { id, held, seat });
    return 'response' in found ? found : this.#consent.show(visit, { ...found, id, seat });
  }

  /** POST /authorize/<id>/sign-in, from the sign-in page. */
  async signIn(visit: Visit, id: string): Promise<Answered> {
    const posted = await visit.form(step);
    if ('response' in posted) return posted;
    const held = await this.#waiting.find(id, holderOf(visit, await visit.seat()));
    const signedIn = await signInWith(this.#parts, visit, posted.form.get('passphrase') ?? '');
    if (held === undefined) return this.#tooLate(visit, signedIn);
    if ('refused' in signedIn) {
      const { message } = signedIn;
      const page = { id, held, message, ...refusalStatus(signedIn) };
      const shown = await this.#signInPage(visit, page);
      return { ...shown, answer: `page: sign-in, ${signedIn.refused}` };
    }
    const seat = await visit.seatOf(signedIn.cookie);
    if (seat !== undefined) await this.#waiting.keep(id, { session: seat.key });
    const cookies = visit.signedIn(signedIn);
    const response = this.#parts.pages.lead(visit.at(`/authorize/${id}`), { cookies });
    return { response, step: 'owner', answer: 'signed in', client: held.name };
  }

  /** POST /authorize/<id>, from the consent page. */
  async decide(visit: Visit, id: string): Promise<Answered> {
    const posted = await visit.form('consent');
    if ('response' in posted) return posted;
    const seat = await visit.seat();
    const held = await this.#waiting.find(id, holderOf(visit, seat));
    if (held === undefined) return this.#gone(visit);
    if (seat === undefined) {
      const message = 'You were signed out meanwhile. Sign in, then answer again.';
      return this.#signInPage(visit, { id, held, message, status: 403 });
    }
    const found = await this.#claimed(visit, { id, held, seat });
    if ('response' in found) return found;
    return this.#consent.decide(visit, { ...found, id, seat, form: posted.form });
  }

  /**
   * The request of a browser in which the owner is signed in now. A client whose document had to wait
   * for that is looked up.
   */
  async #claimed(
    visit: Visit,
    { id, held, seat }: { readonly id: string; readonly held: WaitingRequest; readonly seat: Seat },
  ): Promise<{ readonly held: Required<Pick<WaitingRequest, 'request' | 'vaults'>> } | Answered> {
    const claim = async (asked: KeptRequest) => {
      const request = keptRequest(asked);
      await this.#waiting.keep(id, { request, session: seat.key });
      return { held: { request, vaults: held.vaults } };
    };
    if (held.request !== undefined) return claim(held.request);
    const read = await this.#read(held.query, held.issuer, seat);
    if ('request' in read) return claim(read.request);
    if ('later' in read) return this.#gone(visit);
    // A document that cannot be had now may be there when the owner loads the page again.
    if ('status' in read && read.status === 503) return this.#shown(read, held.name);
    await this.#waiting.take(id);
    if ('shown' in read) return this.#shown(read, held.name);
    // Not a redirect: it would follow the form of the sign-in page, whose policy stops it.
    const to = backAddress(read, visit.issuer);
    const html = backPage({ to, clientName: held.name, allowed: false });
    const response = this.#parts.pages.page(html);
    return { response, step, answer: read.error, why: read.description, client: held.name };
  }

  /** Reads a request. Only for the owner is the document of an unknown client fetched. */
  async #read(query: string, issuer: Issuer, seat: Seat | undefined): Promise<Read> {
    if (query.length > limits.authorizeCharsMax) {
      return { shown: 'The app has sent a request that is too long.' };
    }
    const params = new URLSearchParams(query);
    const id = clientIdOf(params);
    if (id === undefined) {
      return { shown: 'The app has not said, or has said twice, who it is.' };
    }
    const { clients, issuers } = this.#parts;
    const found = await clients.find(id, { mayFetch: seat !== undefined });
    if ('client' in found) {
      const { client } = found;
      return { ...readAuthorize(params, { client, issuer, issuers }), name: clientName(client) };
    }
    if (found.refused === 'sign-in-first') return { later: true, name: hostOf(id) };
    return { shown: found.message, status: found.refused === 'unavailable' ? 503 : 400 };
  }

  #signInPage(
    visit: Visit,
    page: {
      readonly id: string;
      readonly held: WaitingRequest;
      readonly message?: string;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    },
  ): Promise<Answered> {
    const { id, held, ...more } = page;
    const next = visit.at(`/authorize/${id}`);
    return showSignIn(this.#parts, visit, {
      ...more,
      step,
      action: `${next}/sign-in`,
      next,
      for: held.name,
    }).then((answered) => ({ ...answered, client: held.name }));
  }

  /**
   * Says on a page why a request is not served. The client is not told, because the address for answers
   * in the request may be forged.
   */
  #shown(
    page: {
      readonly shown: string;
      readonly status?: number;
      readonly more?: readonly string[];
      readonly cookies?: readonly string[];
    },
    client?: string,
  ): Answered {
    const { shown, status = 400, cookies = [] } = page;
    const more = ['Go back to the app and try to connect again.', ...(page.more ?? [])];
    const view = { title: 'This app cannot be connected', text: shown, more };
    const headers: Readonly<Record<string, string>> = status === 503 ? { 'Retry-After': '30' } : {};
    const response = this.#parts.pages.message(view, { status, headers, cookies });
    return { response, step, answer: `page: ${status}`, why: shown, ...named(client) };
  }

  #gone({ issuer }: Visit): Answered {
    const hint = `If this happens again, sign in at ${issuer.url}/owner before you connect.`;
    return this.#shown({ shown: gone, more: [hint] });
  }

  /**
   * The answer to a sign-in for a request that is gone. Strangers who send very many requests may have
   * pushed it out, so the sign-in counts: nobody pushes out the next request of this browser.
   */
  async #tooLate(visit: Visit, signedIn: SignedIn | SignInRefusal): Promise<Answered> {
    if ('refused' in signedIn) {
      const { message, refused } = signedIn;
      const [action, next] = [visit.at('/owner/sign-in'), visit.at('/owner')];
      const view = { step, action, next, message, ...refusalStatus(signedIn) } as const;
      const shown = await showSignIn(this.#parts, visit, view);
      return { ...shown, answer: `page: sign-in, ${refused}` };
    }
    const cookies = visit.signedIn(signedIn);
    const page = this.#shown({ shown: gone, more: ['You are signed in now.'], cookies });
    return { ...page, step: 'owner', answer: 'signed in' };
  }
}

function holderOf(
  { cookies }: Visit,
  seat: Seat | undefined,
): { readonly session?: string | undefined; readonly browser?: string | undefined } {
  return { session: seat?.key, browser: cookies.browser };
}

/** A request as it is kept: of the client, only what the owner is shown. */
function keptRequest(request: KeptRequest): KeptRequest {
  const { id, name, kind, host } = request.client;
  return { ...request, client: { id, name, kind, ...(host === undefined ? {} : { host }) } };
}

function named(client: string | undefined): { readonly client?: string } {
  return client === undefined ? {} : { client };
}

/** An error that otherwise goes to the client, for the person who sees a page instead. */
function errorForPeople(
  { error, description }: Extract<ReadAuthorize, { readonly error: string }>,
  { resource }: Issuer,
): string {
  return error === 'invalid_target'
    ? `The app asks for another server than this one. Remove the connection in the app, and add it again with the address ${resource}.`
    : `The app has sent a request that this server does not accept: ${description}.`;
}

/** The address that gives an error back to the client. */
function backAddress(
  read: Extract<ReadAuthorize, { readonly error: string }>,
  issuer: Issuer,
): string {
  const { redirectUri, error, description, state } = read;
  return redirectBack(redirectUri, issuer, { error, error_description: description, state });
}
