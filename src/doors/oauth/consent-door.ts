import { limits } from '../../base/limits.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import { redirectTarget } from '../../oauth/clients/redirect-uri.ts';
import { redirectBack } from '../../oauth/grants/redirect-back.ts';
import { backPage } from '../../oauth/pages/back-page.ts';
import { consentPage } from '../../oauth/pages/consent-page.ts';
import type { ConsentChosen, ConsentView } from '../../oauth/pages/consent-view.ts';
import type { Grant } from '../../oauth/ports/oauth-book.ts';
import { clientName } from './client-name.ts';
import {
  askedChoice,
  changeDefault,
  choicesFor,
  lastDays,
  type ReadChoices,
  readChoices,
} from './consent-choices.ts';
import type { Answered, PageParts } from './oauth-parts.ts';
import { answersToInWords, existingConnection } from './shown-grant.ts';
import { hasPasskey, refusalStatus, showSignIn, signInWith } from './sign-in-form.ts';
import type { Seat, Visit } from './visit.ts';
import type { WaitingRequest, WaitingRequests } from './waiting-requests.ts';

/** A request about which the owner, who is signed in, decides. */
interface Asked {
  readonly id: string;
  readonly held: Required<Pick<WaitingRequest, 'request' | 'vaults'>>;
  readonly seat: Seat;
}

/** What is shown again when something was wrong with the form. */
interface Again {
  readonly message: string;
  readonly chosen?: ConsentChosen;
  readonly wrongAt?: NonNullable<ConsentView['wrongAt']>;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

const step = 'consent';

/** The page on which the owner allows or refuses a client, and its form. */
export class ConsentDoor {
  readonly #parts: PageParts;
  readonly #waiting: WaitingRequests;

  constructor(parts: PageParts, waiting: WaitingRequests) {
    this.#parts = parts;
    this.#waiting = waiting;
  }

  /** The page. No consent is skipped for a client that was allowed before: it could be another one. */
  async show(visit: Visit, asked: Asked, again?: Again): Promise<Answered> {
    const { owner, grants, pages, rights, nowMs } = this.#parts;
    const { id, seat } = asked;
    const { client, redirectUri, asked: rightsAsked } = asked.held.request;
    const existing = await grants.liveOf(client.id);
    const change = changeDefault(existing, { rights: rightsAsked, ofServer: rights });
    const choices = choicesFor(rights);
    const html = consentPage({
      action: visit.at(`/authorize/${id}`),
      word: owner.formWord(seat.cookie, aboutConsent(id)),
      client: {
        name: client.name,
        kind: client.kind,
        ...(client.host !== undefined && { host: client.host }),
      },
      target: redirectTarget(redirectUri),
      vaults: asked.held.vaults.map(({ name }) => name),
      choices,
      ...askedChoice(rightsAsked, choices),
      folders: await this.#topFolders(),
      existing: existing.map((grant) => existingConnection(grant, nowMs())),
      ...(change !== undefined && { changeDefault: change }),
      needsFresh: !seat.isFresh,
      lastDays: lastDays(nowMs()),
      ...(again !== undefined && { message: again.message }),
      ...(again?.chosen !== undefined && { chosen: again.chosen }),
      ...(again?.wrongAt !== undefined && { wrongAt: again.wrongAt }),
    });
    const { status = 200, headers = {}, cookies = [] } = again ?? {};
    const response = pages.page(html, { status, headers, cookies });
    const answer = again === undefined ? 'page: consent' : `page: consent, ${status}`;
    return { response, step, answer, client: nameOf(asked) };
  }

  /** The owner's answer. */
  async decide(visit: Visit, asked: Asked & { readonly form: URLSearchParams }): Promise<Answered> {
    const { owner, grants, checkFolder, rights, nowMs } = this.#parts;
    const { form, id, seat } = asked;
    if (!owner.isFormWord(seat.cookie, aboutConsent(id), form.get('word') ?? '')) {
      const message = 'This page was too old. Look at it once more, then answer.';
      return this.show(visit, asked, { message, status: 403 });
    }
    const answer = form.get('answer');
    if (answer === 'refuse') return this.#refuse(asked);
    if (answer !== 'allow') {
      return this.show(visit, asked, { message: 'Choose Allow or Refuse.', status: 400 });
    }
    const existing: readonly Grant[] = await grants.liveOf(asked.held.request.client.id);
    const choices = choicesFor(rights);
    const read = readChoices(form, { choices, existing, checkFolder, nowMs: nowMs() });
    if ('message' in read) return this.show(visit, asked, { ...read, status: 400 });
    const missing = await this.#missing(read.allowed.folders);
    if (missing !== undefined) {
      const message = `There is no folder “${missing}” in the vault, or the server hides it. Check how it is written, or make it first.`;
      const { chosen } = read;
      return this.show(visit, asked, { message, chosen, wrongAt: 'folders', status: 400 });
    }
    const needsFresh = read.chosen.rights === 'delete' && !seat.isFresh;
    return needsFresh ? this.#freshly(visit, asked, read) : this.#allow(visit, asked, { read });
  }

