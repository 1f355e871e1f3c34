import { limits } from '../../base/limits.ts';
import { cleanName } from './clean-name.ts';
import { type Client, clientWith } from './client.ts';
import { jsonMember } from './json-member.ts';
import { isAllowedRedirect } from './redirect-uri.ts';

/** A DNS name of at least two labels; the last one does not look like a part of an address. */
const dnsName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const dnsNameCharsMax = 253;
const ownNetwork = /\.(?:local|localhost|internal)$/;

/**
 * The host of a client id that is the address of a document; undefined when the id has not the shape
 * that such ids must have. Nothing is fetched.
 */
export function documentHost(id: string): string | undefined {
  if (id.length > limits.clientIdCharsMax || !id.startsWith('https://') || !URL.canParse(id)) {
    return undefined;
  }
  const { href, username, password, port, hostname, pathname } = new URL(id);
  // The parser resolves "." and "..", and leaves out a default port: then the texts differ.
  const isPlain = href === id && !/[?#]/.test(id) && `${username}${password}${port}` === '';
  const isName =
    hostname.length <= dnsNameCharsMax && dnsName.test(hostname) && !ownNetwork.test(hostname);
  return isPlain && isName && pathname !== '/' ? hostname : undefined;
}

/** The client that a fetched document describes, or what is wrong with the document. */
export function readClientDocument(
  id: string,
  json: unknown,
): { readonly client: Client } | { readonly message: string } {
  if (jsonMember(json, 'client_id') !== id) return { message: 'It belongs to another client id.' };
  if (jsonMember(json, 'client_secret') !== undefined) {
    return { message: 'It contains a secret, which must not be published.' };
  }
  const redirectUris = jsonMember(json, 'redirect_uris');
  if (!Array.isArray(redirectUris) || redirectUris.length === 0) {
    return { message: 'It lists no redirect addresses.' };
  }
  if (redirectUris.length > limits.documentRedirectsMax) {
    return { message: `It lists more than ${limits.documentRedirectsMax} redirect addresses.` };
  }
  if (!redirectUris.every((uri) => typeof uri === 'string' && isAllowedRedirect(uri))) {
    return { message: 'It lists a redirect address that is not allowed.' };
  }
  if (!isPublic(json)) return { message: 'It asks for a way to sign in that is not supported.' };
  const name = jsonMember(json, 'client_name');
  const cleaned = typeof name === 'string' ? cleanName(name) : '';
  const about = { id, name: cleaned, kind: 'document', host: new URL(id).hostname } as const;
  return { client: clientWith(about, redirectUris as readonly string[]) };
}

/** Whether the client does without a secret at `/token`, or can. */
function isPublic(json: unknown): boolean {
  const method = jsonMember(json, 'token_endpoint_auth_method') ?? 'none';
  const methods = jsonMember(json, 'token_endpoint_auth_methods_supported');
  return method === 'none' || (Array.isArray(methods) && methods.includes('none'));
}
