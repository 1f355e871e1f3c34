import { limits } from '../../base/limits.ts';
import { faultOrigin } from '../../base/logger.ts';
import { oneLine } from '../../base/one-line.ts';
import { toVaultError } from '../../base/vault-error.ts';
import type { Refusal, RequestHead } from '../../net/http-handler.ts';
import { AuthorizeDoor } from './authorize-door.ts';
import { answerDocument } from './documents.ts';
import { notNow, oauthError } from './json-answers.ts';
import type { Answered, OAuthParts, PageParts, SignInStep } from './oauth-parts.ts';
import { isForPrograms, issuerOfRequest, type OAuthRoute, oauthRoute } from './oauth-route.ts';
import { OwnerDoor } from './owner-door.ts';
import { PageAnswers } from './page-answers.ts';
import { PasskeyDoor } from './passkey-door.ts';
import { StepLog } from './step-log.ts';
import { TokenDoor } from './token-door.ts';
import { Visit } from './visit.ts';

/** A route that is no document. */
type PageRoute = Exclude<OAuthRoute, { to: 'document' }>;

/** Answers a visit to a page. */
type Answer = (visit: Visit, id: string) => Promise<Answered> | Answered;

/**
 * The door through which clients and the owner sign in: the documents of OAuth, `/authorize`,
 * `/token`, `/register`, `/revoke`, and the owner's pages. It does not listen itself, and it checks no
 * Host: the front door has done so.
 */
export class OAuthHttp {
  readonly #parts: PageParts;
  readonly #log: StepLog;
  readonly #tokens: TokenDoor;
  readonly #reads: Readonly<Partial<Record<PageRoute['to'], Answer>>>;
  readonly #posts: Readonly<Partial<Record<PageRoute['to'], Answer>>>;

