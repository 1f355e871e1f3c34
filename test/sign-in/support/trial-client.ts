import { createHash, randomBytes } from 'node:crypto';
import { messagesIn } from '../../support/http-door.ts';
import { backIn, claude, TestBrowser } from '../../support/sign-in-door.ts';
import { legacyHello, type WireMessage } from '../../support/stdio-process.ts';
import type { SignInServer } from './sign-in-server.ts';

/** What a client is given for a code or a refresh token. */
export interface Tokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

type Fields = Readonly<Record<string, string | readonly string[]>>;
type Params = Readonly<Record<string, string | undefined>>;

/** A browser in which the owner has signed in. */
export async function ownersBrowser(server: SignInServer): Promise<TestBrowser> {
  const browser = new TestBrowser(server);
  await browser.signIn();
  return browser;
}

/** A client of `/authorize`, `/token`, `/revoke` and `/mcp` that a test leads step by step. */
export class TrialClient {
  readonly id: string;
  readonly redirect: string;
  readonly secret: string | undefined;
  readonly verifier = randomBytes(32).toString('base64url');
  readonly challenge = createHash('sha256').update(this.verifier).digest('base64url');
  readonly #server: SignInServer;

  constructor(
    server: SignInServer,
    known: { readonly id: string; readonly redirect: string; readonly secret?: string } = claude,
  ) {
    this.#server = server;
    this.id = known.id;
    this.redirect = known.redirect;
    this.secret = known.secret;
  }

  /** One that has registered itself; public unless the metadata say otherwise. */
  static async register(
    server: SignInServer,
    metadata: { readonly redirect_uris?: readonly string[]; readonly [name: string]: unknown } = {},
  ): Promise<TrialClient> {
    const { redirect_uris: uris = ['http://127.0.0.1:6276/oauth/callback'] } = metadata;
    const response = await server.postJson('/register', {
      client_name: 'Trial client',
      token_endpoint_auth_method: 'none',
      ...metadata,
      redirect_uris: uris,
    });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`not registered: ${response.status} ${text}`);
    const { client_id: id, client_secret: secret } = JSON.parse(text);
    return new TrialClient(server, { id, redirect: uris[0] ?? '', secret });
  }

  /** The path at `/authorize` to which this client sends its user; `undefined` leaves a parameter out. */
  authorizePath(more: Params = {}): string {
    const params: Params = {
      client_id: this.id,
      redirect_uri: this.redirect,
      response_type: 'code',
      code_challenge: this.challenge,
      code_challenge_method: 'S256',
      state: 'st',
      ...more,
    };
    return `${this.#server.issuer.path}/authorize?${new URLSearchParams(given(params))}`;
  }

  /** Where the owner's answer leads back to. */
  async allowed(browser: TestBrowser, fields: Fields = {}, more: Params = {}): Promise<URL> {
    const page = await browser.get(this.authorizePath(more));
    const path = page.headers.get('location');
    if (path === null) throw new Error(`no page: ${page.status} ${await page.text()}`);
    const answer = await browser.consent(path, fields);
    const text = await answer.text();
    if (!/http-equiv="refresh"/.test(text))
      throw new Error(`not allowed: ${answer.status} ${text}`);
    return backIn(text);
  }

  /** A code, which the owner has allowed. */
  async code(browser: TestBrowser, fields: Fields = {}, more: Params = {}): Promise<string> {
    return (await this.allowed(browser, fields, more)).searchParams.get('code') ?? '';
  }

  /** The fields with which this client exchanges a code. */
  exchangeFields(code: string, more: Params = {}): Record<string, string> {
    return given({
      grant_type: 'authorization_code',
      client_id: this.id,
      client_secret: this.secret,
      code,
      redirect_uri: this.redirect,
      code_verifier: this.verifier,
      ...more,
    });
  }

  refreshFields(token: string, more: Params = {}): Record<string, string> {
    return given({
      grant_type: 'refresh_token',
      client_id: this.id,
      client_secret: this.secret,
      refresh_token: token,
      ...more,
    });
  }

  exchange(code: string, more: Params = {}): Promise<Response> {
    return this.#server.post(this.#at('/token'), this.exchangeFields(code, more));
  }

  refresh(token: string, more: Params = {}): Promise<Response> {
    return this.#server.post(this.#at('/token'), this.refreshFields(token, more));
  }

  revoke(token: string, more: Params = {}): Promise<Response> {
    const fields = given({ token, client_id: this.id, client_secret: this.secret, ...more });
    return this.#server.post(this.#at('/revoke'), fields);
  }

  /** The tokens of a new grant, which the owner has allowed. */
  async tokens(browser: TestBrowser, fields: Fields = {}, more: Params = {}): Promise<Tokens> {
    return tokensIn(await this.exchange(await this.code(browser, fields, more)));
  }

  #at(path: string): string {
    return `${this.#server.issuer.path}${path}`;
  }
}

function given(params: Params): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The tokens of a successful answer. */
export async function tokensIn(response: Response): Promise<Tokens> {
  const text = await response.text();
  if (response.status !== 200) throw new Error(`no tokens: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** MCP with an access token, or with another one that a test sends in its place. */
export class McpGuest {
  token: string;
  session: string | undefined;
  readonly #server: SignInServer;
  #requests = 0;

  constructor(server: SignInServer, token: string) {
    this.#server = server;
    this.token = token;
  }

  send(
    message: object,
    { headers = {}, path = '/mcp' }: { headers?: Record<string, string>; path?: string } = {},
  ): Promise<Response> {
    const own = {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${this.token}`,
      ...(this.session === undefined ? {} : { 'mcp-session-id': this.session }),
    };
    return this.#server.postJson(path, { jsonrpc: '2.0', ...message }, { ...own, ...headers });
  }

  /** A request and its whole answer. */
  async ask(method: string, params: object = {}): Promise<WireMessage> {
    const response = await this.send({ id: ++this.#requests, method, params });
    const messages = await messagesIn(response);
    const answer = messages.find((message) => message.method === undefined);
    if (answer === undefined) throw new Error(`no answer: ${response.status}`);
    return answer;
  }

  /** The status of a simple request: 200 while the token holds. */
  async status(): Promise<number> {
    const response = await this.send({ id: ++this.#requests, method: 'tools/list', params: {} });
    await response.text();
    return response.status;
  }

  /** The names of the tools that it sees. */
  async tools(): Promise<readonly string[]> {
    const { result } = await this.ask('tools/list');
    const { tools } = result as { readonly tools: readonly { readonly name: string }[] };
    return tools.map(({ name }) => name);
  }

  async call(name: string, args: object = {}): Promise<WireMessage> {
    return this.ask('tools/call', { name, arguments: args });
  }

  /** The handshake of the 2025 era; its session is used from then on. */
  async begin(): Promise<string> {
    const hello = await this.send({ id: 0, method: 'initialize', params: legacyHello });
    await hello.text();
    this.session = hello.headers.get('mcp-session-id') ?? '';
    await (await this.send({ method: 'notifications/initialized' })).text();
    return this.session;
  }

  /** Opens the stream of the session. */
  async stream(): Promise<Response> {
    return this.#server.send({
      path: '/mcp',
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${this.token}`,
        'mcp-session-id': this.session,
      },
    });
  }
}
