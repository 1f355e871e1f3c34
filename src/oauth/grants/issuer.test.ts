import { describe, expect, it } from 'vitest';
import { issuerAt, issuerOf, resourceMeant } from './issuer.ts';

describe('the issuer of a public URL', () => {
  it.each([
    ['https://vault.example.com', 'https://vault.example.com', ''],
    ['https://vault.example.com/', 'https://vault.example.com', ''],
    ['https://vault.example.com/mcp', 'https://vault.example.com', ''],
    ['https://vault.example.com/mcp/', 'https://vault.example.com', ''],
    ['https://Vault.Example.com:443/', 'https://vault.example.com', ''],
    ['https://vault.example.com:8443', 'https://vault.example.com:8443', ''],
    ['https://example.com/notes', 'https://example.com/notes', '/notes'],
    ['https://example.com/notes/mcp', 'https://example.com/notes', '/notes'],
    ['https://user:secret@example.com/?q#f', 'https://example.com', ''],
    ['http://127.0.0.1:1065', 'http://127.0.0.1:1065', ''],
    ['http://localhost:1065/mcp', 'http://localhost:1065', ''],
    ['http://[::1]:1065', 'http://[::1]:1065', ''],
  ])('%s is %s', (publicUrl, url, path) => {
    const { host, origin } = new URL(url);
    const isSecure = url.startsWith('https:');
    expect(issuerOf(publicUrl)).toEqual({
      url,
      resource: `${url}/mcp`,
      host,
      origin,
      path,
      isSecure,
    });
  });

  it.each([
    'http://vault.example.com',
    'http://192.168.1.5:1065',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'ftp://localhost',
    'vault.example.com',
    '',
  ])('there is none for %j', (publicUrl) => {
    expect(issuerOf(publicUrl)).toBeUndefined();
  });
});

const issuers = ['https://vault.example.com', 'https://example.com/notes'].flatMap(
  (url) => issuerOf(url) ?? [],
);

describe('a resource', () => {
  it.each([
    ['https://vault.example.com/mcp', true],
    ['https://vault.example.com/mcp/', true],
    ['https://vault.example.com', true],
    ['https://vault.example.com/', true],
    ['HTTPS://VAULT.example.com/mcp', true],
    ['https://example.com/notes/mcp', true],
    ['https://example.com/notes', true],
    ['https://vault.example.com/MCP', false],
    ['https://vault.example.com/mcp//', false],
    ['https://vault.example.com/mcp#x', false],
    ['https://vault.example.com/mcp?x', false],
    ['https://vault.example.com.evil.example/mcp', false],
    ['https://evil.example/mcp', false],
    ['http://vault.example.com/mcp', false],
    ['https://example.com/mcp', false],
    ['https://example.com', false],
    ['/mcp', false],
    ['', false],
    ['https://vault.example.com/mcp\n', false],
  ])('%j: ours is %s', (sent, isOurs) => {
    expect(resourceMeant(issuers, sent) !== undefined).toBe(isOurs);
  });
});

describe('the issuer at a host', () => {
  it.each([
    ['vault.example.com', 'https://vault.example.com'],
    ['Vault.Example.COM', 'https://vault.example.com'],
    ['vault.example.com:443', 'https://vault.example.com'],
    ['example.com', 'https://example.com/notes'],
    ['vault.example.com:80', undefined],
    ['vault.example.com:8443', undefined],
    ['evil.example', undefined],
    ['', undefined],
  ])('%j is %s', (host, url) => {
    expect(issuerAt(issuers, host)?.url).toBe(url);
  });
});
