import { limits } from '../../base/limits.ts';

/** For answers that every web page may read. No cookie goes with such requests. */
export const openToAll: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'WWW-Authenticate, Retry-After',
};

const tryAgain = { 'Retry-After': String(Math.ceil(limits.busyRetryMs / 1_000)) };

/** An answer of `/token`, `/register` or `/revoke`. */
export function oauthJson(
  body: object,
  options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  const headers = { ...openToAll, 'Cache-Control': 'no-store', ...options.headers };
  return Response.json(body, { status: options.status ?? 200, headers });
}

/** An error of OAuth. The description is ours and has nothing of the request. */
export function oauthError(
  error: string,
  options: {
    readonly status?: number;
    readonly description: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Response {
  const { status = 400, description, headers = {} } = options;
  return oauthJson({ error, error_description: description }, { status, headers });
}

/**
 * The answer while a request cannot be decided. Clients keep their tokens then: after `server_error`,
 * or an answer that is not JSON, they would ask their user to sign in again.
 */
export function notNow(
  description: string,
  options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  const { status = 503, headers = {} } = options;
  return oauthError('temporarily_unavailable', {
    status,
    description,
    headers: { ...tryAgain, ...headers },
  });
}

/** The answer to a browser that asks whether a page of another origin may send a request. */
export function preflight(request: Request, methods: string): Response {
  const asked = request.headers.get('access-control-request-headers') ?? '';
  const usual = 'Authorization, Content-Type, MCP-Protocol-Version';
  return new Response(undefined, {
    status: 204,
    headers: {
      ...openToAll,
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': /^[\w, -]+$/.test(asked) ? asked : usual,
      'Access-Control-Max-Age': '600',
    },
  });
}
