import type { Knock } from './knock.ts';

/** What is sent, and how the answer to it begins. */
export type KnockRow = readonly [what: string, knock: Knock, answer: string];

const origin = (value: string): Knock => ({ headers: [`Origin: ${value}`] });
const host = (...values: readonly string[]): Knock => ({
  hosts: values.map((value) => `Host: ${value}`),
});
const get = (target: string): Knock => ({ line: `GET ${target} HTTP/1.1` });

const notCalled = (name: string): string =>
  `403 -32000 This server does not know the name "${name}".`;
const pagesOf = (name: string): string => `403 -32000 Web pages of "${name}" may not use`;
const twoPages = pagesOf('localhost??http:??evil.org');
const oneHost = '400 -32000 A request must have exactly one Host header.';
const onePath = '400 -32000 A request must have exactly one path, on the host of its Host header.';
const noHttp = '400 -32000 The server cannot read this as an HTTP/1.1 request.';
const nothing = '404 -32000 There is nothing at this address; MCP is at /mcp.';
const healthy = '200 ok {"status":"ok"';

const served = '200 ok {}';

/** What honest clients send. */
export const honestRows: readonly KnockRow[] = [
  ['a program', {}, served],
  ['by name', host('localhost'), served],
  ['by name, in another spelling', host('LOCALHOST.:1065'), served],
  ['by IPv6', host('[::1]:1065'), served],
  [
    'through a proxy of its own',
    { line: 'POST http://localhost/mcp HTTP/1.1', ...host('localhost') },
    served,
  ],
  ['a page of this machine', origin('http://localhost:6274'), served],
  ['whoever asks how it is', get('/health'), healthy],
];

/** Web pages, with or without a name server of their own. */
export const pageRows: readonly KnockRow[] = [
  ['a page', origin('http://evil.example'), pagesOf('evil.example')],
  ['a page with TLS and a port', origin('https://evil.example:1065'), pagesOf('evil.example:1065')],
  ['a page without an origin', origin('null'), pagesOf('null')],
  ['a file', origin('file://'), pagesOf('')],
  ['an extension', origin('chrome-extension://abc'), '403 -32000 Web pages of "chrome-extension'],
  [
    'a name that begins as ours',
    origin('http://localhost.evil.org'),
    pagesOf('localhost.evil.org'),
  ],
  ['an address in a name', origin('http://127.0.0.1.nip.io'), pagesOf('127.0.0.1.nip.io')],
  ['our name as a user', origin('http://localhost@evil.org'), pagesOf('localhost?evil.org')],
  ['our name as a path', origin('http://evil.org/localhost'), pagesOf('evil.org?localhost')],
  ['two origins', origin('http://localhost, http://evil.org'), twoPages],
  [
    'two lines of them',
    { headers: ['Origin: http://localhost', 'Origin: http://evil.org'] },
    twoPages,
  ],
  [
    'a page that asks before it sends',
    { ...origin('http://evil.example'), line: 'OPTIONS /mcp HTTP/1.1' },
    pagesOf('evil.example'),
  ],
  [
    'a page that looks whether we are there',
    { ...origin('http://evil.example'), ...get('/health') },
    pagesOf('evil.example'),
  ],
  [
    'a form of a page, which browsers send unasked',
    { headers: ['Origin: http://evil.example', 'Content-Type: text/plain'] },
    pagesOf('evil.example'),
  ],
  [
    'a form of a program',
    { headers: ['Content-Type: text/plain'] },
    '415 -32000 Send JSON, with "Content-Type: application/json".',
  ],
  ['a name of others', host('evil.example'), notCalled('evil.example')],
  ['a name that was bound anew', host('a.rebind.example:1065'), notCalled('a.rebind.example:1065')],
  [
    'the same for health',
    { ...host('evil.example'), ...get('/health') },
    notCalled('evil.example'),
  ],
  ['the same for nothing', { ...host('evil.example'), ...get('/x') }, notCalled('evil.example')],
  ['a name that ends as ours', host('evil-localhost'), notCalled('evil-localhost')],
  ['our name before theirs', host('localhost.evil.example'), notCalled('localhost.evil.example')],
  ['our address before theirs', host('127.0.0.1.nip.io'), notCalled('127.0.0.1.nip.io')],
  ['the address of nowhere', host('0.0.0.0'), notCalled('0.0.0.0')],
  ['the same in IPv6', host('[::]'), notCalled('[::]')],
  ['an address as a number', host('2130706433'), notCalled('2130706433')],
  ['a short address', host('127.1'), notCalled('127.1')],
  ['an octal address', host('0177.0.0.1'), notCalled('0177.0.0.1')],
  ['a name with two final dots', host('localhost..'), notCalled('localhost..')],
  ['a mapped address', host('[::ffff:192.0.2.99]'), notCalled('[::ffff:192.0.2.99]')],
];

