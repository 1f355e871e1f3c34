import { ownerPage } from '../../oauth/pages/owner-page.ts';
import { setUpPage } from '../../oauth/pages/set-up-page.ts';
import { signedOutCookie } from './browser-cookies.ts';
import type { Answered, PageParts } from './oauth-parts.ts';
import { dayInWords, lastUseInWords, ownerConnection } from './shown-grant.ts';
import {
  consoleEntry,
  consoleKeyAt,
  consoleQuery,
  refusalStatus,
  scriptAddress,
  showSignIn,
  signInWith,
} from './sign-in-form.ts';
import type { Seat, Visit } from './visit.ts';

/** What has just been done, or what was wrong, for the owner's page. */
interface Told {
  readonly message: string;
  readonly isError?: boolean;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

/** A form that the owner, who is signed in, has posted from one of our own pages. */
interface Posted {
  readonly form: URLSearchParams;
  readonly seat: Seat;
}

const step = 'owner';

/** What the word of the forms on the owner's page is about. */
export const aboutOwner = 'owner';

/** The owner's pages: set-up, signing in and out, connections, passkeys and the passphrase. */
export class OwnerDoor {
  readonly #parts: PageParts;

  constructor(parts: PageParts) {
    this.#parts = parts;
  }

  /**
   * GET /owner. An owner who is signed in and comes from the console goes back to it at once. Only a link
   * of our own pages does that: another site must not make keys by leading a browser here.
   */
  async show(visit: Visit): Promise<Answered> {
    const seat = await visit.seat();
    if (seat === undefined) return this.showSignIn(visit);
    const isOwnLink = visit.request.headers.get('sec-fetch-site') === 'same-origin';
    const to = isOwnLink ? await consoleEntry(this.#parts, visit) : undefined;
    if (to === undefined) return this.#page(visit, seat);
    return { response: this.#parts.pages.lead(to), step, answer: 'leads to the console' };
  }

  /** GET /owner/sign-in, also for an owner who must sign in freshly. */
  showSignIn(
    visit: Visit,
    more: Partial<Pick<Told, 'message' | 'status' | 'headers'>> = {},
  ): Promise<Answered> {
    const action = visit.at(`/owner/sign-in${consoleQuery(visit)}`);
    const next = visit.at('/owner');
    return showSignIn(this.#parts, visit, { step, action, next, ...more });
  }

  /**
   * POST /owner/sign-in. It leads to `/owner`, or to the console if the owner came from there, and never
   * to an address that was sent along.
   */
  async signIn(visit: Visit): Promise<Answered> {
    const posted = await visit.form(step);
    if ('response' in posted) return posted;
    const signedIn = await signInWith(this.#parts, visit, posted.form.get('passphrase') ?? '');
    if ('refused' in signedIn) {
      const { message, refused } = signedIn;
      const shown = await this.showSignIn(visit, { message, ...refusalStatus(signedIn) });
      return { ...shown, answer: `page: sign-in, ${refused}` };
    }
    const cookies = visit.signedIn(signedIn);
    const to = (await consoleEntry(this.#parts, visit)) ?? visit.at('/owner');
    const response = this.#parts.pages.lead(to, { cookies });
    return { response, step, answer: 'signed in' };
  }

  /** GET and POST /owner/set-up; nothing is there once an owner exists. */
  async setUp(visit: Visit): Promise<Answered> {
    const { owner, pages } = this.#parts;
    if (await owner.hasOwner()) {
      const view = {
        title: 'Nothing here',
        text: 'There is nothing at this address.',
        more: [`Your own page is ${visit.issuer.url}/owner.`],
      };
      return { response: pages.message(view, { status: 404 }), step, answer: '404' };
    }
    const action = visit.at('/owner/set-up');
    if (visit.request.method !== 'POST') {
      return { response: pages.page(setUpPage({ action })), step, answer: 'page: set-up' };
    }
    const posted = await visit.form(step);
    if ('response' in posted) return posted;
    const { form } = posted;
    const passphrase = form.get('passphrase') ?? '';
    const code = form.get('code') ?? '';
    if (passphrase !== form.get('again')) {
      const html = setUpPage({ action, message: differing, code });
      return {
        response: pages.page(html, { status: 400 }),
        step,
        answer: 'page: set-up, not the same',
      };
    }
    const signedIn = await owner.setUp({ code, passphrase });
    if ('refused' in signedIn) {
      const html = setUpPage({ action, message: signedIn.message, code });
      const response = pages.page(html, refusalStatus(signedIn));
      return { response, step, answer: `page: set-up, ${signedIn.refused}` };
    }
    const response = pages.lead(visit.at('/owner'), { cookies: visit.signedIn(signedIn) });
    return { response, step, answer: 'owner set up' };
  }

  /** POST /owner/sign-out. */
  async signOut(visit: Visit): Promise<Answered> {
    const posted = await this.#posted(visit);
    if ('response' in posted) return posted;
    await this.#parts.owner.signOut(posted.seat.cookie);
    const cookies = [signedOutCookie(visit.issuer)];
    const response = this.#parts.pages.lead(visit.at('/owner'), { cookies });
    return { response, step, answer: 'signed out' };
  }

  /** POST /owner/revoke: ends one connection. */
  async endOne(visit: Visit): Promise<Answered> {
    const posted = await this.#posted(visit);
    if ('response' in posted) return posted;
    const ended = await this.#parts.grants.end(posted.form.get('id') ?? '', 'revoked');
    const message =
      ended === undefined
        ? 'This connection had ended already.'
        : 'The app is disconnected. It must ask you again to come back.';
    const shown = await this.#page(visit, posted.seat, { message });
    const client = ended === undefined ? {} : { client: ended.client.name };
    return {
      ...shown,
      ...client,
      step: 'revoke',
      answer: ended === undefined ? 'ended before' : 'ended',
    };
  }

  /** POST /owner/revoke-all: ends every connection. */
  async endAll(visit: Visit): Promise<Answered> {
    const posted = await this.#posted(visit);
    if ('response' in posted) return posted;
    const ended = await this.#parts.grants.endAll('revoked');
    const message = 'All apps are disconnected. Each must ask you again to come back.';
    const shown = await this.#page(visit, posted.seat, { message });
    return { ...shown, step: 'revoke', answer: `ended all ${ended}` };
  }

  /**
   * POST /owner/console: leads to the console with a key that opens it once. The key is in the fragment,
   * which no log and no other site gets to see.
   */
  async openConsole(visit: Visit): Promise<Answered> {
    const posted = await this.#posted(visit);
    if ('response' in posted) return posted;
    const { pages } = this.#parts;
    const consoleKey = consoleKeyAt(this.#parts, visit);
    if (consoleKey === undefined) {
      const view = { title: 'Nothing here', text: 'This server has no console.' };
      return { response: pages.message(view, { status: 404 }), step, answer: '404' };
    }
    const response = pages.lead(`/c/enter#k=${await consoleKey()}`);
    return { response, step, answer: 'leads to the console' };
  }

  /** POST /owner/passphrase. It ends all sessions; this browser gets a new one. */
  async changePassphrase(visit: Visit): Promise<Answered> {
    const posted = await this.#posted(visit);
    if ('response' in posted) return posted;
    const { form, seat } = posted;
    const passphrase = form.get('passphrase') ?? '';
    if (passphrase !== form.get('again')) {
      return this.#page(visit, seat, { message: differing, isError: true, status: 400 });
    }
    const { device } = visit.cookies;
    const { cookie } = seat;
    const changed = await this.#parts.owner.changePassphrase({ cookie, passphrase, device });
    if ('refused' in changed) {
      if (changed.refused === 'stale') return this.#notFresh(visit);
      const { message } = changed;
      return this.#page(visit, seat, { message, isError: true, ...refusalStatus(changed) });
    }
    const fresh = await visit.seatOf(changed.cookie);
    if (fresh === undefined) return this.showSignIn(visit);
    const message = 'The passphrase is changed. Other browsers are signed out.';
    const shown = await this.#page(visit, fresh, { message, cookies: visit.signedIn(changed) });
    return { ...shown, answer: 'passphrase changed' };
  }

  /** POST /owner/passkeys/remove. */
  async removePasskey(visit: Visit): Promise<Answered> {
    const posted = await this.#posted(visit);
    if ('response' in posted) return posted;
    const { form, seat } = posted;
    if (!seat.isFresh) return this.#notFresh(visit);
    const removed = await this.#parts.owner.removePasskey(form.get('id') ?? '');
    const message = removed ? 'The passkey is removed.' : 'This passkey was removed already.';
    const shown = await this.#page(visit, seat, { message });
    return removed ? { ...shown, answer: 'passkey removed' } : shown;
  }

  #notFresh(visit: Visit): Promise<Answered> {
    const message = 'For this, sign in once more. Then do it again.';
    return this.showSignIn(visit, { message, status: 403 });
  }

  async #posted(visit: Visit): Promise<Posted | Answered> {
    const posted = await visit.form(step);
    if ('response' in posted) return posted;
    const seat = await visit.seat();
    if (seat === undefined) {
      return this.showSignIn(visit, { message: 'Sign in first.', status: 403 });
    }
    const word = posted.form.get('word') ?? '';
    if (this.#parts.owner.isFormWord(seat.cookie, aboutOwner, word)) return { ...posted, seat };
    const message = 'This page was too old, so nothing was done. Please try again.';
    return this.#page(visit, seat, { message, isError: true, status: 403 });
  }

  async #page(visit: Visit, seat: Seat, told?: Told): Promise<Answered> {
    const { owner, grants, pages, nowMs } = this.#parts;
    const canAddPasskey = visit.site !== undefined;
    const at = (path: string): string => visit.at(`/owner${path}`);
    const live = (await grants.list()).map(async (grant) => ({
      ...ownerConnection(grant, nowMs()),
      isElsewhere: !(await grants.isAlive(grant.id)),
    }));
    const ended = (await grants.listEnded()).map((grant) => ownerConnection(grant, nowMs()));
    const html = ownerPage({
      connections: [...(await Promise.all(live)), ...ended],
      passkeys: (await owner.passkeys()).map(({ id, name, host, createdMs, usedMs }) => ({
        id,
        name,
        host,
        created: dayInWords(createdMs),
        lastUse: lastUseInWords(usedMs, nowMs()),
      })),
      canAddPasskey,
      isFresh: seat.isFresh,
      address: visit.issuer.resource,
      word: owner.formWord(seat.cookie, aboutOwner),
      // Only a hint: the page works without it while a vault is away.
      waiting: await this.#parts.waiting().catch(() => 0),
      paths: {
        revoke: at('/revoke'),
        revokeAll: at('/revoke-all'),
        removePasskey: at('/passkeys/remove'),
        passphrase: at('/passphrase'),
        signOut: at('/sign-out'),
        signIn: at('/sign-in'),
        owner: at(''),
        passkeyScript: scriptAddress(this.#parts, visit),
        passkeyOptions: at('/passkeys/options'),
        passkeyAnswer: at('/passkeys/add'),
        ...(consoleKeyAt(this.#parts, visit) !== undefined && { console: at('/console') }),
      },
      ...(told !== undefined && { message: told.message }),
      ...(told?.isError && { isError: true }),
    });
    const { status = 200, headers = {}, cookies = [] } = told ?? {};
    const response = pages.page(html, { status, headers, cookies, hasScript: canAddPasskey });
    const why = told?.isError ? { why: told.message } : {};
    const answer = status === 200 ? 'page: owner' : `page: owner, ${status}`;
    return { response, step, answer, ...why };
  }
}

const differing = 'The two passphrases are not the same.';
