import { limits } from '../../base/limits.ts';
import { cleanName } from './clean-name.ts';
import { jsonMember } from './json-member.ts';
import { isAllowedRedirect } from './redirect-uri.ts';
import type { RegisteredMethod, Registration } from './registered-client.ts';

/** Why a registration is refused, as RFC 7591 names it. The description repeats nothing of it. */
export interface RegistrationError {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata';
  readonly description: string;
}

const methods: readonly string[] = ['none', 'client_secret_post', 'client_secret_basic'];

/**
 * What a client wants to register, from the parsed body of its request. Clients are sloppy, so only
 * what matters is read: redirect addresses that are not allowed are left out, and an unknown way to
 * prove who it is becomes `none`, as RFC 7591 allows.
 */
export function readRegistration(
  body: unknown,
): Omit<Registration, 'issuedSeconds'> | RegistrationError {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return invalid('The body must be a JSON object');
  }
  const name = jsonMember(body, 'client_name') ?? '';
  if (typeof name !== 'string') return invalid('client_name must be a string');
  const method = jsonMember(body, 'token_endpoint_auth_method') ?? 'client_secret_basic';
  if (typeof method !== 'string') return invalid('token_endpoint_auth_method must be a string');
  const sent = jsonMember(body, 'redirect_uris');
  const redirectUris = Array.from(new Set(Array.isArray(sent) ? sent : [])).filter(
    (uri): uri is string => typeof uri === 'string' && isAllowedRedirect(uri),
  );
  if (redirectUris.length === 0) {
    return {
      error: 'invalid_redirect_uri',
      description:
        'redirect_uris has no allowed address: https, http on 127.0.0.1, [::1] or localhost, or ' +
        `the scheme of an app; without fragment, at most ${limits.redirectCharsMax} characters`,
    };
  }
  if (redirectUris.length > limits.registeredRedirectsMax) {
    return invalid(`redirect_uris has more than ${limits.registeredRedirectsMax} addresses`);
  }
  return { name: cleanName(name), redirectUris, method: methodOf(method) };
}

function methodOf(method: string): RegisteredMethod {
  return methods.includes(method) ? (method as RegisteredMethod) : 'none';
}

function invalid(description: string): RegistrationError {
  return { error: 'invalid_client_metadata', description };
}