/** What two servers could understand in two ways. */
export const unclearRows: readonly KnockRow[] = [
  ['no Host', host(), oneHost],
  ['no Host, in HTTP/1.0', { ...host(), line: 'POST /mcp HTTP/1.0' }, oneHost],
  ['an empty Host', host(''), oneHost],
  ['two Hosts', host('localhost', 'evil.example'), oneHost],
  ['the same one twice', host('localhost', 'localhost'), oneHost],
  ['two in one line', host('localhost, evil.example'), oneHost],
  ['a port that is a name', host('localhost:evil.example'), oneHost],
  ['a port that is too long', host('localhost:000001065'), oneHost],
  ['two ports', host('localhost:80:80'), oneHost],
  ['a user', host('localhost:1@evil.example'), oneHost],
  ['a path', host('localhost/evil.example'), oneHost],
  ['a fragment', host('localhost#evil.example'), oneHost],
  ['brackets and more', host('[::1].evil.example'), oneHost],
  ['a zone', host('[fe80::1%25lo]'), oneHost],
  ['another host in the target', get('http://evil.example/mcp'), onePath],
  ['a user in the target', get('http://localhost@evil.example/mcp'), onePath],
  ['no path in the target', get('mcp'), noHttp],
  ['a target that is a host', get('@evil.example/mcp'), noHttp],
  ['a target that is no path', { line: 'OPTIONS * HTTP/1.1' }, onePath],
  [
    'a target on another protocol',
    get('ftp://localhost/mcp'),
    '400 -32000 A request must have exactly one path',
  ],
  ['a line break in a header', { headers: ['X-A: b', ' c'] }, noHttp],
  ['a header with a space before its colon', { headers: ['X-A : b'] }, noHttp],
  ['a header without a colon', { headers: ['nothing'] }, noHttp],
  ['two lengths', { headers: ['Content-Length: 3', 'Content-Length: 4'], body: 'abc' }, noHttp],
  [
    'a length and chunks',
    { headers: ['Content-Length: 3', 'Transfer-Encoding: chunked'], body: '0\r\n\r\n' },
    noHttp,
  ],
  [
    'an encoding that hides chunks',
    { headers: ['Transfer-Encoding: gzip, chunked'], body: '0\r\n\r\n' },
    '501 -32000 Send the body whole or in chunks',
  ],
  ['a length that is none', { headers: ['Content-Length: -1'], body: '' }, noHttp],
  ['another protocol', { line: 'HELO evil.example' }, noHttp],
  ['another version', { line: 'POST /mcp HTTP/3.0' }, noHttp],
];

