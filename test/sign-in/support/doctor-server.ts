import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { OwnCertificate } from './own-authority.ts';

/** An answer; the headers that are undefined are not sent, and `none` means that nothing comes. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

/** Answers that differ from the right ones, by method and path. */
export type Faults = Readonly<Record<string, Partial<Reply> | 'none'>>;

const policy = "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
const html = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };

/** What a server with this public URL answers to the doctor, as the sheet of OAuth has it. */
function rightReply(request: IncomingMessage, url: string): Reply {
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/$/, '');
  const document = `${origin}/.well-known/oauth-protected-resource${path}/mcp`;
  const challenge = (error: string): Reply => ({
    status: 401,
    headers: {
      'content-type': 'application/json',
      'www-authenticate': `Bearer realm="vaultdoor", ${error}resource_metadata="${document}", scope="vault:read vault:write"`,
    },
    body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Sign in."}}',
  });
  const json = (value: object): Reply => ({
    status: 200,
    headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
    body: JSON.stringify(value),
  });
  const resource = json({
    resource: `${url}/mcp`,
    authorization_servers: [url],
    scopes_supported: ['vault:read', 'vault:write'],
    bearer_methods_supported: ['header'],
    resource_name: 'Vaultdoor',
  });
  const called =
    request.headers.authorization === undefined
      ? challenge('')
      : challenge('error="invalid_token", error_description="The token is unknown", ');
  const replies: Readonly<Record<string, Reply>> = {
    [`GET /.well-known/oauth-protected-resource${path}/mcp`]: resource,
    'GET /.well-known/oauth-protected-resource': resource,
    [`GET /.well-known/oauth-authorization-server${path}`]: json({
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      registration_endpoint: `${url}/register`,
      revocation_endpoint: `${url}/revoke`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
    }),
    [`POST ${path}/mcp`]: called,
    [`GET ${path}/mcp`]: called,
    [`OPTIONS ${path}/register`]: { status: 204, headers: { 'access-control-allow-origin': '*' } },
    [`POST ${path}/token`]: {
      status: 401,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: '{"error":"invalid_client"}',
    },
    [`GET ${path}/authorize`]: { status: 400, headers: html, body: '<!doctype html>' },
    [`GET ${path}/owner`]: { status: 200, headers: html, body: '<!doctype html>' },
    'GET /c/': { status: 200, headers: html, body: '<!doctype html>' },
    'GET /c/api/me': {
      status: 401,
      headers: { 'content-type': 'application/json' },
      body: '{"error":{"code":"signed_out","message":"Signed out.","details":{}}}',
    },
  };
  const missing = {
    status: 404,
    headers: { 'content-type': 'application/json' },
    body: '{"error":{"code":-32600,"message":"Not found"}}',
  };
  return replies[`${request.method} ${request.url}`] ?? missing;
}

/**
 * A server on loopback that answers as Vaultdoor would behind a proxy, but for the faults. The address
 * is `https://localhost:<port>` and `path`; without a certificate it is plain HTTP.
 */
export async function startDoctorServer(options: {
  readonly certificate?: OwnCertificate;
  readonly path?: string;
  readonly faults?: Faults;
  /** Sent as the header Date; an empty text leaves it out. */
  readonly date?: string;
  /** Headers of requests that do not arrive. */
  readonly swallows?: readonly string[];
}): Promise<{
  readonly url: string;
  readonly seen: string[];
  readonly close: () => Promise<void>;
}> {
  const { certificate, path = '', faults = {}, date, swallows = [] } = options;
  const seen: string[] = [];
  let url = '';
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const key = `${request.method} ${request.url}`;
    seen.push(`${key} ${JSON.stringify(request.headers)}`);
    for (const name of swallows) delete request.headers[name];
    request.resume();
    const fault = faults[key];
    if (fault === 'none') return;
    const right = rightReply(request, url);
    const { status, headers, body } = { ...right, ...fault };
    response.sendDate = date === undefined;
    const dated = date ? { date } : {};
    for (const [name, value] of Object.entries({ ...right.headers, ...headers, ...dated })) {
      if (value !== undefined) response.setHeader(name, value);
    }
    response.writeHead(status).end(body);
  };
  const server = certificate === undefined ? createPlain(answer) : createTls(certificate, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  url = `${certificate === undefined ? 'http' : 'https'}://localhost:${port}${path}`;
  return {
    url,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
