import type { IdentifiedClient } from '../../oauth/clients/clients.ts';
import type { TokenAnswer, TokenError } from '../../oauth/grants/grants.ts';
import { clientName, hostOf } from './client-name.ts';
import { notNow, oauthError, oauthJson, openToAll, preflight } from './json-answers.ts';
import type { Answered, OAuthParts, SignInStep } from './oauth-parts.ts';
import { fieldsOf, readForm, readJsonBody } from './read-sent.ts';

type Fields = ReadonlyMap<string, string>;

/** Where programs post to: `/token`, `/revoke` and `/register`. No cookie is looked at here. */
export class TokenDoor {
  readonly #parts: OAuthParts;

  constructor(parts: OAuthParts) {
    this.#parts = parts;
  }

  /** Exchanges a code or a refresh token for a new pair of tokens. */
  async token(request: Request): Promise<Answered> {
    const read = await postedFields(request, 'token');
    if ('response' in read) return read;
    const { fields, resource } = read;
    const kind = fields.get('grant_type');
    const step = kind === 'refresh_token' ? 'refresh' : 'token';
    if (kind === undefined) return refused(step, 'invalid_request', 'grant_type is missing.');
    if (kind !== 'authorization_code' && kind !== 'refresh_token') {
      const description = 'This server knows authorization_code and refresh_token.';
      return refused(step, 'unsupported_grant_type', description);
    }
    const client = await this.#clientOf(request, fields);
    if ('refused' in client) return notIdentified(step, client);
    const answer =
      kind === 'authorization_code'
        ? await this.#exchange(client.id, fields, resource)
        : await this.#refresh(client.id, fields, resource);
    const named = { step, client: await this.#nameOf(client.id) } as const;
    if ('error' in answer) {
      const { error, error_description: description } = answer;
      return { ...named, ...refused(step, error, description) };
    }
    return { ...named, response: oauthJson(answer), answer: 'tokens' };
  }

  /** Ends the grant of a token. Unknown tokens and those of others are answered alike (RFC 7009). */
  async revoke(request: Request): Promise<Answered> {
    const step = 'revoke';
    const read = await postedFields(request, step);
    if ('response' in read) return read;
    const client = await this.#clientOf(request, read.fields);
    if ('refused' in client) return notIdentified(step, client);
    const token = read.fields.get('token');
    if (token === undefined) return refused(step, 'invalid_request', 'token is missing.');
    await this.#parts.grants.revokeToken({ client: client.id, token });
    const headers = { ...openToAll, 'Cache-Control': 'no-store' };
    const response = new Response(undefined, { status: 200, headers });
    return { response, step, answer: 'done', client: await this.#nameOf(client.id) };
  }

  /** Registers a client (RFC 7591). */
  async register(request: Request): Promise<Answered> {
    const step = 'register';
    const other = notPosted(request, step);
    if (other !== undefined) return other;
    const read = await readJsonBody(request, { typeIsNeeded: false });
    if ('message' in read) {
      return refused(step, 'invalid_client_metadata', read.message, { status: read.status });
    }
    const answer = await this.#parts.clients.register(read.sent);
    if ('error' in answer) return refused(step, answer.error, answer.description);
    if ('waitSeconds' in answer) {
      const headers = { 'Retry-After': String(answer.waitSeconds) };
      const description = 'Too many clients register at once. Try again later.';
      return { response: notNow(description, { status: 429, headers }), step, answer: '429' };
    }
    const { registered } = answer;
    const name = registered['client_name'];
    return {
      response: oauthJson(registered, { status: 201 }),
      step,
      answer: 'registered',
      ...(typeof name === 'string' && { client: name }),
    };
  }

  #clientOf(request: Request, fields: Fields): Promise<IdentifiedClient> {
    const [, basic] = /^basic +(.*)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
    const id = fields.get('client_id');
    const secret = fields.get('client_secret');
    return this.#parts.clients.identify({
      ...(id !== undefined && { id }),
      ...(secret !== undefined && { secret }),
      ...(basic !== undefined && { basic }),
    });
  }

  async #exchange(
    client: string,
    fields: Fields,
    resource: readonly string[],
  ): Promise<TokenAnswer | TokenError> {
    const code = fields.get('code');
    if (code === undefined) return missing('code');
    const redirectUri = fields.get('redirect_uri');
    const verifier = fields.get('code_verifier');
    return this.#parts.grants.exchange({
      client,
      code,
      ...(redirectUri !== undefined && { redirectUri }),
      ...(verifier !== undefined && { verifier }),
      ...(resource.length > 0 && { resource }),
    });
  }

  async #refresh(
    client: string,
    fields: Fields,
    resource: readonly string[],
  ): Promise<TokenAnswer | TokenError> {
    const refreshToken = fields.get('refresh_token');
    if (refreshToken === undefined) return missing('refresh_token');
    const scope = fields.get('scope');
    return this.#parts.grants.refresh({
      client,
      refreshToken,
      ...(scope !== undefined && { scope }),
      ...(resource.length > 0 && { resource }),
    });
  }

  /**
   * The name of a client for the log, or else the host of its id. Never fails: the tokens may have been
   * given out already, and must not be lost for a line in the log.
   */
  async #nameOf(id: string): Promise<string> {
    const found = await this.#parts.clients.find(id, { mayFetch: false }).catch(() => undefined);
    return found !== undefined && 'client' in found ? clientName(found.client) : hostOf(id);
  }
}

/** The fields of a posted form, and all its values of `resource`, which alone may occur twice. */
async function postedFields(
  request: Request,
  step: SignInStep,
): Promise<{ readonly fields: Fields; readonly resource: readonly string[] } | Answered> {
  const other = notPosted(request, step);
  if (other !== undefined) return other;
  const read = await readForm(request);
  if ('message' in read) {
    return refused(step, 'invalid_request', read.message, { status: read.status });
  }
  const fields = fieldsOf(read.sent, { several: ['resource'] });
  if (fields === undefined) return refused(step, 'invalid_request', 'A parameter was sent twice.');
  return { fields, resource: read.sent.getAll('resource').filter((text) => text !== '') };
}

/** The answer to a request with another method than POST. */
function notPosted(request: Request, step: SignInStep): Answered | undefined {
  const methods = 'POST, OPTIONS';
  if (request.method === 'POST') return undefined;
  if (request.method === 'OPTIONS') {
    return { response: preflight(request, methods), step, answer: 'preflight' };
  }
  const headers = { Allow: methods };
  return refused(step, 'invalid_request', 'Use POST.', { status: 405, headers });
}

function missing(name: string): TokenError {
  return { error: 'invalid_request', error_description: `${name} is missing.` };
}

/** Only unknown clients, and those that do not show their secret, get a 401: they register anew. */
function notIdentified(
  step: SignInStep,
  client: Extract<IdentifiedClient, { refused: string }>,
): Answered {
  if (client.refused === 'invalid_request') {
    const description = 'Send client_id, and the secret of the client in one way only.';
    return refused(step, 'invalid_request', description);
  }
  const headers = client.usedBasic ? { 'WWW-Authenticate': 'Basic realm="vaultdoor"' } : {};
  const description = 'The client is unknown, or its secret is wrong or missing.';
  return refused(step, 'invalid_client', description, { status: 401, headers });
}

function refused(
  step: SignInStep,
  error: string,
  description: string,
  options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Answered {
  const { status = 400, headers = {} } = options;
  const response = oauthError(error, { status, description, headers });
  return { response, step, answer: `${status} ${error}`, why: description };
}
