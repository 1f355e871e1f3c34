import type { Faults } from './doctor-server.ts';

const json = { 'content-type': 'application/json' };
const page = { 'content-type': 'text/html' };
const resourceAt = 'GET /.well-known/oauth-protected-resource/mcp';
const serverAt = 'GET /.well-known/oauth-authorization-server';
const away = { location: 'https://login.example/?next=secret' };

/**
 * Faults of proxies and servers, and the one line of the doctor that must tell of each; `<url>` stands
 * for the public URL.
 */
export const doctorFaults: readonly (readonly [fault: string, Faults, expected: RegExp])[] = [
  [
    'a login of the proxy in front',
    { 'POST /mcp': { status: 302, headers: away } },
    /^redirects: The proxy redirects POST \/mcp to https:\/\/login\.example\/\. /,
  ],
  [
    'a document that is redirected',
    { [serverAt]: { status: 301, headers: { location: 'https://www.example/' } } },
    /^redirects: .*oauth-authorization-server to https:\/\/www\.example\//,
  ],
  [
    'an owner page that leads to another host',
    { 'GET /owner': { status: 302, headers: away } },
    /^redirects: The proxy redirects GET \/owner to https:\/\/login/,
  ],
  [
    'a document that is not passed on',
    { [resourceAt]: { status: 404, headers: page, body: 'nope' } },
    /^resource document: GET .*\/mcp is not there \(404\)\. .*--public-url <url>/,
  ],
  [
    'a document that is a web page',
    { [resourceAt]: { headers: page, body: '<html>' } },
    /^resource document: The document is not JSON with the status 200, but "text\/html" with 200/,
  ],
  [
    'a document with another resource',
    { [resourceAt]: { body: '{"resource":"https://other.example/mcp"}' } },
    /^resource document: "resource" is "https:\/\/other\.example\/mcp"; it must be "<url>\/mcp"/,
  ],
  [
    'a document without a server',
    { [resourceAt]: { body: '{}', headers: json } },
    /^resource document: "resource" is missing/,
  ],
  [
    'a document that tries to speak for the doctor',
    { [resourceAt]: { body: '{"says":"all is well","change":"nothing"}' } },
    /^resource document: "resource" is missing/,
  ],
  [
    'a document that is not at the root',
    { 'GET /.well-known/oauth-protected-resource': { status: 404 } },
    /^resource document at the root: .* is not there/,
  ],
  [
    'a document of another issuer',
    { [serverAt]: { body: '{"issuer":"http://127.0.0.1:1065"}' } },
    /^server document: "issuer" is "http:\/\/127\.0\.0\.1:1065"; .*keep the Host header/,
  ],
  [
    'JSON that is cut off',
    { [serverAt]: { body: '{"issuer":' } },
    /^server document: The document is not JSON/,
  ],
  [
    'a proxy that does not reach the server',
    { [serverAt]: { status: 502, headers: page, body: '' } },
    /^server document: GET .* fails with 502\. Look whether "vaultdoor serve" runs/,
  ],
  [
    'a name that the server does not know',
    {
      'POST /mcp': {
        status: 403,
        body: '{"error":{"message":"This server does not know the name \\"x\\"\\u001b[2J."}}',
      },
    },
    /^WWW-Authenticate: POST \/mcp is refused \(403\): This server does not know the name "x"\\u\{1b\}\[2J\. Start the server with --public-url <url>/,
  ],
  [
    'a firewall of the proxy',
    { 'POST /mcp': { status: 403, headers: page, body: '' } },
    /^WWW-Authenticate: POST \/mcp is forbidden \(403\), and not by Vaultdoor/,
  ],
  [
    'a challenge of Cloudflare',
    { 'POST /token': { status: 403, headers: { ...page, 'cf-mitigated': 'challenge' } } },
    /^\/token: POST \/token is answered by Cloudflare \(403\)/,
  ],
  [
    'a header that the proxy removes',
    { 'POST /mcp': { headers: { 'www-authenticate': undefined } } },
    /^WWW-Authenticate: The answer to POST \/mcp has no WWW-Authenticate header/,
  ],
  [
    'a password of the proxy',
    { 'POST /mcp': { headers: { 'www-authenticate': 'Basic realm="nginx"' } } },
    /^WWW-Authenticate: POST \/mcp asks for another login: Basic realm="nginx"/,
  ],
  [
    'a server without this public URL',
    { 'POST /mcp': { headers: { 'www-authenticate': 'Bearer realm="vaultdoor"' } } },
    /^WWW-Authenticate: WWW-Authenticate names no document; it must name <url>\/\.well-known/,
  ],
  [
    'a server without tokens',
    { 'POST /mcp': { status: 200, body: '{}' } },
    /^WWW-Authenticate: POST \/mcp is answered with 200: everybody .* without --auth none/,
  ],
  [
    'a proxy that lets no GET through',
    { 'GET /mcp': { status: 405 } },
    /^GET \/mcp: GET \/mcp is answered with 405 instead of 401/,
  ],
  [
    'a path that is not passed on',
    { 'OPTIONS /register': { status: 404 } },
    /^\/register: OPTIONS \/register is not there/,
  ],
  [
    'a method that is not passed on',
    { 'OPTIONS /register': { status: 405 } },
    /^\/register: OPTIONS \/register is answered with 405/,
  ],
  [
    'a proxy that answers OPTIONS itself',
    { 'OPTIONS /register': { headers: { 'access-control-allow-origin': undefined } } },
    /^\/register: The answer of \/register has no "Access-Control-Allow-Origin: \*"/,
  ],
  [
    'a proxy that replaces errors by its own pages',
    { 'POST /token': { headers: page, body: '<h1>401</h1>' } },
    /^\/token: POST \/token is answered with 401 and without the JSON .*proxy_intercept_errors/,
  ],
  [
    'no page to allow a client',
    { 'GET /authorize': { status: 404, headers: page } },
    /^\/authorize: GET \/authorize is not there/,
  ],
  [
    'a page of another program',
    { 'GET /authorize': { status: 200, headers: { 'content-security-policy': undefined } } },
    /^\/authorize: The page \/authorize has lost its header Content-Security-Policy/,
  ],
  [
    'an owner page that is no page',
    { 'GET /owner': { status: 200, headers: json, body: '{}' } },
    /^\/owner: \/owner is answered with 200 and not with a page/,
  ],
  [
    'no owner yet',
    { 'GET /owner': { body: '<h1>This server has no owner yet</h1>' } },
    /^\/owner: The server has no owner yet, .* Open <url>\/owner\/set-up/,
  ],
  [
    'a console that is not passed on',
    { 'GET /c/': { status: 404, headers: page, body: 'nope' } },
    /^\/c\/: GET \/c\/ is not there \(404\)\. Let the proxy pass this path/,
  ],
  [
    'a console that the proxy answers for',
    { 'GET /c/api/me': { status: 200, headers: page, body: '<html>' } },
    /^\/c\/api: GET \/c\/api\/me is answered with 200 and without the JSON/,
  ],
  [
    'a document that the server itself refuses',
    { [serverAt]: { status: 403, body: '{"error":"invalid_request","error_description":"No."}' } },
    /^server document: GET .* is refused \(403\): No\. Start the server with --public-url <url>/,
  ],
  [
    'a page that the server itself refuses',
    { 'GET /authorize': { status: 403, body: '<h1>No</h1>\n<p>Not &quot;x&quot;.</p>' } },
    /^\/authorize: GET \/authorize is refused \(403\): Not "x"\./,
  ],
];
