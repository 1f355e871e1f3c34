import { randomUUID } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** What the SDK asks of a program that signs in, and keeps for it. */
class Provider {
  asked = [];

  constructor({ redirectUrl, clientMetadataUrl }) {
    this.redirectUrl = redirectUrl;
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
    this.clientMetadata = {
      client_name: 'SDK client',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  state() {
    this.lastState = randomUUID();
    return this.lastState;
  }
  clientInformation() {
    return this.client;
  }
  saveClientInformation(client) {
    this.client = client;
  }
  tokens() {
    return this.kept;
  }
  saveTokens(tokens) {
    this.kept = tokens;
  }
  redirectToAuthorization(url) {
    this.asked.push(url);
  }
  saveCodeVerifier(verifier) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
  discoveryState() {
    return this.discovered;
  }
  saveDiscoveryState(state) {
    this.discovered = state;
  }
  invalidateCredentials(what) {
    if (what === 'all' || what === 'tokens') this.kept = undefined;
    if (what === 'all' || what === 'client') this.client = undefined;
  }
}

/** The client of the MCP SDK, which signs in when it is told to by the server. */
export class SdkConnector {
  refreshes = 0;

  constructor({ url, owner, choices, redirectUrl, clientMetadataUrl }) {
    this.url = url;
    this.owner = owner;
    this.choices = choices;
    this.provider = new Provider({ redirectUrl, clientMetadataUrl });
  }

  /** Connects; where the owner is asked, answers in the browser first. */
  async signIn() {
    this.transport = this.#transport();
    this.client = new Client({ name: 'sdk-connector', version: '1' });
    try {
      await this.client.connect(this.transport);
      return;
    } catch (error) {
      if (this.provider.asked.length === 0) throw error;
    }
    await this.#finish();
    this.transport = this.#transport();
    this.client = new Client({ name: 'sdk-connector', version: '1' });
    await this.client.connect(this.transport);
  }

  /** Lets the owner answer, and exchanges the code. */
  async #finish() {
    const back = new URL(await this.owner.answer(this.provider.asked.pop(), this.choices));
    if (back.searchParams.get('state') !== this.provider.lastState) throw new Error('other state');
    await this.transport.finishAuth(back.searchParams);
  }

  #transport() {
    const counted = (to, init) => {
      if (String(init?.body).includes('grant_type=refresh_token')) this.refreshes++;
      return fetch(to, init);
    };
    const options = { authProvider: this.provider, fetch: counted };
    return new StreamableHTTPClientTransport(new URL(this.url), options);
  }

  /** A call that needs more than was allowed: the owner is asked, and the call is repeated. */
  async callWithMore(name, args) {
    const refused = await this.call(name, args).catch((error) => error);
    if (this.provider.asked.length === 0) throw new Error(`The owner was not asked: ${refused}`);
    await this.#finish();
    return this.call(name, args);
  }

  get session() {
    return this.transport.sessionId;
  }

  async call(name = 'read_note', args = { name: 'Home' }) {
    const answer = await this.client.callTool({ name, arguments: args });
    const text = answer.content.map((piece) => piece.text ?? '').join('');
    if (answer.isError === true) throw new Error(text);
    return text;
  }

  async tools() {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  /** Four calls at the same moment. */
  four() {
    return Promise.all([1, 2, 3, 4].map(() => this.call()));
  }

  /** After the connection was revoked: whether the next call leads to the owner. */
  async isOut() {
    const outcome = await this.call().catch((error) => String(error));
    return this.provider.asked.length > 0 ? undefined : outcome;
  }

  /**
   * Signs in again, with the registration of the first time. The old client is closed first: it goes
   * on trying to open its stream, and begins to sign in each time.
   */
  async again() {
    await this.client.close();
    this.provider.asked.length = 0;
    await this.signIn();
  }

  stop() {
    return this.client?.close();
  }
}
