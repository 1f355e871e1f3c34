import { isObject } from '../../base/json.ts';
import { toVaultError } from '../../base/vault-error.ts';
import type { PasskeySite } from '../../oauth/owner/passkey-site.ts';
import { passkeyScript } from '../../oauth/pages/passkey-script.ts';
import type { Answered, PageParts } from './oauth-parts.ts';
import { aboutOwner } from './owner-door.ts';
import { readJsonBody } from './read-sent.ts';
import { consoleEntry } from './sign-in-form.ts';
import type { Seat, Visit } from './visit.ts';

type Sent = Readonly<Record<string, unknown>>;

const step = 'owner';

/** The requests of the script that makes and uses passkeys: JSON, from our own pages only. */
export class PasskeyDoor {
  readonly #parts: PageParts;

  constructor(parts: PageParts) {
    this.#parts = parts;
  }

  /** GET /owner/passkey.js. Its address has the program's version, so browsers may keep it. */
  script(): Answered {
    const headers = {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'max-age=86400',
      'X-Content-Type-Options': 'nosniff',
    };
    return { response: new Response(passkeyScript, { headers }), step, answer: 'script' };
  }

  /** POST /owner/passkeys/options: what the browser needs to make a passkey. */
  async options(visit: Visit): Promise<Answered> {
    const asked = await this.#fromOwner(visit);
    if ('response' in asked) return asked;
    const { seat, site } = asked;
    try {
      const options = await this.#parts.owner.passkeyCreation(seat.cookie, site);
      return { response: this.#parts.pages.json(options), step, answer: 'passkey options' };
    } catch (error) {
      const { code, message } = toVaultError(error);
      if (code === 'forbidden') return this.#refused(message, 403);
      if (code === 'invalid_input' || code === 'too_large') return this.#refused(message, 400);
      throw error;
    }
  }

  /** POST /owner/passkeys/add: the passkey that the browser has made. */
  async add(visit: Visit): Promise<Answered> {
    const asked = await this.#fromOwner(visit);
    if ('response' in asked) return asked;
    const { seat, site, sent } = asked;
    if (!seat.isFresh) return this.#refused('For this, sign in once more.', 403);
    const name = typeof sent['name'] === 'string' ? sent['name'] : '';
    const credential = sent['credential'];
    const added = await this.#parts.owner.addPasskey(seat.cookie, site, { name, credential });
    if ('refused' in added) return this.#refused(added.refused, 400);
    return { response: this.#parts.pages.json({}), step, answer: 'passkey added' };
  }

  /** POST /owner/passkeys/request: what the browser needs to sign in with a passkey. */
  async request(visit: Visit): Promise<Answered> {
    const asked = await this.#fromBrowser(visit);
    if ('response' in asked) return asked;
    const options = await this.#parts.owner.passkeyRequest(asked.site, asked.bound);
    return { response: this.#parts.pages.json(options), step, answer: 'passkey request' };
  }

  /**
   * POST /owner/passkeys/sign-in: the answer of the passkey. An owner who came from the console is told
   * the way back to it.
   */
  async signIn(visit: Visit): Promise<Answered> {
    const asked = await this.#fromBrowser(visit);
    if ('response' in asked) return asked;
    const { owner, pages } = this.#parts;
    const { site, bound, sent } = asked;
    const { device, owner: replaces } = visit.cookies;
    const browser = { device, replaces };
    const signedIn = await owner.signInWithPasskey(site, bound, sent['credential'], browser);
    if ('refused' in signedIn) return this.#refused(signedIn.refused, 403);
    const next = await consoleEntry(this.#parts, visit);
    const cookies = visit.signedIn(signedIn);
    const response = pages.json(next === undefined ? {} : { next }, { cookies });
    return { response, step, answer: 'signed in with a passkey' };
  }

  /** A request of the owner's page, with its word. */
  async #fromOwner(
    visit: Visit,
  ): Promise<{ readonly seat: Seat; readonly site: PasskeySite; readonly sent: Sent } | Answered> {
    const asked = await this.#sent(visit);
    if ('response' in asked) return asked;
    const seat = await visit.seat();
    if (seat === undefined) return this.#refused('Sign in first.', 403);
    const { word } = asked.sent;
    const isOurs =
      typeof word === 'string' && this.#parts.owner.isFormWord(seat.cookie, aboutOwner, word);
    return isOurs ? { ...asked, seat } : this.#refused('This page is too old: load it again.', 403);
  }

  /** A request of the sign-in page, which has given the browser an id. */
  async #fromBrowser(
    visit: Visit,
  ): Promise<
    { readonly bound: string; readonly site: PasskeySite; readonly sent: Sent } | Answered
  > {
    const asked = await this.#sent(visit);
    if ('response' in asked) return asked;
    const { browser: bound } = visit.cookies;
    return bound === undefined
      ? this.#refused('This page is too old: load it again.', 403)
      : { ...asked, bound };
  }

  async #sent(
    visit: Visit,
  ): Promise<{ readonly site: PasskeySite; readonly sent: Sent } | Answered> {
    if (visit.foreign(step) !== undefined) return this.#refused('Not from this server.', 403);
    const { site } = visit;
    if (site === undefined) return this.#refused('This address cannot have passkeys.', 400);
    const read = await readJsonBody(visit.request, { typeIsNeeded: true });
    if ('message' in read) return this.#refused(read.message, read.status);
    return isObject(read.sent)
      ? { site, sent: read.sent }
      : this.#refused('The body is not an object.', 400);
  }

  #refused(message: string, status: number): Answered {
    const response = this.#parts.pages.json({ message }, { status });
    return { response, step, answer: `${status} passkey`, why: message };
  }
}
