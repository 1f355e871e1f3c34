import type { Right } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import type { Client } from '../clients/client.ts';
import { type Issuer, resourceMeant } from './issuer.ts';
import { rightsAsked } from './scope-words.ts';

/** What a client asks the owner for, checked. */
export interface AuthorizeRequest {
  readonly client: Client;
  /** Where the answer goes: what the client has sent, or else the one address that it has registered. */
  readonly redirectUri: string;
  readonly sentRedirect: boolean;
  readonly challenge: string;
  readonly asked: readonly Right[];
  readonly state?: string;
  readonly issuer: Issuer;
  readonly resource: string;
}

/**
 * A request; or a sentence for a page, because it is not known where an answer may go; or an error
 * that goes to the client, once the owner is signed in.
 */
export type ReadAuthorize =
  | { readonly request: AuthorizeRequest }
  | { readonly shown: string }
  | {
      readonly error: string;
      readonly description: string;
      readonly redirectUri: string;
      readonly state?: string;
    };

/** The id of the client that asks; undefined unless there is exactly one. */
export function clientIdOf(params: URLSearchParams): string | undefined {
  return onlyOf(params, 'client_id');
}

/** Reads the parameters of `/authorize`. The descriptions of errors quote nothing of the request. */
export function readAuthorize(
  params: URLSearchParams,
  context: {
    readonly client: Client;
    readonly issuer: Issuer;
    readonly issuers: readonly Issuer[];
  },
): ReadAuthorize {
  const { client, issuer, issuers } = context;
  if (params.toString().length > limits.authorizeCharsMax) {
    return { shown: 'The app has sent a request that is too long.' };
  }
  if (clientIdOf(params) === undefined) {
    return { shown: 'The app has not said, or has said twice, who it is.' };
  }
  const sentUri = onlyOf(params, 'redirect_uri');
  const isTwice = params.getAll('redirect_uri').length > 1;
  const redirectUri = sentUri ?? (isTwice ? undefined : client.onlyRedirect);
  if (redirectUri === undefined) {
    return { shown: 'The app has not said, or has said twice, where the answer should go.' };
  }
  if (!client.allowsRedirect(redirectUri)) {
    const hint = client.hint === undefined ? '' : ` ${client.hint}`;
    return {
      shown: `The app wants the answer at an address that is not registered for it.${hint}`,
    };
  }

  const state = onlyOf(params, 'state');
  const isStateFit = state !== undefined && state.length <= limits.stateCharsMax;
  const back = { redirectUri, ...(isStateFit ? { state } : {}) };
  const fault =
    (state !== undefined && !isStateFit
      ? refused('invalid_request', 'state is too long')
      : undefined) ?? faultOf(params);
  if (fault !== undefined) return { ...fault, ...back };

  const sentResources = params.getAll('resource').filter((sent) => sent !== '');
  const resources = sentResources.map((sent) => resourceMeant(issuers, sent));
  if (resources.includes(undefined)) {
    return { ...refused('invalid_target', 'resource is not of this server'), ...back };
  }
  if (onlyOf(params, 'prompt')?.split(' ').includes('none')) {
    return { ...refused('interaction_required', 'The owner must be asked'), ...back };
  }
  const request = {
    ...back,
    client,
    sentRedirect: sentUri !== undefined,
    challenge: onlyOf(params, 'code_challenge') ?? '',
    asked: rightsAsked(onlyOf(params, 'scope')),
    issuer,
    resource: resources[0] ?? issuer.resource,
  };
  return { request };
}

interface Fault {
  readonly error: string;
  readonly description: string;
}

function refused(error: string, description: string): Fault {
  return { error, description };
}

/** What is wrong with the parameters that need nothing else to be judged. */
function faultOf(params: URLSearchParams): Fault | undefined {
  const names = Array.from(params, ([name]) => name).filter((name) => name !== 'resource');
  if (new Set(names).size < names.length) {
    return refused('invalid_request', 'A parameter was sent twice');
  }
  if (onlyOf(params, 'request') !== undefined) {
    return refused('request_not_supported', 'request is not supported');
  }
  if (onlyOf(params, 'request_uri') !== undefined) {
    return refused('request_uri_not_supported', 'request_uri is not supported');
  }
  const responseType = onlyOf(params, 'response_type');
  if (responseType === undefined) return refused('invalid_request', 'response_type is missing');
  if (responseType !== 'code') {
    return refused('unsupported_response_type', 'response_type must be code');
  }
  if ((onlyOf(params, 'response_mode') ?? 'query') !== 'query') {
    return refused('invalid_request', 'response_mode must be query');
  }
  // Without a method, RFC 7636 means the method "plain".
  if (params.get('code_challenge_method') !== 'S256') {
    return refused('invalid_request', 'code_challenge_method must be S256');
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(params.get('code_challenge') ?? '')) {
    return refused('invalid_request', 'code_challenge must have 43 characters of base64url');
  }
  return undefined;
}

/** The value of a parameter that was sent exactly once. An empty one counts as absent (RFC 6749, 3.1). */
function onlyOf(params: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = params.getAll(name);
  return others.length === 0 && value !== '' ? value : undefined;
}
