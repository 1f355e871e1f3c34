import { forwardedHeaders } from '../intrusion/head-cases.ts';
import type { BridgeCase } from './bridge-case.ts';
import {
  asJson,
  corsHeaders,
  example,
  foreign,
  health,
  maxBytes,
  noCors,
  notFound,
  ofBytes,
  readExample,
} from './bridge-words.ts';

const cors = 'fact sheet 1.2';
const issue = 'issue 7';

/** What the seed and the fact sheet say of CORS, and what we do beyond it. */
export const bridgeCorsCases: readonly BridgeCase[] = [
  ...(
    [
      ['an answer', { path: '/health' }, 200],
      ['a list', { path: '/tools' }, 200],
      ['a result', readExample(), 200],
      ['an unknown path', { path: '/nothing' }, 404],
      ['a wrong method', { method: 'PUT', path: '/health' }, 405],
      ['a wrong body', readExample({}, '{'), 400],
      ['a body that is too large', readExample({}, ofBytes(maxBytes + 1)), 413],
      ['chunks that are too large', readExample({ isChunked: true }, ofBytes(maxBytes + 1)), 413],
    ] as const
  ).map(([what, request, status], at) => ({
    id: `C01.${at + 1}`,
    source: `${cors}: all three CORS headers on every reply: ${what}`,
    request,
    expected: { status, headers: corsHeaders },
  })),
  ...['/health', '/tools', '/tools/read_note/call', '/tools/nothing/call', '/nothing', ''].map(
    (path, at) => ({
      id: `C02.${at + 1}`,
      source: `${cors}: OPTIONS is 204 at any path under the base: ${path}`,
      request: { method: 'OPTIONS', path },
      expected: { status: 204, empty: true, headers: corsHeaders } as const,
    }),
  ),
  {
    id: 'C03.1',
    source: `${cors}: OPTIONS outside of the base is 404 without CORS headers`,
    request: { method: 'OPTIONS', path: '//mcp' },
    expected: { ...notFound, headers: noCors },
  },
  {
    id: 'C03.2',
    source: `${cors}: 404 outside of the base has no CORS headers`,
    request: { path: '//' },
    expected: { ...notFound, headers: noCors },
  },
  ...[
    'http://localhost:5173',
    'http://127.0.0.1:8080',
    'https://localhost',
    'http://[::1]:3000',
    'app://obsidian.md',
  ].map((origin, at) => ({
    id: `C04.${at + 1}`,
    source: `${issue}: pages of this machine and of the app are let in: ${origin}`,
    request: readExample({ headers: { ...asJson, origin } }),
    expected: { ...example, headers: corsHeaders },
  })),
  ...[
    'https://evil.example',
    'null',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'https://obsidian.md',
    'app://obsidian.md.evil',
    'file://',
    'http://192.168.1.5:3000',
    'chrome-extension://abcdefgh',
  ].map((origin, at) => ({
    id: `C05.${at + 1}`,
    source: `${issue}: a foreign Origin gets 403 in the seed's error shape: ${origin}`,
    better: 'The reference lets every web page call every tool.',
    request: readExample({ headers: { ...asJson, origin } }),
    expected: foreign,
  })),
  {
    id: 'C06.1',
    source: `${issue}: a foreign Origin gets 403 on OPTIONS too`,
    better: 'The reference lets every web page call every tool.',
    request: {
      method: 'OPTIONS',
      path: '/tools/read_note/call',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    },
    expected: foreign,
  },
  {
    id: 'C06.2',
    source: `${issue}: a foreign Origin gets 403 before anything is looked at`,
    better: 'The reference lets every web page list the tools.',
    request: { path: '/tools', headers: { origin: 'https://evil.example' } },
    expected: foreign,
  },
  ...['evil.example', 'localhost.evil.example:3000', '192.168.1.5:3000', '0.0.0.0:3000'].map(
    (host, at) => ({
      id: `C07.${at + 1}`,
      source: `${issue}: Host must be loopback: ${host}`,
      better: 'The reference takes every Host: a page can point its own name at it.',
      request: { path: '/tools', headers: { host } },
      expected: foreign,
    }),
  ),
  ...['localhost:3000', 'LOCALHOST', '127.0.0.1', '127.1.2.3:9', '[::1]:3000'].map((host, at) => ({
    id: `C08.${at + 1}`,
    source: `${issue}: Host must be loopback, with any port: ${host}`,
    request: { path: '/health', headers: { host } },
    expected: health,
  })),
  {
    id: 'C09',
    source: `${cors}: a Private-Network preflight header is ignored`,
    request: {
      method: 'OPTIONS',
      path: '/tools',
      headers: {
        origin: 'http://localhost:5173',
        'access-control-request-method': 'GET',
        'access-control-request-private-network': 'true',
      },
    },
    expected: {
      status: 204,
      empty: true,
      headers: { ...corsHeaders, 'access-control-allow-private-network': undefined },
    },
  },
  ...forwardedHeaders.map((line, at) => {
    const [name = '', value = ''] = line.split(': ');
    return {
      id: `C10.${at + 1}`,
      source: `${issue}: nobody comes in through a proxy or tunnel that rewrites Host: ${name}`,
      better: 'The reference takes everyone whom a tunnel brings for a program on this machine.',
      request: readExample({ headers: { ...asJson, [name]: value } }),
      expected: foreign,
    };
  }),
];
