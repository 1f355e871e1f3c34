import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

type Provider = OAuthClientProvider;
type Tokens = NonNullable<Awaited<ReturnType<Provider['tokens']>>>;
type Information = NonNullable<Awaited<ReturnType<Provider['clientInformation']>>>;

/** What the SDK's client remembers of signing in; tests may look at it and change it. */
export class SdkSignIn implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:9/callback';
  readonly clientMetadata = {
    client_name: 'Trial client',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  kept: { tokens?: Tokens; information?: Information; verifier?: string } = {};
  /** Where the client sent its user, newest last. */
  readonly sentTo: URL[] = [];
  #discovered: unknown;

  clientInformation(): Information | undefined {
    return this.kept.information;
  }

  saveClientInformation(information: Information): void {
    this.kept.information = information;
  }

  tokens(): Tokens | undefined {
    return this.kept.tokens;
  }

  saveTokens(tokens: Tokens): void {
    this.kept.tokens = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.sentTo.push(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.kept.verifier = verifier;
  }

  codeVerifier(): string {
    return this.kept.verifier ?? '';
  }

  saveDiscoveryState(state: unknown): void {
    this.#discovered = state;
  }

  discoveryState(): never {
    return this.#discovered as never;
  }
}

/**
 * Connects the SDK's client. When it is sent to sign in, `decide` is asked where its user comes back
 * to, and it connects again.
 */
export async function connectSignedIn(
  url: string,
  provider: SdkSignIn,
  decide: (authorizationUrl: string) => Promise<URL>,
): Promise<{ readonly client: Client; readonly transport: StreamableHTTPClientTransport }> {
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
    const client = new Client({ name: 'trial', version: '1' });
    try {
      await client.connect(transport);
      return { client, transport };
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      return transport;
    }
  };
  const first = await connect();
  if ('client' in first) return first;
  const back = await decide(provider.sentTo.at(-1)?.href ?? '');
  await first.finishAuth(back.searchParams);
  const second = await connect();
  if ('client' in second) return second;
  throw new Error('The client was sent to sign in again.');
}
