import type { Issuer } from '../../oauth/grants/issuer.ts';
import {
  authorizationServerDocument,
  protectedResourceDocument,
} from '../../oauth/grants/metadata.ts';
import { oauthError, openToAll, preflight } from './json-answers.ts';
import type { Answered, OAuthParts } from './oauth-parts.ts';
import type { OAuthRoute } from './oauth-route.ts';

type DocumentRoute = Extract<OAuthRoute, { to: 'document' }>;

const methods = 'GET, HEAD, OPTIONS';

/**
 * Answers the documents by which clients find out how to sign in. Everything else below their names
 * is a 404 in JSON: clients then try the next address, and a page would end their search.
 */
export function answerDocument(
  parts: Pick<OAuthParts, 'rights'>,
  request: Request,
  { route, issuer }: { readonly route: DocumentRoute; readonly issuer: Issuer | undefined },
): Answered {
  const step = 'discovery';
  const { method } = request;
  if (method === 'OPTIONS') {
    return { response: preflight(request, methods), step, answer: 'preflight' };
  }
  if (method !== 'GET' && method !== 'HEAD') {
    const description = 'This address can only be read: use GET.';
    const response = oauthError('invalid_request', {
      status: 405,
      description,
      headers: { Allow: methods },
    });
    return { response, step, answer: '405' };
  }
  const document = issuer === undefined ? undefined : documentOf(parts, route, issuer);
  if (document === undefined) {
    const description = 'There is no such document here.';
    const response = oauthError('not_found', { status: 404, description });
    return { response, step, answer: `404 ${route.name}` };
  }
  const headers = { ...openToAll, 'Cache-Control': 'max-age=300' };
  return { response: Response.json(document, { headers }), step, answer: route.name };
}

function documentOf(
  { rights }: Pick<OAuthParts, 'rights'>,
  { name, after }: DocumentRoute,
  issuer: Issuer,
): object | undefined {
  const { path } = issuer;
  if (name === 'resource' && ['', '/mcp', path, `${path}/mcp`].includes(after)) {
    return protectedResourceDocument(issuer, { rights });
  }
  if (name === 'server' && ['', path].includes(after)) return authorizationServerDocument(issuer);
  return undefined;
}