/** Methods and addresses that are not there. */
export const methodRows: readonly KnockRow[] = [
  ['TRACE', { line: 'TRACE /mcp HTTP/1.1' }, '501 -32000 This server does not know the method'],
  [
    'CONNECT',
    { line: 'CONNECT evil.example:443 HTTP/1.1' },
    '501 -32000 This server is not a proxy',
  ],
  [
    'an upgrade',
    { ...get('/mcp'), headers: ['Connection: Upgrade', 'Upgrade: websocket'] },
    '400 -32000 This server speaks only HTTP/1.1 and cannot change to another protocol.',
  ],
  ['PUT', { line: 'PUT /mcp HTTP/1.1' }, '405 -32000 Send messages with POST.'],
  ['PATCH', { line: 'PATCH /mcp HTTP/1.1' }, '405 -32000 Send messages with POST.'],
  ['PROPFIND', { line: 'PROPFIND /mcp HTTP/1.1' }, '405 -32000 Send messages with POST.'],
  ['a method that is none', { line: 'SUMMON /mcp HTTP/1.1' }, noHttp],
  ['a method in lower case', { line: 'post /mcp HTTP/1.1', body: '' }, noHttp],
  ['GET without a session', get('/mcp'), '405 -32000 A GET needs the "Mcp-Session-Id"'],
  ['DELETE without one', { line: 'DELETE /mcp HTTP/1.1' }, '405 -32000 A DELETE needs the'],
  ['HEAD', { line: 'HEAD /mcp HTTP/1.1' }, '405'],
  [
    'a method in a header',
    { ...get('/mcp'), headers: ['X-HTTP-Method-Override: DELETE'] },
    '405 -32000 A GET needs',
  ],
  [
    'a GET with a body',
    { ...get('/health'), body: 'x' },
    '400 -32000 A GET request must not have a body.',
  ],
  [
    'a POST to health',
    { line: 'POST /health HTTP/1.1' },
    '413 -32000 This address accepts no body.',
  ],
  [
    'one without a body',
    { line: 'POST /health HTTP/1.1', body: '' },
    '405 -32000 This address can only be read: use GET.',
  ],
  ['the root, which leads to the console', get('/'), '303'],
  ['the console, by a method of others', { line: 'POST /c/ HTTP/1.1' }, '413'],
  ['something', get('/admin'), nothing],
  ['a note', get('/Work/Open.md'), nothing],
  ['a file of the machine', get('/../../etc/passwd'), nothing],
  ['the same, encoded', get('/%2e%2e/%2e%2e/etc/passwd'), nothing],
  ['ways to sign in', get('/.well-known/oauth-authorization-server'), nothing],
  ['the old way in', get('/sse'), nothing],
  ['two slashes', get('//mcp'), nothing],
  ['a slash too many', get('/mcp/'), nothing],
  ['upper case', get('/MCP'), nothing],
  ['an encoded letter', get('/%6dcp'), nothing],
  ['an encoded slash', get('/mcp%2f..%2fhealth'), nothing],
  ['a parameter', get('/mcp;a=b'), nothing],
  ['something below', get('/mcp/health'), nothing],
  ['a way around to health', get('/mcp/../health'), healthy],
  ['a way around to the door', get('/health/../mcp'), '405 -32000 A GET needs'],
  ['the same with a backslash', get('/health\\..\\mcp'), '405 -32000 A GET needs'],
];

/** What a proxy or tunnel adds to each request. */
export const forwardedHeaders: readonly string[] = [
  'Forwarded: for=203.0.113.7',
  'X-Forwarded-For: 203.0.113.7',
  'X-Forwarded-Host: notes.example.org',
  'X-Forwarded-Proto: https',
  'X-Forwarded-Server: proxy',
  'X-Real-IP: 127.0.0.1',
  'CF-Connecting-IP: 203.0.113.7',
  'CF-Ray: 230b030023ae2822-SJC',
  'True-Client-IP: 203.0.113.7',
  'Tailscale-User-Login: someone@example.org',
  'Client-IP: 203.0.113.7',
  'Fly-Client-IP: 203.0.113.7',
  'CDN-Loop: cloudflare',
  'Ngrok-Trace-Id: 0123456789abcdef',
  'X-Amzn-Trace-Id: Root=1-67891233-abcdef012345678912345678',
  'X_Forwarded_For: 203.0.113.7',
  'Via: 1.1 proxy',
];