  constructor(given: OAuthParts) {
    const parts = { ...given, pages: new PageAnswers(given.crypto) };
    const authorize = new AuthorizeDoor(parts);
    const owner = new OwnerDoor(parts);
    const passkeys = new PasskeyDoor(parts);
    this.#parts = parts;
    this.#log = new StepLog(parts);
    this.#tokens = new TokenDoor(parts);
    this.#reads = {
      authorize: (visit) => authorize.begin(visit),
      consent: (visit, id) => authorize.show(visit, id),
      owner: (visit) => owner.show(visit),
      'sign-in': (visit) => owner.showSignIn(visit),
      'set-up': (visit) => owner.setUp(visit),
      'passkey-script': () => passkeys.script(),
    };
    this.#posts = {
      consent: (visit, id) => authorize.decide(visit, id),
      'consent-sign-in': (visit, id) => authorize.signIn(visit, id),
      'sign-in': (visit) => owner.signIn(visit),
      'set-up': (visit) => owner.setUp(visit),
      'sign-out': (visit) => owner.signOut(visit),
      'end-one': (visit) => owner.endOne(visit),
      'end-all': (visit) => owner.endAll(visit),
      passphrase: (visit) => owner.changePassphrase(visit),
      console: (visit) => owner.openConsole(visit),
      'passkey-remove': (visit) => owner.removePasskey(visit),
      'passkey-options': (visit) => passkeys.options(visit),
      'passkey-add': (visit) => passkeys.add(visit),
      'passkey-request': (visit) => passkeys.request(visit),
      'passkey-sign-in': (visit) => passkeys.signIn(visit),
    };
  }

  /** Whether this path is for this door, with the prefix of a public address or without it. */
  serves(path: string): boolean {
    return this.#route(path) !== undefined;
  }

  /** The largest body that a request may have. */
  bodyBytesMax({ method, path }: Pick<RequestHead, 'method' | 'path'>): number {
    const route = this.#route(path);
    const takesNone = method !== 'POST' || route === undefined || route.to === 'document';
    return takesNone ? 0 : limits.signInBodyBytesMax;
  }

  /**
   * Whether pages of every origin may send requests to this path. No cookie counts there, and the
   * answers carry the headers that let such pages read them.
   */
  isOpenToAllOrigins(path: string): boolean {
    const route = this.#route(path);
    return route !== undefined && isForPrograms(route);
  }

  /**
   * Answers a request, and writes one line about it to the log. Never rejects: programs would take an
   * answer that is not OAuth's for a reason to ask their user to sign in again.
   */
  async handle(request: Request, address: string): Promise<Response> {
    const { pathname: path } = new URL(request.url);
    const route = this.#route(path);
    const { response, step, answer, why, client } = await this.#answer(request, route, path).catch(
      (error: unknown) => this.#failed(route, error),
    );
    this.#log.log(`${step} ${answer}`, 'info', 'sign-in', {
      step,
      ...(client !== undefined && { client: oneLine(client, limits.clientNameCharsMax) }),
      answer,
      ...(why !== undefined && { why: oneLine(why, whyCharsMax) }),
      status: response.status,
      address,
    });
    if (request.method !== 'HEAD') return response;
    return new Response(undefined, { status: response.status, headers: response.headers });
  }

  /** A refusal by the listener or the front door, in the form that this path needs. */
  refusal(path: string, { status, message, headers = {} }: Refusal): Response {
    const route = this.#route(path);
    if (route === undefined || !isForPrograms(route)) {
      const view = { title: didNotWork, text: message };
      return this.#parts.pages.message(view, { status, headers });
    }
    const mayPass = status >= 500 || status === 429 || status === 408;
    return mayPass
      ? notNow(message, { status: status === 500 ? 503 : status, headers })
      : oauthError('invalid_request', { status, description: message, headers });
  }

  #route(path: string): OAuthRoute | undefined {
    return oauthRoute(path, this.#parts.issuers);
  }

  async #answer(request: Request, route: OAuthRoute | undefined, path: string): Promise<Answered> {
    const host = request.headers.get('host') ?? new URL(request.url).host;
    const issuer = issuerOfRequest(this.#parts.issuers, { host, path });
    if (route === undefined) {
      return this.#message('discovery', 404, 'There is nothing at this address.');
    }
    switch (route.to) {
      case 'document':
        return answerDocument(this.#parts, request, { route, issuer });
      case 'token':
        return this.#tokens.token(request);
      case 'register':
        return this.#tokens.register(request);
      case 'revoke':
        return this.#tokens.revoke(request);
    }
    const step = stepOf(route);
    if (issuer === undefined) {
      const urls = this.#parts.issuers.map(({ url }) => url).join(' or ');
      return this.#message(step, 404, `Open this page at the public address (${urls}).`);
    }
    return this.#page(new Visit(this.#parts, { request, issuer }), route);
  }

  async #page(visit: Visit, route: PageRoute): Promise<Answered> {
    const { method } = visit.request;
    const [read, post] = [this.#reads[route.to], this.#posts[route.to]];
    const id = 'id' in route ? route.id : '';
    if (method === 'POST' && post !== undefined) return post(visit, id);
    // HEAD must not begin a request at /authorize: nobody would see the page that it leads to.
    const isRead = method === 'GET' || (method === 'HEAD' && route.to !== 'authorize');
    if (isRead && read !== undefined) return read(visit, id);
    const step = stepOf(route);
    if (isRead) {
      // Somebody has loaded the address of a form again: the page with the form is meant.
      const to = visit.at(route.to === 'consent-sign-in' ? `/authorize/${id}` : '/owner');
      return { response: this.#parts.pages.lead(to), step, answer: 'leads to its page' };
    }
    const allow = [read && 'GET', post && 'POST'].filter(Boolean).join(', ');
    return this.#message(step, 405, 'This address cannot be used so.', { Allow: allow });
  }

  /** The answer when a book cannot be read, or to a bug. The log says which. */
  #failed(route: OAuthRoute | undefined, error: unknown): Answered {
    const { code, message: why } = toVaultError(error);
    // The message names the file that cannot be read or written, and has nothing of the request.
    const fault = code === 'internal' ? faultOrigin(error) : { message: oneLine(why, whyCharsMax) };
    this.#log.log(`failed ${code}`, 'error', 'sign-in failed', { code, ...fault });
    const step = route === undefined ? 'discovery' : stepOf(route);
    const message = 'This cannot be answered now; the log of the server says why.';
    if (route === undefined || !isForPrograms(route)) return this.#message(step, 503, message);
    return { response: notNow(message), step, answer: '503 temporarily_unavailable' };
  }

  #message(
    step: SignInStep,
    status: number,
    text: string,
    headers: Readonly<Record<string, string>> = {},
  ): Answered {
    const title = status === 404 ? 'Nothing here' : didNotWork;
    const response = this.#parts.pages.message({ title, text }, { status, headers });
    return { response, step, answer: `page: ${status}`, why: text };
  }
}

const didNotWork = 'This did not work';
const whyCharsMax = 300;

function stepOf({ to }: OAuthRoute): SignInStep {
  switch (to) {
    case 'document':
      return 'discovery';
    case 'token':
    case 'register':
    case 'revoke':
    case 'authorize':
    case 'consent':
      return to;
    case 'consent-sign-in':
      return 'authorize';
    default:
      return 'owner';
  }
}
