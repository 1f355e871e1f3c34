import { describe, expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import { documentHost, readClientDocument } from './client-document.ts';

const id = 'https://app.example/client.json';
const good = { client_id: id, client_name: 'App', redirect_uris: ['https://app.example/cb'] };

describe('documentHost', () => {
  it.each([
    [id, 'app.example'],
    ['https://a.b.c.example/x/y.json', 'a.b.c.example'],
    ['https://xn--bcher-kva.example/x', 'xn--bcher-kva.example'],
    ['https://a.xn--p1ai/x', 'a.xn--p1ai'],
    ['https://claude.ai.evil.example/x', 'claude.ai.evil.example'],
    ['https://a.example/%7Ex/', 'a.example'],
    [`https://a.example/${'x'.repeat(limits.clientIdCharsMax - 18)}`, 'a.example'],
  ])('takes %s', (text, host) => {
    expect(documentHost(text)).toBe(host);
  });

  it.each([
    '',
    'https://',
    'http://a.example/x',
    'HTTPS://a.example/x',
    'https://A.example/x',
    'https://a.example',
    'https://a.example/',
    'https://a.example/x#',
    'https://a.example/x#y',
    'https://a.example/x?',
    'https://a.example/x?y=1',
    'https://u@a.example/x',
    'https://u:p@a.example/x',
    'https://@a.example/x',
    'https://a.example:443/x',
    'https://a.example:8443/x',
    'https://a.example/./x',
    'https://a.example/x/../y',
    'https://a.example/x/%2e%2e/y',
    'https://a.example/%2E/y',
    'https://a.example./x',
    'https://a.example\\x',
    'https://bücher.example/x',
    'https://a_b.example/x',
    'https://localhost/x',
    'https://x.localhost/x',
    'https://intranet/x',
    'https://nas.local/x',
    'https://x.internal/x',
    'https://127.0.0.1/x',
    'https://127.1/x',
    'https://2130706433/x',
    'https://93.184.216.34/x',
    'https://1.2.3/x',
    'https://[::1]/x',
    'https://[2606:4700::1111]/x',
    'https://a.example/x y',
    'https://a.example/"',
    'https://a.example/\n',
    ' https://a.example/x',
    'https:a.example/x',
    `https://a.example/${'x'.repeat(limits.clientIdCharsMax - 17)}`,
    `https://${'a.'.repeat(130)}example/x`,
  ])('refuses %j', (text) => {
    expect(documentHost(text)).toBeUndefined();
  });
});

describe('readClientDocument', () => {
  it.each<[string, object, object]>([
    ['all that is needed', {}, { name: 'App' }],
    ['one web address alone', {}, { onlyRedirect: 'https://app.example/cb' }],
    ['no name', { client_name: undefined }, { name: '' }],
    ['a name that is no text', { client_name: 5 }, { name: '' }],
    ['a name with bidi characters', { client_name: '\u202eApp\n' }, { name: 'App' }],
    ['method none', { token_endpoint_auth_method: 'none' }, {}],
    ['null as absent', { client_secret: null, token_endpoint_auth_method: null }, {}],
    [
      'none among several methods',
      {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
      },
      {},
    ],
    [
      'what is unknown',
      { grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'], x: [[[]]] },
      {},
    ],
    [
      'twenty addresses',
      { redirect_uris: Array.from({ length: 20 }, (_, at) => `https://app.example/${at}`) },
      {},
    ],
  ])('takes %s', (_, change, expected) => {
    const read = readClientDocument(id, { ...good, ...change });
    expect(read).toMatchObject({ client: { id, kind: 'document', host: 'app.example' } });
    expect('client' in read && read.client).toMatchObject(expected);
  });

  it.each<[string, unknown, RegExp]>([
    ['null', null, /another client id/],
    ['a text', '{}', /another client id/],
    ['a list', [], /another client id/],
    ['an empty object', {}, /another client id/],
    ['another id', { ...good, client_id: `${id}/` }, /another client id/],
    ['an id with another case', { ...good, client_id: id.toUpperCase() }, /another client id/],
    ['a secret', { ...good, client_secret: 'x' }, /secret/],
    ['an empty secret', { ...good, client_secret: '' }, /secret/],
    [
      'only client_secret_post',
      { ...good, token_endpoint_auth_method: 'client_secret_post' },
      /not supported/,
    ],
    [
      'only secrets in the list',
      {
        ...good,
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_methods_supported: ['private_key_jwt'],
      },
      /not supported/,
    ],
    ['no addresses', { ...good, redirect_uris: [] }, /no redirect/],
    ['no list of addresses', { ...good, redirect_uris: 'https://app.example/cb' }, /no redirect/],
    [
      'more than twenty addresses',
      { ...good, redirect_uris: Array.from({ length: 21 }, () => 'https://app.example/cb') },
      /more than 20/,
    ],
    [
      'an address that is not allowed',
      { ...good, redirect_uris: ['https://app.example/cb', 'javascript:alert(1)'] },
      /not allowed/,
    ],
    ['an address that is no text', { ...good, redirect_uris: [5] }, /not allowed/],
    [
      'members of the prototype',
      JSON.parse(`{"__proto__":${JSON.stringify(good)}}`),
      /another client id/,
    ],
  ])('refuses %s', (_, json, message) => {
    expect(readClientDocument(id, json)).toEqual({ message: expect.stringMatching(message) });
  });
});
