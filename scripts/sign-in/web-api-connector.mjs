import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageOf } from './packages.mjs';

/** A program with oauth4webapi, which checks every answer by the specifications and not by MCP. */
export class WebApiConnector {
  asked = 0;

  /** Without `registered` and `clientMetadataUrl` it registers itself. */
  constructor({
    url,
    owner,
    choices,
    redirectUrl,
    clientMetadataUrl,
    registered,
    namesNoResource,
  }) {
    Object.assign(this, { url, owner, choices, redirectUrl, clientMetadataUrl, registered });
    this.sent = namesNoResource ? {} : { resource: url };
  }

  async signIn() {
    const modules = await packageOf('oauth4webapi');
    const file = join(modules, 'oauth4webapi', 'build', 'index.js');
    this.oauth = await import(pathToFileURL(file).href);
    const { oauth } = this;
    const resource = new URL(this.url);
    const found = await oauth.resourceDiscoveryRequest(resource);
    this.resource = await oauth.processResourceDiscoveryResponse(resource, found);
    const issuer = new URL(this.resource.authorization_servers[0]);
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2' });
    this.server = await oauth.processDiscoveryResponse(issuer, discovered);
    if (this.clientMetadataUrl !== undefined)
      this.registered = { client_id: this.clientMetadataUrl };
    this.registered ??= await this.#register();
    await this.again();
  }

  async #register() {
    const answer = await this.oauth.dynamicClientRegistrationRequest(this.server, {
      client_name: 'oauth4webapi',
      redirect_uris: [this.redirectUrl],
    });
    return this.oauth.processDynamicClientRegistrationResponse(answer);
  }

  /** How the client shows who it is: with its secret, where it was given one. */
  get #shown() {
    const { client_secret: secret, token_endpoint_auth_method: method } = this.registered;
    if (secret === undefined) return this.oauth.None();
    const { ClientSecretBasic, ClientSecretPost } = this.oauth;
    return method === 'client_secret_post' ? ClientSecretPost(secret) : ClientSecretBasic(secret);
  }

  /** Authorizes once more, with the same registration. */
  async again() {
    const { oauth, server, registered, redirectUrl } = this;
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const asked = new URL(server.authorization_endpoint);
    asked.search = new URLSearchParams({
      client_id: registered.client_id,
      redirect_uri: redirectUrl,
      response_type: 'code',
      scope: this.resource.scopes_supported.join(' '),
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      ...this.sent,
    });
    this.asked++;
    const back = new URL(await this.owner.answer(asked, this.choices));
    if (!back.href.startsWith(redirectUrl)) throw new Error(`The answer goes to ${back.origin}`);
    const given = oauth.validateAuthResponse(server, registered, back, state);
    const answer = await oauth.authorizationCodeGrantRequest(
      ...[server, registered, this.#shown, given, redirectUrl, verifier],
      { additionalParameters: this.sent },
    );
    this.tokens = await oauth.processAuthorizationCodeResponse(server, registered, answer);
  }

  async #ask(token) {
    const params = { name: 'read_note', arguments: { name: 'Home' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const headers = new Headers({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    });
    const { oauth } = this;
    const answer = await oauth.protectedResourceRequest(
      ...[token, 'POST', new URL(this.url), headers, body],
    );
    return answer.text();
  }

  async #refresh(token) {
    const { oauth, server, registered } = this;
    const answer = await oauth.refreshTokenGrantRequest(server, registered, this.#shown, token);
    return oauth.processRefreshTokenResponse(server, registered, answer);
  }

  /** Refreshes when the access token is refused, as such a program would. */
  async call() {
    try {
      return await this.#ask(this.tokens.access_token);
    } catch (error) {
      if (error.status !== 401) throw error;
      this.tokens = await this.#refresh(this.tokens.refresh_token);
      return this.#ask(this.tokens.access_token);
    }
  }

  /** Four refreshes with one token; every pair that was given out works. */
  async four() {
    const one = this.tokens.refresh_token;
    const pairs = await Promise.all([1, 2, 3, 4].map(() => this.#refresh(one)));
    if (new Set(pairs.map((pair) => pair.refresh_token)).size !== 4) throw new Error('not four');
    this.tokens = pairs[0];
    const all = await Promise.all(pairs.map((pair) => this.#ask(pair.access_token)));
    await Promise.all(pairs.slice(1).map((pair) => this.#refresh(pair.refresh_token)));
    return all;
  }

  /** Revokes its refresh token, and then tries its tokens. */
  async isOut() {
    const { oauth, server, registered, tokens } = this;
    const { access_token: access, refresh_token: refresh } = tokens;
    const answer = await oauth.revocationRequest(server, registered, this.#shown, refresh);
    await oauth.processRevocationResponse(answer);
    const used = await this.#ask(access).catch(({ status }) => status);
    const refreshed = await this.#refresh(refresh).catch(({ error }) => error);
    return used === 401 && refreshed === 'invalid_grant' ? undefined : { used, refreshed };
  }

  stop() {
    return undefined;
  }
}