  /**
   * Allows deleting after the passphrase was shown once more. An owner with a passkey may use that:
   * then the page for signing in comes first.
   */
  async #freshly(
    visit: Visit,
    asked: Asked & { readonly form: URLSearchParams },
    read: Exclude<ReadChoices, { readonly message: string }>,
  ): Promise<Answered> {
    const { chosen } = read;
    const passphrase = asked.form.get('passphrase') ?? '';
    if (passphrase === '' && (await hasPasskey(this.#parts, visit)))
      return this.#signIn(visit, asked);
    if (passphrase === '') {
      const message = 'To let an app delete notes, enter your passphrase once more.';
      return this.show(visit, asked, { message, chosen, wrongAt: 'passphrase', status: 403 });
    }
    const signedIn = await signInWith(this.#parts, visit, passphrase);
    if ('refused' in signedIn) {
      const { message } = signedIn;
      const again = { message, chosen, wrongAt: 'passphrase', ...refusalStatus(signedIn) } as const;
      return this.show(visit, asked, again);
    }
    const seat = await visit.seatOf(signedIn.cookie);
    if (seat === undefined) throw new VaultError('unavailable', 'The new session has ended.');
    await this.#waiting.keep(asked.id, { session: seat.key });
    const cookies = visit.signedIn(signedIn);
    return this.#allow(visit, { ...asked, seat }, { read, cookies });
  }

  #signIn(visit: Visit, asked: Asked): Promise<Answered> {
    const next = visit.at(`/authorize/${asked.id}`);
    const message = 'To let an app delete notes, sign in once more. Then choose again.';
    const view = { step, action: `${next}/sign-in`, next, for: nameOf(asked), message } as const;
    return showSignIn(this.#parts, visit, { ...view, status: 403 });
  }

  /**
   * Issues the code. The request is taken out first, so that of two forms at the same moment only one
   * gets a code.
   */
  async #allow(
    visit: Visit,
    asked: Asked,
    given: {
      readonly read: Exclude<ReadChoices, { readonly message: string }>;
      readonly cookies?: readonly string[];
    },
  ): Promise<Answered> {
    const { read, cookies = [] } = given;
    const { request, vaults } = asked.held;
    const taken = await this.#waiting.take(asked.id);
    if (taken === undefined) return this.#answeredBefore();
    try {
      const { client, redirectUri, challenge, resource } = request;
      const code = await this.#parts.grants.issueCode({
        client: {
          id: client.id,
          name: nameOf(asked),
          kind: client.kind,
          answersTo: answersToInWords(redirectTarget(redirectUri)),
        },
        redirectUri,
        challenge,
        resource,
        allowed: read.allowed,
        vaults: vaults.map(({ path }) => path),
        ...(read.change !== undefined && { change: read.change }),
      });
      return this.#back(asked, { answer: { code }, log: 'code', cookies });
    } catch (error) {
      await taken.putBack();
      const { code, message } = toVaultError(error);
      if (code === 'internal') throw error;
      return this.show(visit, asked, { message, chosen: read.chosen, status: 503, cookies });
    }
  }

  async #refuse(asked: Asked): Promise<Answered> {
    if ((await this.#waiting.take(asked.id)) === undefined) return this.#answeredBefore();
    const error = 'access_denied';
    const answer = { error, error_description: 'The owner said no' };
    return this.#back(asked, { answer, log: error });
  }

  /**
   * Leads back to the client with a page: `form-action 'self'` also stops a redirect that follows the
   * form, and the button would seem dead.
   */
  #back(
    asked: Asked,
    given: {
      readonly answer: Readonly<Record<string, string>>;
      readonly log: string;
      readonly cookies?: readonly string[];
    },
  ): Answered {
    const { redirectUri, issuer, state } = asked.held.request;
    const to = redirectBack(redirectUri, issuer, { ...given.answer, state });
    const client = nameOf(asked);
    const html = backPage({ to, clientName: client, allowed: given.log === 'code' });
    const response = this.#parts.pages.page(html, { cookies: given.cookies ?? [] });
    return { response, step, answer: given.log, client };
  }

  #answeredBefore(): Answered {
    const text = 'This request was answered already.';
    const view = { title: 'This app cannot be connected', text };
    return {
      response: this.#parts.pages.message(view, { status: 400 }),
      step,
      answer: 'page: 400',
      why: text,
    };
  }

  /**
   * The first folder that is in no folder at the top of the vaults. A program that is let into a
   * misspelled folder would see nothing, and nobody would know why. Undefined where it cannot be told.
   */
  async #missing(folders: readonly VaultFolder[]): Promise<string | undefined> {
    const tops = await this.#topFolders();
    if (tops.length === 0 || tops.length >= limits.topFoldersMax) return undefined;
    return folders.find((folder) => folder !== '' && !tops.includes(folder.split('/')[0] ?? ''));
  }

  /** Only a help for typing: the page works without it while the vault is away. */
  async #topFolders(): Promise<readonly string[]> {
    return this.#parts.topFolders().catch(() => []);
  }
}

/** What the form's word is about. */
function aboutConsent(id: string): string {
  return `consent ${id}`;
}

function nameOf({ held }: Asked): string {
  return clientName(held.request.client);
}
