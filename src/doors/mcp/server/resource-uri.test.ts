import { describe, expect, it } from 'vitest';
import { mimeType, resourceAddress, resourceUri } from './resource-uri.ts';

describe('an address', () => {
  it.each([
    ['Home.md', 'vault:///Home.md'],
    ['Projects/Bike shed.md', 'vault:///Projects/Bike%20shed.md'],
    ['100% ü?#.md', 'vault:///100%25%20%C3%BC%3F%23.md'],
    ['日本/🎉.md', 'vault:///%E6%97%A5%E6%9C%AC/%F0%9F%8E%89.md'],
  ])('of %s is %s, and leads back', (path, uri) => {
    expect(resourceUri({ path })).toBe(uri);
    expect(resourceAddress(uri)).toEqual({ path });
  });

  it.each([
    ['Work', 'Home.md', 'vault://Work/Home.md'],
    ['My notes', 'A/B c.md', 'vault://My%20notes/A/B%20c.md'],
    ['Über/alles (2)', 'A.md', 'vault://%C3%9Cber%2Falles%20(2)/A.md'],
  ])('in the vault %s of %s is %s, and leads back', (vault, path, uri) => {
    expect(resourceUri({ vault, path })).toBe(uri);
    expect(resourceAddress(uri)).toEqual({ vault, path });
  });

  it.each([
    ['vault:///A%2FB.md', 'A/B.md'],
    ['vault:///A B.md', 'A B.md'],
    ['vault:///../x.md', '../x.md'],
  ])('%s is read as %s; what may not be is refused behind it', (uri, path) => {
    expect(resourceAddress(uri)).toEqual({ path });
  });

  it.each([
    'file:///A.md',
    'vault://A.md',
    'A.md',
    '',
    'vault:///100%.md',
    'vault:///',
    'vault://a%/b.md',
  ])('is not %j', (uri) => {
    expect(() => resourceAddress(uri)).toThrow(/^The URI of a note is "vault:\/\/\/"/);
  });

  it('of a name that is not Unicode can be shown', () => {
    expect(resourceUri({ path: 'a\ud800.md' })).toBe('vault:///a%EF%BF%BD.md');
  });
});

it.each([
  ['A.md', 'text/markdown'],
  ['A.canvas', 'application/json'],
  ['A.base', 'application/yaml'],
])('%s is %s', (path, type) => {
  expect(mimeType(path)).toBe(type);
});
