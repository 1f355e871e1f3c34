/** One public address of the server, as clients that sign in know it. */
export interface Issuer {
  /** The address without a final `/` and without `/mcp`. */
  readonly url: string;
  /** The address of the MCP endpoint: `url` and `/mcp`. */
  readonly resource: string;
  /** As in the header Host: lower case, with the port unless it is the default one. */
  readonly host: string;
  readonly origin: string;
  /** Empty, or such as `/notes`. */
  readonly path: string;
  /** Whether it is https. */
  readonly isSecure: boolean;
}

/**
 * The issuer of a public URL. Undefined where nobody can sign in: clients refuse plain http, except
 * on their own machine.
 */
export function issuerOf(publicUrl: string): Issuer | undefined {
  if (!URL.canParse(publicUrl)) return undefined;
  const { protocol, hostname, host, origin, pathname } = new URL(publicUrl);
  const isSecure = protocol === 'https:';
  if (!isSecure && !(protocol === 'http:' && loopbackNames.includes(hostname))) return undefined;
  const path = pathname.replace(/\/$/, '').replace(/\/mcp$/, '');
  const url = `${origin}${path}`;
  return { url, resource: `${url}/mcp`, host, origin, path, isSecure };
}

/** The issuer of an address as a person gives it. Undefined also when it has more than a path. */
export function givenIssuer(address: string): Issuer | undefined {
  if (!URL.canParse(address)) return undefined;
  const { search, hash, username, password } = new URL(address);
  return `${search}${hash}${username}${password}` === '' ? issuerOf(address) : undefined;
}

const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Which of our resources a client means by the `resource` that it has sent: an MCP endpoint, or the
 * address above it. Scheme and host may be in upper case, and one final `/` is forgiven. Undefined for
 * anything else.
 */
export function resourceMeant(issuers: readonly Issuer[], sent: string): string | undefined {
  const [, origin, path = ''] = /^([a-z]+:\/\/[^/?#]*)(.*)$/i.exec(sent) ?? [];
  if (origin === undefined) return undefined;
  const asked = `${origin.toLowerCase()}${path.replace(/\/$/, '')}`;
  return issuers.find(({ url, resource }) => asked === url || asked === resource)?.resource;
}

/** The issuer whose host a request has named in its header Host. */
export function issuerAt(issuers: readonly Issuer[], host: string): Issuer | undefined {
  const name = host.toLowerCase();
  return issuers.find((issuer) => {
    const port = issuer.isSecure ? ':443' : ':80';
    return name === issuer.host || name === `${issuer.host}${port}`;
  });
}
